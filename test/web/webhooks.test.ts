import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {availableParallelism, loadavg} from 'node:os';
import type {Page} from 'playwright-core';
import {drawnPart, sequencedPart, type Id} from '../../src/domain/core/ids.js';
import {durationBucket} from '../../src/domain/webhooks/webhook-health.js';
import {encodeAttempt, encodeExchange} from '../../src/store/webhooks/attempt-records.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import type {Person} from '../api/people.js';
import {addWebhook, deliveriesOf, type Hook, postStandups, soon} from '../jobs/stage.js';
import {deep} from '../support/deep.js';
import {expectSoon} from '../support/expect-soon.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type Stage, type Visit} from './support/stage.js';

const at = '2031-03-12T10:12:00.000Z';
const hourMs = 3_600_000;
const hour = Math.floor(Date.parse(at) / hourMs);
const hostile = '<img src=x onerror=alert(1)>\u202e{"error":"disk full"}';

let stage: Stage;
let ada: Person;
let receiver: Receiver;
let broken: Receiver;
let well: Hook;
let ill: Hook;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  [stage, receiver, broken] = await Promise.all([openDashboard({}, {at}), startReceiver(), startReceiver()]);
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'admin'});
  visit = await stage.signIn(ada, {path: '/webhooks'});
  ({page} = visit);
});

afterAll(async () => {
  await stage.close();
  await receiver.close();
  await broken.close();
});

const keys = () => workspaceKeys(stage.workspace.id);
const redis = (...args: string[]) => stage.service.core.store.connection.call(soon(), args);
const row = (name: string) => page.getByRole('listitem').filter({hasText: name});
const settled = (hook: Hook, count: number) =>
  until(async () => {
    const rows = await deliveriesOf(stage.workspace, hook);
    return rows.length === count && rows.every(({last_attempt: last}) => last !== null) ? rows : undefined;
  });

/** Attempts of a delivery as if they had taken place: a timeout, a name that is not found, and a refusal. */
async function writeAttempts(delivery: Id<'delivery'>): Promise<void> {
  const drawn = drawnPart(delivery);
  const none = {dns_ms: null, tcp_ms: null, tls_ms: null, connect_ms: null, first_byte_ms: null};
  const began = Date.parse(at) - 40 * 60_000;
  const attempts = [
    {...none, duration_ms: 15_000, dns_ms: 3, tcp_ms: 12, tls_ms: 28, connect_ms: 43, error: 'timeout'},
    {...none, duration_ms: 210, error: 'dns_failed'},
    {...none, duration_ms: 96, connect_ms: 0, first_byte_ms: 91, error: 'status', status: 503, probe: true},
  ] as const;
  const waits = [0, 20_000, 320_000];
  const fields = attempts.flatMap((attempt, i) => [
    `attempt:${i + 1}`,
    encodeAttempt({
      status: null,
      probe: false,
      remote_address: '2001:db8::7',
      ...attempt,
      at: new Date(began + (waits[i] ?? 0)).toISOString(),
    }),
  ]);
  await redis('HSET', keys().delivery(drawn), 'attempts', '3', 'state', 'retrying', ...fields);
  await redis('HSET', keys().tries(ill.drawn), drawn, '3:3:1::');
  const exchange = encodeExchange({
    request: {
      method: 'POST',
      url: 'https://hooks.example.com/standups?kind=all',
      headers: {'content-type': 'application/json', 'standup-attempt': '3', authorization: '[hidden]'},
    },
    response: {headers: {server: 'nginx', 'retry-after': '120'}, body: hostile},
  });
  await redis('ZADD', keys().excerpts(ill.drawn), String(Date.parse(at)), `${drawn}:3:${exchange}`);
}

/** What earlier hours would have left behind. */
async function writeHours(hook: Hook, failing: number): Promise<void> {
  for (let back = 24; back > 0; back -= 1) {
    const ok = back > failing ? (back * 7) % 23 : 0;
    const counts =
      back > failing ? {ok, [durationBucket(80)]: ok} : {bad: 6 + back, timeout: 4, status: 2 + back};
    const flat = Object.entries(counts).map(([field, count]) => [field, String(count)]);
    await redis('HSET', keys().health(hook.drawn, hour - back), ...flat.flat());
  }
}

