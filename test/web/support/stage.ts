// test/web/: tests of the dashboard in real Chromium on the real service, one file for each screen. Not here:
// the session routes at /app (test/dashboard), and answers of the API (test/api).
import type {Browser, BrowserContext, Page} from 'playwright-core';
import {addPerson, type Person} from '../../api/people.js';
import {makeLink, ownPage, passOf} from '../../dashboard/test-browser.js';
import {type Misdeeds, getSharedBrowser, watchContext} from '../../support/browser.js';
import {deep} from '../../support/deep.js';
import {findFreePort} from '../../support/free-port.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {
  type ServiceOptions,
  startService,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {until} from '../../support/until.js';
import {type PageRequest, record, type Recorder} from './recorder.js';

/** A service with a workspace, and a browser. Open it in `beforeAll`, and close it in `afterAll`. */
export interface BrowserStage {
  readonly service: TestService;
  /** With the team `platform`. */
  readonly workspace: TestWorkspace;
  readonly browser: Browser;
  /** Adds a member with a token, in a team if one is given (by slug). */
  addPerson(options?: Parameters<typeof addPerson>[2], workspace?: TestWorkspace): Promise<Person>;
  /**
   * A browser context of this person, signed in, with the page at `path`. It may be that of a closed tab of
   * the same person and options, still signed in and emptied; never with `fresh`.
   */
  signIn(
    person: Pick<Person, 'id'>,
    options?: TabOptions,
    workspace?: Pick<TestWorkspace, 'core' | 'operator'>,
  ): Promise<Tab>;
  /** A browser context without a session. */
  open(options?: TabOptions): Promise<Tab>;
  /** Ends the service and starts another on the same port and the same data, as a deployment does. */
  restart(): Promise<void>;
  /** Moves the clock of the service and of every open page; only with `at`. */
  moveTo(instant: string): Promise<void>;
  close(): Promise<void>;
}

export interface TabOptions {
  /** With or without `/app`: `/t/platform`. Default: Today. */
  readonly path?: string;
  /** The browser's locale: `de-DE`. */
  readonly locale?: string;
  readonly timezone?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** The time of its pages when they open; it advances from there. Default: that of the stage. */
  readonly clockAt?: string;
  /** `x-long`: the pseudo-language of the tests, with long texts from right to left. */
  readonly language?: 'en' | 'de' | 'x-long';
  /** 2 is a zoom of 200 %: half the CSS pixels, twice the density. */
  readonly zoom?: number;
  readonly forcedColors?: boolean;
  /** Shows all animations, as most browsers do. Default: reduced motion, which needs less CPU. */
  readonly moves?: boolean;
  readonly touch?: boolean;
  /** A script that runs before those of each page. */
  readonly script?: string;
  /** A new context, which no other tab reuses. */
  readonly fresh?: boolean;
}

export interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly misdeeds: Misdeeds;
  readonly recorder: Recorder;
  /** Requests of all its pages so far. */
  readonly requests: readonly PageRequest[];
  /** Another tab of the same browser. */
  openTab(path?: string): Promise<Page>;
  /** Loads a page, and waits for its heading. */
  go(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions extends Omit<ServiceOptions, 'env' | 'time'> {
  /** The time of the service, which stays fixed, and of its pages, which advances from there. */
  readonly at?: string;
  /** The name of the workspace. */
  readonly name?: string;
  /** The host in the address of the service: browsers allow no passkeys at an IP address, the default. */
  readonly host?: 'localhost';
}

export async function openDashboard(
  env: Readonly<Record<string, string>> = {},
  {at, name, host, ...options}: StageOptions = {},
): Promise<BrowserStage> {
  const port = String(await findFreePort());
  const redisUrl = options.redisUrl ?? (await testRedisUrl());
  const clock = at === undefined ? undefined : await createTestClock(redisUrl, Date.parse(at));
  const url = `http://${host ?? '127.0.0.1'}:${port}`;
  const start = async (): Promise<TestService> => {
    const started = await startService({
      ...options,
      redisUrl,
      env: {PORT: port, PUBLIC_URL: url, ...env},
      ...(clock && {time: clock.time}),
    });
    return {...started, url};
  };
  const [first, browser] = await Promise.all([start(), getSharedBrowser()]);
  let service = first;
  const workspace = await service.addWorkspace(name);
  const contexts = new Set<OpenContext>();
  const idle = new Map<string, OpenContext>();
  const open = async (given: TabOptions, link?: string): Promise<OpenContext> => {
    const opened = await openContext({browser, service, clock}, given, link);
    contexts.add(opened);
    opened.context.once('close', () => contexts.delete(opened));
    return opened;
  };
  return {
    get service() {
      return service;
    },
    workspace,
    browser,
    addPerson: (person, elsewhere) => addPerson(service, elsewhere ?? workspace, person),
    async signIn(person, {path, fresh = false, ...given} = {}, elsewhere = workspace) {
      // The key includes the time: an older session would have to confirm again.
      const key = JSON.stringify([person.id, given, clock?.now()]);
      const found = idle.get(key);
      if (!fresh && found !== undefined) {
        idle.delete(key);
        return openDashboardTab(service.url, found, path, (left) => void idle.set(key, left));
      }
      const opened = await open(given, await makeLink(elsewhere, person.id));
      const keep = fresh || deep ? undefined : (left: OpenContext) => void idle.set(key, left);
      return openDashboardTab(service.url, opened, path, keep);
    },
    open: async ({path, ...given} = {}) => openDashboardTab(service.url, await open(given), path),
    async restart() {
      await service.close();
      service = await start();
    },
    async moveTo(instant) {
      if (clock === undefined)
        throw new Error('This stage goes by the clock of the machine: open it with `at`.');
      await clock.set(Date.parse(instant));
      for (const {context} of contexts) await setPageClock(context, instant);
    },
    async close() {
      await Promise.all([...contexts].map(({context}) => context.close()));
      await service.close();
      await clock?.close();
    },
  };
}

interface BrowserStageParts {
  readonly browser: Browser;
  readonly service: TestService;
  readonly clock: TestClock | undefined;
}

interface OpenContext {
  readonly context: BrowserContext;
  readonly misdeeds: Misdeeds;
  readonly recorder: Recorder;
  /** Undefined: not signed in. */
  readonly session: string | undefined;
  readonly viewport: {readonly width: number; readonly height: number};
}

async function openContext(
  {browser, service, clock}: BrowserStageParts,
  options: TabOptions,
  link: string | undefined,
): Promise<OpenContext> {
  const {width = 1280, height = 900, zoom = 1} = options;
  const viewport = {width: Math.round(width / zoom), height: Math.round(height / zoom)};
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: zoom,
    locale: options.locale ?? 'en-GB',
    timezoneId: options.timezone ?? 'Europe/Berlin',
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: options.moves === true ? 'no-preference' : 'reduce',
    forcedColors: options.forcedColors === true ? 'active' : 'none',
    hasTouch: options.touch ?? false,
  });
  context.setDefaultTimeout(20_000);
  const clockAt = options.clockAt ?? (clock && new Date(clock.now()).toISOString());
  if (clockAt !== undefined) await setPageClock(context, clockAt);
  if (options.language !== undefined) {
    await context.addInitScript({
      content: `if (location.protocol === 'http:') localStorage.setItem('standup:language', '${options.language}');`,
    });
  }
  if (options.script !== undefined) await context.addInitScript({content: options.script});
  const recorder = record(context, service.url);
  const misdeeds = await watchContext(context, service.url);
  if (link !== undefined) await signInAt(service.url, context, link);
  return {context, misdeeds, recorder, session: await sessionOf(context), viewport};
}

