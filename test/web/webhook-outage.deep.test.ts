import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {mkdirSync} from 'node:fs';
import path from 'node:path';
import type {Page} from 'playwright-core';
import {addWebhook, deliveriesOf, type JobWebhook, postStandups} from '../jobs/stage.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {evidenceFolder} from './support/evidence.js';
import {expectInnocent} from './support/innocent.js';
import {openDashboard, type BrowserStage, untilQuiet, type Tab} from './support/stage.js';

// A receiver is down for an hour of test time, as admins see it. Times are those of Berlin, the browser's
// zone.
let stage: BrowserStage;
let receiver: Receiver;
let hook: JobWebhook;
let tab: Tab;
let page: Page;

beforeAll(async () => {
  [stage, receiver] = await Promise.all([
    openDashboard({}, {at: '2031-03-12T07:58:00.000Z'}),
    startReceiver(),
  ]);
  const ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'admin'});
  // Only one attempt, so that the outage loses deliveries, which a replay must send again.
  hook = await addWebhook(stage.workspace, receiver, {description: 'The wiki', retry_schedule: []});
  await postStandups(stage.workspace, 2);
  await until(async () => (await health()).attempts.succeeded === 2);
  tab = await stage.signIn(ada, {path: `/webhooks/${hook.id}`});
  ({page} = tab);
});

afterAll(async () => {
  await stage.close();
  await receiver.close();
});

const health = async (): Promise<Json> =>
  (await stage.workspace.request('GET', `/v1/webhooks/${hook.id}/health`)).body;

/** The number of deliveries in a state. */
const count = async (wanted: string): Promise<number> =>
  (await deliveriesOf(stage.workspace, hook)).filter(({state}) => state === wanted).length;

const moveTo = (time: number | string) =>
  stage.moveTo(new Date(typeof time === 'number' ? time : `2031-03-12T${time}Z`).toISOString());

const moveToProbe = async () => moveTo(Date.parse((await health()).breaker.next_probe_at) + 1);

/** Reloads the page, waits for the sentence, and keeps a picture. */
async function says(sentence: RegExp, picture: string): Promise<void> {
  await tab.go(`/webhooks/${hook.id}`);
  await page.getByText(sentence).waitFor();
  await untilQuiet(tab);
  mkdirSync(evidenceFolder, {recursive: true});
  await page.screenshot({path: path.join(evidenceFolder, `outage-${picture}.png`)});
}

test('the webhook is shown as healthy before the outage', async () => {
  expect((await health()).attempts).toMatchObject({succeeded: 2, failed: 0});
  await says(/^Healthy: 2 attempts in the last day, 100% succeeded, median (?:<1|\d+) ms\.$/, '1-well');
});

test('five failing attempts are shown with their reason and open the circuit breaker, and later events wait', async () => {
  await moveTo('08:00:00.000');
  receiver.respondWith({status: 503, body: 'upstream is down'});
  await postStandups(stage.workspace, 5);
  await until(async () => (await health()).breaker.state === 'open');
  await postStandups(stage.workspace, 4);
  await until(async () => (await count('held')) === 4 && (await count('exhausted')) === 5);
  await says(
    /^Failing since 09:00: the last 5 attempts were answered 503\. 4 deliveries waiting; next probe in \d+ s\.$/,
    '2-failing',
  );
});

test('a failing probe doubles the wait for the next one, and loses no attempt', async () => {
  await moveToProbe();
  await until(async () => (await health()).consecutive_failures === 6);
  const {breaker} = await health();
  expect(Date.parse(breaker.next_probe_at) - Date.parse(breaker.opened_at)).toBe(60_000);
  await says(
    /the last 6 attempts were answered 503\. 4 deliveries waiting; next probe in \d+ s\.$/,
    '3-probed',
  );
});

test('an hour later the page says since when and how often attempts fail, and that the reason has changed', async () => {
  receiver.respondWith({failure: 'reset'});
  await moveToProbe();
  await until(async () => (await health()).consecutive_failures === 7);
  await moveTo('08:57:00.000');
  await until(async () => (await health()).consecutive_failures === 8);
  await says(
    /^Failing since 09:00: the last 8 attempts failed, the last 2 were cut off before the response was complete\. 4 deliveries waiting; next probe in \d+ (?:s|min)\.$/,
    '4-an-hour',
  );
});

test('“Try now” sends a probe at once: a success is shown as recovery, and waiting events arrive', async () => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const before = receiver.received.length;
  // The receiver answers the probe at once, and holds later requests.
  receiver.respondWith(async () => {
    if (receiver.received.length > before + 1) await gate;
    return 204;
  });
  await moveTo('08:58:00.000');
  await page.getByRole('button', {name: 'Try now'}).click();
  await page.getByText('Sending one delivery first. The others follow when it arrives.').waitFor();
  await until(async () => (await health()).breaker.state === 'recovering');
  await says(
    /^Recovering: the receiver answers again\. Deliveries were on hold since \d\d:\d\d\. \d deliver(?:y|ies) waiting, sent a few at a time\.$/,
    '5-recovering',
  );
  open();
  await until(
    async () => (await count('held')) + (await count('pending')) + (await count('delivering')) === 0,
  );
  expect([await count('succeeded'), await count('exhausted')]).toEqual([6, 5]);
});

test('a replay of failed deliveries sends the rest: every event has arrived, and the webhook is healthy', async () => {
  await page.getByRole('button', {name: 'Resend events'}).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Will resend 5 of \d+ events/).waitFor();
  await dialog.getByRole('button', {name: 'Resend 5 events'}).click();
  await page.getByRole('listitem').filter({hasText: 'Done'}).waitFor();
  const rows = await deliveriesOf(stage.workspace, hook);
  const events = (of: readonly Json[]) => new Set(of.map(({event_id: event}) => event)).size;
  expect([events(rows), events(rows.filter(({state}) => state === 'succeeded'))]).toEqual([11, 11]);
  await says(
    /^Healthy again: the last attempt succeeded\. 8 of 19 attempts failed in the last day\.$/,
    '6-replayed',
  );
  await page
    .getByRole('button', {name: /^Delivered standup\.created resent 1 attempt/})
    .first()
    .waitFor();
  await expectInnocent(tab);
});
