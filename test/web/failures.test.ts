import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {randomUUID} from 'node:crypto';
import type {Locator, Page} from 'playwright-core';
import {deadlines} from '../../src/domain/core/limits.js';
import type {Person} from '../api/people.js';
import {deep} from '../support/deep.js';
import {expectEventually} from '../support/expect-eventually.js';
import {testRedisUrl} from '../support/redis-server.js';
import {type SlowRedis, startSlowRedis} from '../support/slow-redis.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {openDashboard, type BrowserStage, untilQuiet, untilRequest, type Tab} from './support/stage.js';

let redis: SlowRedis;
let stage: BrowserStage;
let ada: Person;
let grace: Person;
let tab: Tab;
let page: Page;

/** Monday, 23:58:30 in Berlin. */
const evening = '2026-11-23T22:58:30Z';

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  redis = await startSlowRedis(redisUrl);
  stage = await openDashboard(
    {},
    {redisUrl: redis.url, requestMs: deadlines.request, at: evening, streaming: {pulse: 500}},
  );
  await stage.workspace.request('PATCH', '/v1/teams/platform', {body: {timezone: 'Europe/Berlin'}});
  ada = await stage.addPerson({
    name: 'Ada Lovelace',
    team: 'platform',
    role: 'owner',
    timezone: 'Europe/Berlin',
  });
  grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform', timezone: 'Europe/Berlin'});
  tab = await stage.signIn(ada, {path: '/t/platform'});
  ({page} = tab);
  await untilRequest(tab, ({operation}) => operation === 'streamChanges');
});

afterEach(async () => {
  await page.unrouteAll();
  redis.mend();
});

afterAll(async () => {
  await stage.close();
  await redis.close();
});

const panel = () => page.getByRole('dialog', {name: 'Write your standup'});
const posts = () => tab.requests.filter(({operation}) => operation === 'postStandup');

/** Writes a standup and posts it. */
async function write(text: string): Promise<void> {
  await tab.go('/t/platform?write=platform');
  await panel().getByLabel('Today', {exact: true}).fill(text);
  await panel().getByRole('button', {name: 'Post'}).click();
}

/** The number of stored standups that contain the text. */
async function count(text: string): Promise<number> {
  const {body} = await stage.workspace.request('GET', '/v1/standups?limit=100', {token: grace.token});
  return body.data.filter(({update}: {update: string}) => update.includes(text)).length;
}

const shown = (text: string) => page.getByRole('article').filter({hasText: text});

it('a standup waits while Redis is away, and is posted once when Redis is back', async () => {
  await tab.go('/t/platform?write=platform');
  await panel().getByLabel('Today', {exact: true}).fill('Through the outage.');
  await untilQuiet(tab);
  const before = posts().length;
  redis.cut();
  await panel().getByRole('button', {name: 'Post'}).click();
  await until(() => posts().length > before);
  await shown('Through the outage.').waitFor();
  redis.mend();
  await page.getByText('Posted to Platform').waitFor();
  expect(await count('Through the outage.')).toBe(1);
});

