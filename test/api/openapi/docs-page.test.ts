import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import type {Browser, Page} from 'playwright-core';
import {type Misdeeds, getSharedBrowser, openWatchedPage} from '../../support/browser.js';
import {getPublishedDocument} from '../../support/contract.js';
import {deep} from '../../support/deep.js';
import {expectEventually} from '../../support/expect-eventually.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';

let service: TestService;
let workspace: TestWorkspace;
let browser: Browser;
/**
 * Loaded once, and in `npm test` only with the operations of standups: the whole takes seconds of CPU time.
 * Each test leaves its operations closed.
 */
let reference: OpenedPage & {readonly openAtFirst: number};

interface OpenedPage {
  readonly page: Page;
  readonly misdeeds: Misdeeds;
}

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  browser = await getSharedBrowser();
  const {page, misdeeds} = await openPage(1280, 1000);
  if (!deep) await page.route('**/openapi.json', (route) => route.fulfill({json: shown}));
  await page.goto(`${service.url}/docs`);
  await page.locator('#operations-Standups-postStandup').waitFor();
  reference = {page, misdeeds, openAtFirst: await page.locator('.opblock.is-open').count()};
});

afterAll(async () => {
  await reference.page.context().close();
  await service.close();
});

afterEach(async () => {
  const {page, misdeeds} = reference;
  const open = page.locator('.opblock.is-open .opblock-summary-control');
  while ((await open.count()) > 0) await open.first().click();
  for (const all of [misdeeds.errors, misdeeds.violations, misdeeds.foreign]) all.length = 0;
});

const shown: Json = deep ? getPublishedDocument() : listStandupsOnly(getPublishedDocument());

/** The operations of standups, and everything they refer to. */
function listStandupsOnly({components, ...document}: Json): Json {
  const paths = {'/v1/standups': document.paths['/v1/standups']};
  const kept: Record<string, Json> = {parameters: {}, securitySchemes: components.securitySchemes};
  const open: Json[] = [paths];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      if (kept[kind]?.[name] !== undefined) continue;
      (kept[kind] ??= {})[name] = components[kind][name];
      open.push(components[kind][name]);
    }
  }
  return {...document, paths, components: kept, webhooks: {}};
}

const none: Misdeeds = {errors: [], violations: [], foreign: []};

async function openPage(width: number, height: number): Promise<OpenedPage> {
  const opened = await openWatchedPage(await browser.newContext({viewport: {width, height}}), service.url);
  // The reference takes seconds of CPU time to load, and again to open an operation.
  opened.page.setDefaultTimeout(40_000);
  return opened;
}

it('a pasted token posts a standup from the page, which violates no policy and contacts no other host', async () => {
  const {page, misdeeds} = reference;
  await page.locator('.scheme-container .authorize').click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input').fill(workspace.token);
  await dialog.locator('button.authorize').click();
  await dialog.locator('button.btn-done').click();

  const operation = page.locator('#operations-Standups-postStandup');
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('textarea').fill('{"team": "platform", "update": "Posted from the page."}');
  await operation.getByRole('button', {name: 'Execute'}).click();
  const answer = operation.locator('.live-responses-table');
  await answer.waitFor();

  await expectEventually(() => answer.locator('tbody .response-col_status').first().innerText()).toMatch(
    /^201/,
  );
  await expectEventually(() => answer.innerText()).toContain('Posted from the page.');
  const {body} = await workspace.request('GET', '/v1/standups');
  expect(body.data[0]).toMatchObject({update: 'Posted from the page.', source: 'api'});
  expect(misdeeds).toEqual(none);
});

/** Runs in the page. A long list has only those rows that are in view. */
async function scrollThrough(): Promise<{readonly tags: string[]; readonly operations: number}> {
  const {document, scrollTo, requestAnimationFrame} = globalThis as unknown as Json;
  const [tags, operations] = [new Set<string>(), new Set<string>()];
  for (let top = 0; top < document.documentElement.scrollHeight; top += 300) {
    scrollTo(0, top);
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    for (const {dataset} of document.querySelectorAll('h3[data-tag]')) tags.add(dataset.tag);
    for (const {id} of document.querySelectorAll('.opblock')) operations.add(id);
  }
  scrollTo(0, 0);
  return {tags: [...tags], operations: operations.size};
}

it('the reference begins with the first request, and lists the operations collapsed, in the order of the document', async () => {
  const {page, misdeeds, openAtFirst} = reference;
  const sections = page.locator('.info .description details');
  await expectEventually(() => sections.first().locator('summary').innerText()).toBe('First request');
  await expectEventually(() => page.locator('.info .description details[open]').count()).toBe(1);
  const operations = Object.values<Json>(shown.paths).flatMap((path) => Object.values<Json>(path));
  const seen = await page.evaluate<{tags: string[]; operations: number}>(`(${scrollThrough.toString()})()`);
  expect(seen.tags).toEqual(shown.tags.map(({name}: Json) => name));
  expect(seen.operations).toBeGreaterThanOrEqual(operations.length);
  expect(openAtFirst).toBe(0);
  expect(misdeeds).toEqual(none);
});

// Opening an operation takes seconds.
if (deep) {
  it('no example of a header or a filter is sent without being chosen', async () => {
    const {page} = reference;
    const operation = page.locator('#operations-Standups-listStandups');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', {name: 'Execute'}).click();
    await operation.locator('.request-url').waitFor();
    await expectEventually(() => operation.locator('.request-url').innerText()).toContain(
      `${service.url}/v1/standups?limit=25`,
    );
    await expectEventually(() => operation.locator('.request-url').innerText()).not.toContain('team');
  });
}

// Loading the reference again takes seconds.
it.each([...(deep ? ['/docs', '/problems'] : []), '/problems/not_found'])(
  'the page %s fits a phone',
  async (path) => {
    const {page, misdeeds} = await openPage(390, 844);
    await page.goto(service.url + path);
    if (path === '/docs') {
      const operation = page.locator('#operations-Standups-postStandup');
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.responses-wrapper').waitFor();
    }
    await expectEventually(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      390,
    );
    expect(misdeeds).toEqual(none);
    await page.context().close();
  },
);

it('the content policy blocks a style and a script in the page itself, and this test notices', async () => {
  const {page, misdeeds} = reference;
  await page.evaluate(`
    document.head.append(Object.assign(document.createElement('style'), {textContent: 'p { color: red }'}));
    document.head.append(Object.assign(document.createElement('script'), {textContent: 'globalThis.ran = true'}));
  `);
  await until(() => misdeeds.violations.length >= 2, {what: 'two reports'});
  expect(misdeeds.violations.map((one) => one.split(':')[0]).toSorted()).toEqual([
    'script-src-elem',
    'style-src-elem',
  ]);
  await expectEventually(() => page.evaluate('globalThis.ran')).toBeUndefined();
});
