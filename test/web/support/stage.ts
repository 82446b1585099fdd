// test/web/: what the dashboard promises, in real Chromium on the real service; a file a screen.
// Not here: the door at /app (test/dashboard), what the API answers (test/api).
import type {Browser, BrowserContext, Page} from 'playwright-core';
import {addPerson, type Person} from '../../api/people.js';
import {makeLink, ownPage, passOf} from '../../dashboard/visitor.js';
import {type Misdeeds, startBrowser, watch} from '../../support/browser.js';
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

/**
 * A service with a workspace, and a browser to look at it with. Opened in `beforeAll`, closed in `afterAll`.
 */
export interface Stage {
  readonly service: TestService;
  /** With the team `platform`. */
  readonly workspace: TestWorkspace;
  readonly browser: Browser;
  /** A member with a token of their own, perhaps in a team (by slug). */
  addPerson(options?: Parameters<typeof addPerson>[2], workspace?: TestWorkspace): Promise<Person>;
  /** A browser of this person's own, signed in through the door, on the page at `path`. */
  signIn(
    person: Pick<Person, 'id'>,
    options?: VisitOptions,
    workspace?: Pick<TestWorkspace, 'core' | 'operator'>,
  ): Promise<Visit>;
  /** A browser in which nobody is signed in. */
  visit(options?: VisitOptions): Promise<Visit>;
  /** Ends the service and starts another on the same port and the same data, as a deployment does. */
  restart(): Promise<void>;
  /** Moves the clock of the service and of every open page; only with `at`. */
  moveTo(instant: string): Promise<void>;
  close(): Promise<void>;
}

export interface VisitOptions {
  /** Below /app, or with it: `/t/platform`. Default: Today. */
  readonly path?: string;
  /** Of the browser: `de-DE`. */
  readonly locale?: string;
  readonly timezone?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** What the clock of its pages says when they open; it goes on from there. Default: that of the stage. */
  readonly clockAt?: string;
  /** `x-long`: the language of the tests, long and from right to left. */
  readonly language?: 'en' | 'de' | 'x-long';
  /** 2 is a zoom of 200 %: half the room, twice the pixels. */
  readonly zoom?: number;
  readonly forcedColors?: boolean;
  /** Shows every movement, as most browsers do. Default: less motion, which asks less of the machine. */
  readonly moves?: boolean;
  readonly touch?: boolean;
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly misdeeds: Misdeeds;
  readonly recorder: Recorder;
  /** Requests of all its pages so far. */
  readonly requests: readonly PageRequest[];
  /** Another tab of the same browser. */
  openTab(path?: string): Promise<Page>;
  /** Goes there anew and waits for the heading of the page. */
  go(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions extends Omit<ServiceOptions, 'env' | 'time'> {
  /** A time of its own for the service, which stands still, and for its pages, which go on from there. */
  readonly at?: string;
  /** Name of the workspace. */
  readonly name?: string;
}

export async function openDashboard(
  env: Readonly<Record<string, string>> = {},
  {at, name, ...options}: StageOptions = {},
): Promise<Stage> {
  const port = String(await findFreePort());
  const redisUrl = options.redisUrl ?? (await testRedisUrl());
  const clock = at === undefined ? undefined : await createTestClock(redisUrl, Date.parse(at));
  const start = () =>
    startService({
      ...options,
      redisUrl,
      env: {PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...env},
      ...(clock && {time: clock.time}),
    });
  const [first, browser] = await Promise.all([start(), startBrowser()]);
  let service = first;
  const workspace = await service.addWorkspace(name);
  const visits = new Set<Visit>();
  const visit = async (given: VisitOptions = {}, link?: string): Promise<Visit> => {
    const opened = await openVisit({browser, service, clock}, given, link);
    visits.add(opened);
    opened.context.once('close', () => visits.delete(opened));
    return opened;
  };
  return {
    get service() {
      return service;
    },
    workspace,
    browser,
    addPerson: (person, elsewhere) => addPerson(service, elsewhere ?? workspace, person),
    signIn: async (person, given, elsewhere) =>
      visit(given, await makeLink(elsewhere ?? workspace, person.id)),
    visit: (given) => visit(given),
    async restart() {
      await service.close();
      service = await start();
    },
    async moveTo(instant) {
      if (clock === undefined)
        throw new Error('This stage goes by the clock of the machine: open it with `at`.');
      await clock.set(Date.parse(instant));
      for (const {context} of visits) await setPageClock(context, instant);
    },
    async close() {
      await browser.close();
      await service.close();
      await clock?.close();
    },
  };
}

interface Parts {
  readonly browser: Browser;
  readonly service: TestService;
  readonly clock: TestClock | undefined;
}

async function openVisit(
  {browser, service, clock}: Parts,
  options: VisitOptions,
  link: string | undefined,
): Promise<Visit> {
  const {width = 1280, height = 900, zoom = 1} = options;
  const context = await browser.newContext({
    viewport: {width: Math.round(width / zoom), height: Math.round(height / zoom)},
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
  const recorder = record(context, service.url);
  const {page, misdeeds} = await watch(context, service.url);
  if (link !== undefined) await signInAt(service.url, context, link);
  const addressOf = (path: string) => `${service.url}${path.startsWith('/app') ? path : `/app${path}`}`;
  const open = async (there: Page, path: string): Promise<void> => {
    await there.goto(addressOf(path));
    await there.locator('h1').first().waitFor();
  };
  await open(page, options.path ?? '/');
  return {
    context,
    page,
    misdeeds,
    recorder,
    requests: recorder.requests,
    async openTab(path = '/') {
      const tab = await context.newPage();
      await open(tab, path);
      return tab;
    },
    go: (path) => open(page, path),
    close: () => context.close(),
  };
}

/** As the page does it when somebody has pressed “Continue as Ada”. The cookie is in the browser then. */
export async function signInAt(origin: string, context: BrowserContext, link: string): Promise<void> {
  const answer = await context.request.post(`${origin}/app/session`, {
    headers: ownPage,
    data: {link: passOf(link)},
  });
  if (answer.status() !== 201) throw new Error(`${answer.status()} ${await answer.text()}`);
}

/** Sets the clock of all pages of a context, after reloads too; it goes on from there. */
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
  await Promise.all(context.pages().map((page) => page.evaluate(script)));
}

/** Resolves when a page has drawn everything that it has asked for. */
export async function untilQuiet({page, recorder}: Visit): Promise<void> {
  // A busy machine may owe a page its frames for long.
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

/** Resolves when a request that fits has been answered, whether before or after. */
export function untilRequest(visit: Visit, fits: (request: PageRequest) => boolean): Promise<PageRequest> {
  return until(() => visit.requests.find(fits), {what: 'the page asks for this'});
}