if (deep) {
  it('each form waits while Redis is away, loses nothing, and is saved once when Redis is back', async () => {
    const dialog = page.getByRole('dialog');
    const button = (name: string) => page.getByRole('button', {name, exact: true});
    async function throughOutage(operation: string, submit: Locator): Promise<void> {
      await untilQuiet(tab);
      const sent = () => tab.requests.filter((one) => one.operation === operation).length;
      const before = sent();
      redis.cut();
      await submit.click();
      await until(() => sent() > before + 1, {what: `${operation} is tried again`});
      redis.mend();
    }
    async function names(path: string, of: string): Promise<string[]> {
      const {body} = await stage.workspace.request('GET', path, {token: ada.token});
      return body.data.map((one: Record<string, string>) => one[of]);
    }
    const times = (list: readonly string[], name: string) => list.filter((one) => one === name).length;

    await tab.go('/tokens');
    await button('Create token').click();
    await dialog.getByLabel('Name', {exact: true}).fill('outage bot');
    await throughOutage('createToken', button('Create'));
    await page.getByRole('region', {name: 'outage bot created'}).waitFor();
    expect(times(await names('/v1/tokens?limit=100&kind=token', 'name'), 'outage bot')).toBe(1);

    await tab.go('/webhooks');
    await button('Add webhook').click();
    await dialog.getByLabel('Address').fill('https://hooks.example/outage');
    await throughOutage('createWebhook', dialog.getByRole('button', {name: 'Add', exact: true}));
    await page.getByText(/^whsec_/).waitFor();
    expect(times(await names('/v1/webhooks', 'url'), 'https://hooks.example/outage')).toBe(1);

    await tab.go('/people');
    await button('Add person').click();
    await dialog.getByLabel('Name').fill('Outage Person');
    await throughOutage('createMember', dialog.getByRole('button', {name: 'Add', exact: true}));
    await page.getByRole('listitem', {name: 'Outage Person', exact: true}).waitFor();
    expect(times(await names('/v1/members?limit=100', 'name'), 'Outage Person')).toBe(1);

    await tab.go('/t/platform/settings');
    const general = page.getByRole('region', {name: 'Name and time zone', exact: true});
    await general.getByLabel('Name', {exact: true}).fill('Platform after the outage');
    await throughOutage('changeTeam', general.getByRole('button', {name: 'Save'}));
    await page.getByRole('heading', {name: 'Team settings: Platform after the outage'}).waitFor();
    await stage.workspace.request('PATCH', '/v1/teams/platform', {body: {name: 'Platform'}});
  });

  it('a standup is not posted twice when the answer is lost', async () => {
    let isLost = false;
    await page.route('**/v1/standups', async (route) => {
      if (isLost || route.request().method() !== 'POST') return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort('connectionreset');
    });
    await write('Answered into the void.');
    await page.getByText('Posted to Platform').waitFor();
    expect(isLost).toBe(true);
    expect(await count('Answered into the void.')).toBe(1);
  });

  it('a standup that the rate limit refuses is sent automatically when allowed', async () => {
    let refused = 0;
    await page.route('**/v1/standups', async (route) => {
      if (refused > 0 || route.request().method() !== 'POST') return route.continue();
      refused += 1;
      const id = `req_${randomUUID().replaceAll('-', '').slice(0, 26)}`;
      await route.fulfill({
        status: 429,
        headers: {
          'content-type': 'application/problem+json',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
          'x-request-id': id,
          'retry-after': '1',
        },
        body: JSON.stringify({
          type: `${stage.service.url}/problems/rate_limited`,
          title: 'Too many requests',
          status: 429,
          detail: 'Too many.',
          instance: '/v1/standups',
          code: 'rate_limited',
          request_id: id,
        }),
      });
    });
    await write('One too many.');
    await page.getByText('Posted to Platform').waitFor();
    expect(refused).toBe(1);
    expect(await count('One too many.')).toBe(1);
  });
}

it('the page shows later changes automatically after a deployment has cut the change stream', async () => {
  await tab.go('/t/platform');
  await untilQuiet(tab);
  await stage.restart();
  const body = {team: 'platform', update: 'After the deployment.'};
  await stage.workspace.request('POST', '/v1/standups', {token: grace.token, body});
  await shown('After the deployment.').waitFor();
  await expectEventually(() => shown('After the deployment.').count()).toBe(1);
});

it('a laptop that sleeps over midnight shows the new day, and posts typed text for the day on which it was begun', async () => {
  await tab.go('/t/platform?write=platform');
  await panel().getByLabel('Today', {exact: true}).fill('Typed before midnight.');
  await stage.moveTo('2026-11-24T07:05:00Z');
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await expectEventually(() => panel().getByLabel('Today', {exact: true}).inputValue()).toBe(
    'Typed before midnight.',
  );
  await page.reload();
  await expectEventually(() => panel().getByLabel('Today', {exact: true}).inputValue()).toBe(
    'Typed before midnight.',
  );
  await panel().getByRole('button', {name: 'Post'}).click();
  await page.getByText('Posted to Platform').waitFor();
  await expectEventually(() => shown('After the deployment.').count()).toBe(0);
  await tab.go('/t/platform?date=2026-11-23');
  await shown('Typed before midnight.').waitFor();
  expect(await count('Typed before midnight.')).toBe(1);
});

it('the pages made no forbidden request during these failures', async () => {
  await expectInnocent(tab, {
    refusals: [429, 503],
    errors: /Failed to load resource: net::ERR_(CONNECTION_\w+|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/,
  });
});