describe('the list', () => {
  test('a workspace without a webhook is told what one is, and makes the first', async () => {
    await page.getByRole('button', {name: 'Make the first one'}).click();
    await page.getByRole('dialog').getByLabel('Address').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({state: 'detached'});
  });

  test('tells of each in words how it is, its last result and what waits', async () => {
    well = await addWebhook(stage.workspace, receiver, {description: 'The wiki'});
    broken.respondWith({status: 503, body: hostile});
    ill = await addWebhook(stage.workspace, broken, {
      description: 'Reports <b>of</b> the week',
      events: ['standup.created', 'team.*', 'run.closed', 'blocker.*', 'absence.created', 'webhook.failing'],
    });
    const off = {description: 'Not in use', events: ['*'], enabled: false};
    await addWebhook(stage.workspace, receiver, off);
    await writeHours(well, 0);
    await writeHours(ill, 1);
    await postStandups(stage.workspace, 6);
    await settled(well, 6);
    const failed = await until(async () => {
      const {body} = await stage.workspace.request('GET', `/v1/webhooks/${ill.id}/health`);
      return body.consecutive_failures >= 5 && body.breaker.state === 'open' ? body : undefined;
    });
    expect(failed.last_attempt).toMatchObject({error: 'status', status: 503});
    await visit.go('/webhooks');
    await row('The wiki').getByText('Well').waitFor();
    await row('The wiki').getByText('204, now').waitFor();
    await row('Reports <b>of</b> the week').getByText('Failing').waitFor();
    await row('Reports <b>of</b> the week')
      .getByText(/^\d deliveries$/)
      .waitFor();
    await row('Reports <b>of</b> the week').getByText('and 2 more').waitFor();
    await row('Not in use').getByText('Disabled').waitFor();
    await row('Not in use').getByText('nothing sent yet').waitFor();
    await look(visit, 'webhooks');
  });

  if (deep) {
    test('shows 25 of many, and the others when asked, by one request for 25', async () => {
      const listed = page.getByRole('list', {name: 'Webhooks'}).getByRole('listitem');
      const before = await listed.count();
      const hooks: string[] = [];
      for (let i = before; i < 30; i += 1) {
        hooks.push(
          (await addWebhook(stage.workspace, receiver, {description: `Flow ${i}`, enabled: false})).id,
        );
      }
      await visit.go('/webhooks');
      await expectSoon(() => listed.count()).toBe(25);
      await page.getByRole('button', {name: 'Show more'}).click();
      await expectSoon(() => listed.count()).toBe(30);
      const before30 = visit.requests.length;
      await stage.workspace.request('PATCH', `/v1/webhooks/${hooks.at(-1)}`, {
        body: {description: 'Renamed'},
      });
      await row('Renamed').waitFor();
      const asked = visit.requests.slice(before30).map(({operation}) => operation);
      expect([
        asked.filter((one) => one === 'listWebhooks').length,
        asked.includes('getWebhookHealth'),
      ]).toEqual([2, false]);
      // No page that shows them asks for what is deleted here.
      await visit.go('/sessions');
      for (const hook of hooks) await stage.workspace.request('DELETE', `/v1/webhooks/${hook}`);
      await visit.go('/webhooks');
    });

    test('is for those who run the workspace', async () => {
      const member = await stage.addPerson({name: 'Grace Hopper', team: 'platform'});
      const other = await stage.signIn(member, {path: '/webhooks'});
      await other.page.getByRole('heading', {name: 'Webhooks are for those who run the workspace'}).waitFor();
      await other.go(`/webhooks/${ill.id}`);
      await other.page.getByText('Ask an owner or admin.').waitFor();
      await expectInnocent(other);
      await other.close();
    });
  }
});