async function sessionOf(context: BrowserContext): Promise<string | undefined> {
  return (await context.cookies()).find(({name}) => name === 'standup')?.value;
}

/** `keep` gets the context when its tab is closed, in the state before that tab. */
async function openDashboardTab(
  origin: string,
  opened: OpenContext,
  path = '/',
  keep?: (left: OpenContext) => void,
): Promise<Tab> {
  const {context, misdeeds, recorder} = opened;
  const [left] = context.pages();
  const page = left ?? (await context.newPage());
  const addressOf = (at: string) => `${origin}${at.startsWith('/app') ? at : `/app${at}`}`;
  const open = async (there: Page, at: string): Promise<void> => {
    await there.goto(addressOf(at));
    await there.locator('h1').first().waitFor();
  };
  await open(page, path);
  return {
    context,
    page,
    misdeeds,
    recorder,
    requests: recorder.requests,
    async openTab(at = '/') {
      const tab = await context.newPage();
      await open(tab, at);
      return tab;
    },
    go: (at) => open(page, at),
    async close() {
      const isInApp = !page.isClosed() && page.url().startsWith(`${origin}/app`);
      const isKept = keep !== undefined && isInApp && (await sessionOf(context)) === opened.session;
      if (!isKept) return context.close();
      await empty(opened, page);
      return keep(opened);
    },
  };
}

/** Closes the pages of a context; keeps only its session and its cached files. */
async function empty({context, misdeeds, recorder, viewport}: OpenContext, page: Page): Promise<void> {
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  await page.unrouteAll({behavior: 'ignoreErrors'});
  await context.unrouteAll({behavior: 'ignoreErrors'});
  // Offline, since a page that is left would send its delayed changes.
  await context.setOffline(true);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.goto('about:blank');
  await context.setOffline(false);
  await page.setViewportSize(viewport);
  await recorder.untilChecked();
  recorder.forget();
  for (const list of Object.values(misdeeds)) list.length = 0;
}

/** Signs in as the page does after “Continue as Ada”. The context then has the cookie. */
export async function signInAt(origin: string, context: BrowserContext, link: string): Promise<void> {
  const answer = await context.request.post(`${origin}/app/session`, {
    headers: ownPage,
    data: {link: passOf(link)},
  });
  if (answer.status() !== 201) throw new Error(`${answer.status()} ${await answer.text()}`);
}

/** Sets the clock of all pages of a context, also after reloads; it advances from there. */
async function setPageClock(context: BrowserContext, instant: string): Promise<void> {
  const shift = Date.parse(instant) - Date.now();
  const script = `globalThis.testClockShift = ${shift};
if (globalThis.RealDate === undefined) {
  globalThis.RealDate = Date;
  const now = () => RealDate.now() + testClockShift;
  globalThis.Date = class Date extends RealDate {
    constructor(...given) {
      if (given.length === 0) super(now());
      else super(...given);
    }
    static now() {
      return now();
    }
  };
}`;
  await context.addInitScript({content: script});
  // Pages read their clock when they become visible, or within 20 seconds.
  const look = "document.dispatchEvent(new Event('visibilitychange'))";
  await Promise.all(context.pages().map((page) => page.evaluate(`${script}\n${look}`)));
}

/** Resolves when a page has rendered all data that it has requested. */
export async function untilQuiet({page, recorder}: Tab): Promise<void> {
  // A busy machine may render no frame for long.
  const frames = `new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
    setTimeout(resolve, 1_000);
  })`;
  let quiet = 0;
  await until(
    async () => {
      quiet = recorder.underWay() === 0 ? quiet + 1 : 0;
      await page.evaluate(frames);
      return quiet > 2;
    },
    {what: 'every request is answered'},
  );
}

/** Resolves when a matching request has been answered, even if that was before the call. */
export function untilRequest(tab: Tab, fits: (request: PageRequest) => boolean): Promise<PageRequest> {
  return until(() => tab.requests.find(fits), {what: 'the page asks for this'});
}