describe('the page of a webhook', () => {
  test('says first how it is, then shows 25 hours and its deliveries', async () => {
    await row('Reports').getByRole('link').click();
    await page.getByRole('heading', {level: 1, name: 'Reports <b>of</b> the week'}).waitFor();
    await page
      .getByText(
        /^Failing since 11:12: the last \d attempts were answered 503\. \d deliveries wait; next probe in \d+ s\.$/,
      )
      .waitFor();
    await expectSoon(() =>
      page.getByRole('list', {name: 'The last 25 hours'}).getByRole('link').count(),
    ).toBe(25);
    await page.locator('[data-delivery]').nth(5).waitFor();
    if (deep) await look(visit, 'webhook-failing', {full: true});
  });

  if (deep) {
    test('arrow keys go from hour to hour, and an hour that is chosen shows its deliveries', async () => {
      const bars = page.getByRole('list', {name: 'The last 25 hours'}).getByRole('link');
      await expectSoon(() => page.locator('ol[aria-label="The last 25 hours"] a[tabindex="0"]').count()).toBe(
        1,
      );
      await bars.last().focus();
      await page.keyboard.press('ArrowLeft');
      const focused = page.locator('a:focus');
      await expectSoon(() => focused.getAttribute('aria-label')).toBe('10:00: 0 succeeded, 7 failed');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', {name: 'No delivery matches'}).waitFor();
      await expectSoon(() => new URL(page.url()).searchParams.get('since')).toBe('2031-03-12T09:00:00.000Z');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.locator('[data-delivery]').nth(5).waitFor();
      await page.getByText('As a table').click();
      await page.getByRole('cell', {name: '3 × not a 2xx, 4 × timed out'}).waitFor();
      await page.getByText('As a table').click();
    });

    test('filters stand in the address, and are still there after a reload', async () => {
      await page.getByRole('button', {name: 'Clear filters'}).first().click();
      await page.getByRole('combobox', {name: 'State'}).selectOption({label: 'Held'});
      await page.waitForURL(/state=held/);
      await page.reload();
      await page.getByRole('button', {name: /Held/}).first().waitFor();
      await page.getByRole('button', {name: 'Clear filters'}).click();
      await page.locator('[data-delivery]').nth(5).waitFor();
      await expectSoon(() => new URL(page.url()).search).toBe('');
    });
  }

  test('a delivery that is opened is a waterfall of its attempts; what a receiver says is text', async () => {
    const [delivery] = await deliveriesOf(stage.workspace, ill);
    await writeAttempts(delivery?.id);
    await visit.go(`/webhooks/${ill.id}?delivery=${delivery?.id}`);
    const opened = page.locator(`[data-delivery="${delivery?.id}"]`);
    await opened
      .getByRole('button', {
        name: /^Attempt 1 .*timed out after 15 s.*Name 3 ms, Connect 12 ms, TLS 28 ms, Wait 15 s/,
      })
      .waitFor();
    await opened.getByText('5 s later').waitFor();
    await opened.getByText('5 min later').waitFor();
    // The last one is open.
    await opened.getByText('POST https://hooks.example.com/standups?kind=all').waitFor();
    await opened.getByText(hostile.slice(0, 28)).waitFor();
    await expectSoon(() => page.locator('img').count()).toBe(0);
    await look(visit, 'webhook-delivery', {full: true});
    const event = opened.getByRole('link', {name: 'Open the event'});
    await expectSoon(() => event.getAttribute('href')).toBe(`/app/events?event=${delivery?.event_id}`);
    await opened.getByRole('button', {name: /^Attempt 2/}).click();
    await opened.getByText('Not kept any more').waitFor();
  });

  test('deliveries change on the page as they happen, without a reload', async () => {
    await visit.go(`/webhooks/${well.id}`);
    await page.getByText(/^All is well: /).waitFor();
    await page.locator('[data-delivery]').nth(5).waitFor();
    await expectSoon(() => page.locator('[data-delivery]').count()).toBe(6);
    await postStandups(stage.workspace, 1);
    await page.locator('[data-delivery]').nth(6).waitFor();
    await expectInnocent(visit);
  });

  if (deep) {
    test('500 deliveries are drawn without a task of more than 100 ms', async () => {
      const {store} = stage.service.core;
      const about = drawnPart(stage.workspace.team);
      const events = Array.from({length: 100}, () => ({type: 'team.deleted', about, revision: 1}) as const);
      const commit = {guards: [], writes: [], events, reply: {kind: 'empty'}} as const;
      const many: Json = await addWebhook(stage.workspace, receiver, {
        description: 'Many',
        events: ['team.deleted'],
      });
      await redis('HSET', keys().webhookState(many.drawn), 'off', '1');
      for (let i = 0; i < 5; i += 1) {
        const outcome = await store.commits.run({workspace: stage.workspace.id, deadline: soon()}, commit);
        if (outcome.kind !== 'committed') throw new Error(outcome.kind);
        const made = events.map((_, n) => {
          const sequence = outcome.sequence - n;
          const drawn = sequencedPart(about, sequence);
          return store.deliveries.make(stage.workspace.id, {webhook: many.drawn, drawn, sequence}, soon());
        });
        await Promise.all(made);
      }
      await visit.go(`/webhooks/${many.id}`);
      const rows = page.locator('[data-delivery]');
      await rows.nth(99).waitFor({state: 'attached'});
      await page.evaluate(`globalThis.longest = 0;
      new PerformanceObserver((list) => {
        for (const {duration} of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
      }).observe({type: 'longtask'});`);
      for (let shown = 200; shown <= 500; shown += 100) {
        await page.getByRole('button', {name: 'Show more', exact: true}).last().click();
        await rows.nth(shown - 1).waitFor({state: 'attached'});
      }
      const longest = await page.evaluate<number>('globalThis.longest');
      // Times are those of an idle machine; the cores of a test run are shared.
      const slower = 2 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
      expect(longest).toBeLessThanOrEqual(100 * slower);
    });
  }
});
