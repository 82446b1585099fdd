import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {Page} from 'playwright-core';
import {suffixOf} from '../../src/domain/core/ids.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import type {Person} from '../api/people.js';
import {postStandups} from '../jobs/stage.js';
import {expectEventually} from '../support/expect-eventually.js';
import {type Receiver, startReceiver, verifyWebhook} from '../support/receiver.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let tab: Tab;
let page: Page;
let receiver: Receiver;
/** The webhook of all tests but the first, and its secret. */
let id: string;
let secret: string;

beforeAll(async () => {
  [stage, receiver] = await Promise.all([openDashboard(), startReceiver()]);
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'admin'});
  tab = await stage.signIn(ada, {path: '/webhooks'});
  ({page} = tab);
});

afterAll(async () => {
  await stage.close();
  await receiver.close();
});

const ask = (method: string, path: string, body?: unknown) => stage.workspace.request(method, path, {body});
const read = async (): Promise<Json> => (await ask('GET', `/v1/webhooks/${id}`)).body;
const listAll = async (): Promise<Json[]> => (await ask('GET', '/v1/webhooks?limit=100')).body.data;
const dialog = () => page.getByRole('dialog');
const says = (text: string | RegExp) => dialog().getByText(text).waitFor();
const openSettings = () => page.getByRole('heading', {name: 'Settings'}).click();
const press = (name: string) => page.getByRole('button', {name, exact: true}).click();

test('regression: a refused webhook shows the error at the field and survives a reload, and its header values are never stored or listed', async () => {
  await press('Add webhook');
  await page.getByLabel('Address').fill('http://10.1.2.3/hooks');
  await page.getByLabel('Selected events').first().check({force: true});
  await page.getByRole('checkbox', {name: 'Standups', exact: true}).check({force: true});
  await page.getByText('More settings').click();
  await press('Add header');
  await dialog().getByLabel('Name', {exact: true}).last().fill('authorization');
  await dialog().getByLabel('Value').fill('Bearer of-the-receiver');
  await dialog().getByRole('button', {name: 'Add', exact: true}).click();
  const address = page.getByLabel('Address');
  await until(async () => (await address.getAttribute('aria-invalid')) === 'true', {what: 'it is marked'});
  await expectEventually(() => page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain(
    'of-the-receiver',
  );
  await page.keyboard.press('Escape');
  await dialog().waitFor({state: 'detached'});
  await page.keyboard.press('~');
  await dialog().getByText('/v1/webhooks', {exact: true}).first().waitFor();
  const seen = await dialog().textContent();
  expect(seen).toContain('"authorization"');
  expect(seen).not.toContain('of-the-receiver');
  await page.reload();
  await press('Add webhook');
  await expectEventually(() => page.getByLabel('Address').inputValue()).toBe('http://10.1.2.3/hooks');
  await dialog().getByRole('button', {name: 'Add', exact: true}).click();
  await page.getByText('Enter a name and a value, or remove this header.').waitFor();
  await press('Discard');
  expect(await listAll()).toEqual([]);
  await expectInnocent(tab, {refusals: [422]});
});

describe('a webhook’s page', () => {
  beforeAll(async () => {
    const body = {url: receiver.url, description: 'The wiki', events: ['*']};
    ({id, secret} = (await ask('POST', '/v1/webhooks', body)).body);
    await tab.go(`/webhooks/${id}`);
  });

  test('shows the result of a test as it happens', async () => {
    await press('Send test');
    await says(/Delivered: answered 204 in/);
    const [sent] = await receiver.waitFor(1);
    if (sent === undefined) throw new Error('Nothing was sent.');
    expect(verifyWebhook(sent, secret)).toMatchObject({type: 'webhook.test'});
    receiver.respondWith(500);
    await dialog().getByRole('button', {name: 'Send another test'}).click();
    await says(/Failed: answered 500/);
    await says(/Next attempt/);
    receiver.respondWith(204);
    await dialog().getByRole('button', {name: 'Close', exact: true}).last().click();
  });

  test('explains the effect of switching the webhook off and on again', async () => {
    await press('Switch off');
    await page.getByText('Switched off. Waiting deliveries are kept.').waitFor();
    expect(await read()).toMatchObject({enabled: false, disabled_reason: 'user'});
    await press('Send test');
    await says('Switch it on to test it');
    await dialog().getByRole('button', {name: 'Close', exact: true}).last().click();
    await press('Switch on');
    await page.getByText('Switched on. Waiting deliveries are sent now.').waitFor();
    expect((await read()).enabled).toBe(true);
    await expectInnocent(tab, {refusals: [422, 409]});
  });

  test('shows settings that another member has changed beside the typed settings, and loses neither', async () => {
    await openSettings();
    await page.getByRole('textbox', {name: /^Name/}).fill('The wiki, and more');
    await page.getByRole('textbox', {name: 'Parallel requests'}).fill('4');
    await page.keyboard.press('Tab');
    // This browser does not get the other change.
    await page.route('**/v1/webhooks/*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await ask('PATCH', `/v1/webhooks/${id}`, {description: 'The other wiki', ordering: 'per_team'});
    await page.unroute('**/v1/webhooks/*');
    await press('Save');
    const both = page.getByRole('alert').filter({hasText: 'Someone else changed this webhook'});
    await both.waitFor();
    const cells = await both.getByRole('row').allInnerTexts();
    expect(cells.map((row) => row.split('\t'))).toEqual([
      ['Setting', 'Yours', 'Theirs'],
      ['Name', 'The wiki, and more', 'The other wiki'],
      ['Order', 'not changed by you', 'In order, per team'],
    ]);
    await look(tab, 'webhook-conflict');
    await both.getByRole('button', {name: 'Keep mine and merge theirs'}).click();
    await press('Save');
    await page.getByText('Webhook saved').waitFor();
    expect(await read()).toMatchObject({
      description: 'The wiki, and more',
      concurrency: 4,
      ordering: 'per_team',
    });
    await expectInnocent(tab, {refusals: [412, 409, 422], errors: /ERR_FAILED/});
  });

  test('shows a refused setting at its field, also after a reload', async () => {
    await page.getByLabel('Custom schedule').check({force: true});
    const waits = page.getByLabel('Wait before each retry');
    await waits.fill('10 s, soon');
    await press('Save');
    await page.getByText('“soon” is not a duration').waitFor();
    await page.reload();
    await waits.waitFor();
    await expectEventually(() => waits.inputValue()).toBe('10 s, soon');
    await waits.fill('10 s, 48 h');
    await press('Save');
    await until(async () => (await waits.getAttribute('aria-invalid')) === 'true', {what: 'it is marked'});
    await waits.fill('10 s, 5 min');
    await press('Save');
    await page.getByText('Webhook saved').waitFor();
    expect((await read()).retry_schedule).toEqual([10, 300]);
  });

  test('shows a new secret once, and the old secret stays valid until the shown time', async () => {
    await press('More actions');
    await page.getByRole('menuitem', {name: 'Replace secret'}).click();
    await press('Replace secret');
    const next = await page.getByText(/^whsec_/).innerText();
    await look(tab, 'webhook-secret');
    expect(next).not.toBe(secret);
    await page.getByText(/Both secrets are valid until/).waitFor();
    await press('Done');
    expect(await page.content()).not.toContain('whsec_');
    const before = receiver.received.length;
    await press('Send test');
    await says(/Delivered: /);
    const sent = (await receiver.waitFor(before + 1)).at(-1);
    if (sent === undefined) throw new Error('Nothing was sent.');
    for (const one of [secret, next]) expect(verifyWebhook(sent, one)).toMatchObject({type: 'webhook.test'});
    await page.keyboard.press('Escape');
  });
});

test('a failed delivery can be sent again, and the page shows the result at once', async () => {
  receiver.respondWith(410);
  await ask('PATCH', `/v1/webhooks/${id}`, {retry_schedule: []});
  const {body: tested} = await ask('POST', `/v1/webhooks/${id}/test`, {});
  const attempts = async () => (await ask('GET', `/v1/deliveries/${tested.id}`)).body.attempts;
  await until(async () => (await attempts()) === 1, {what: 'it is answered 410'});
  receiver.respondWith(204);
  // A 410 disables the webhook.
  await tab.go(`/webhooks/${id}?delivery=${tested.id}`);
  const again = page.getByRole('button', {name: 'Resend', exact: true});
  await again.click();
  await page.getByText('Switch it on to resend').waitFor();
  await press('Switch on');
  await page.getByRole('button', {name: 'Switch off'}).waitFor();
  const before = receiver.received.length;
  await again.dblclick();
  await page.getByText(/Delivered: answered 204 in/).waitFor();
  expect(receiver.received).toHaveLength(before + 1);
});

describe('a replay', () => {
  const missed = 12;

  test('shows first how many events it would send, then sends them, and can be stopped half-way', async () => {
    await ask('PATCH', `/v1/webhooks/${id}`, {enabled: false, events: ['standup.*'], concurrency: 4});
    await postStandups(stage.workspace, missed);
    await ask('PATCH', `/v1/webhooks/${id}`, {enabled: true});
    await page.reload();
    await press('Resend events');
    await says(/None of .* to resend/);
    await dialog().getByLabel('Events never sent').check({force: true});
    await says(new RegExp(`Will resend ${missed} of \\d+ events`));
    // The receiver answers three requests, and holds the others.
    const before = receiver.received.length;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    receiver.respondWith(async () => {
      if (receiver.received.length > before + 3) await held;
      return 204;
    });
    await dialog()
      .getByRole('button', {name: `Resend ${missed} events`})
      .dblclick();
    const running = page.getByRole('group', {name: 'Resending …'});
    await expectEventually(() => page.getByText('Resending started').count()).toBeLessThan(2);
    await running.getByText(/3 delivered/).waitFor();
    await look(tab, 'webhook-replay-running');
    // Marks the replay as its job does in a full workspace.
    const [{id: begun}] = (await ask('GET', `/v1/webhooks/${id}/replays?limit=1`)).body.data;
    const key = workspaceKeys(stage.workspace.id).replay(suffixOf(begun));
    const {call} = stage.service.core.store.connection;
    await call(performance.now() + 5_000, ['HSET', key, 'waits', '1']);
    await running.getByText('The workspace is full. Resending continues when there is room.').waitFor();
    await call(performance.now() + 5_000, ['HDEL', key, 'waits']);
    await running.getByText('The workspace is full.').waitFor({state: 'detached'});
    await running.getByRole('button', {name: 'Stop'}).click();
    release();
    await running.waitFor({state: 'detached'});
    await page.locator('li').getByText('Stopped', {exact: true}).waitFor();
    const {body} = await ask('GET', `/v1/webhooks/${id}/replays?limit=100`);
    const real = body.data.filter((one: Json) => !one.dry_run);
    expect(real).toHaveLength(1);
    expect(real[0].state).toBe('cancelled');
    expect(receiver.received.length - before).toBeLessThan(missed);
    receiver.respondWith(204);
    await expectInnocent(tab, {refusals: [412, 409, 422], errors: /ERR_FAILED/});
  });

  test('sends the remaining events after a stop, and says when it is done', async () => {
    await press('Resend events');
    await dialog().getByLabel('Events never sent').check({force: true});
    await says(/Will resend \d+ of/);
    await dialog()
      .getByRole('button', {name: /Resend \d+ events?/})
      .click();
    await page.locator('li').getByText('Done', {exact: true}).waitFor();
    const ids = new Set(
      receiver.received.filter(({body}) => body.includes('standup.created')).map((one) => one.id),
    );
    expect(ids.size).toBe(missed);
  });
});

test('regression: going back to another webhook’s page shows no text typed for the first webhook', async () => {
  await ask('POST', '/v1/webhooks', {
    url: `${receiver.url}/other`,
    events: ['*'],
    description: 'Other',
  });
  const open = (name: string) => page.getByRole('link', {name}).first().click();
  const name = page.getByRole('textbox', {name: /^Name/});
  for (const wanted of ['Other', 'The wiki, and more']) {
    await page.getByRole('navigation').getByRole('link', {name: 'Webhooks'}).first().click();
    await open(wanted);
    await page.getByRole('heading', {name: wanted, level: 1}).waitFor();
  }
  await openSettings();
  await name.fill('Typed for the wiki');
  await page.evaluate('history.go(-2)');
  await page.getByRole('heading', {name: 'Other', level: 1}).waitFor();
  await openSettings();
  await expectEventually(() => name.inputValue()).toBe('Other');
  await page.evaluate('history.go(2)');
  await page.getByRole('heading', {name: 'The wiki, and more', level: 1}).waitFor();
  await expectEventually(() => name.inputValue()).toBe('Typed for the wiki');
  await press('Discard my changes');
});

test('deleting a webhook explains what is lost, and asks for the webhook’s name', async () => {
  await press('More actions');
  await page.getByRole('menuitem', {name: 'Delete'}).click();
  const confirm = page.getByRole('alertdialog');
  await confirm.getByText(/This can’t be undone/).waitFor();
  const remove = confirm.getByRole('button', {name: 'Delete webhook'});
  await expectEventually(() => remove.isDisabled()).toBe(true);
  await confirm.getByRole('textbox').fill('The wiki, and more');
  await remove.click();
  await page.getByText('Webhook deleted').waitFor();
  expect((await listAll()).map(({description}) => description)).toEqual(['Other']);
  await expectInnocent(tab, {refusals: [412, 409, 422], errors: /ERR_FAILED/});
});

test('regression: no request is made for a webhook while it is being deleted', async () => {
  const body = {url: receiver.url, description: 'Short-lived', events: ['standup.*']};
  const {body: made} = await stage.workspace.request('POST', '/v1/webhooks', {body});
  await tab.go(`/webhooks/${made.id}`);
  await page.getByText(/Nothing sent yet/).waitFor();
  await page.route(`**/v1/webhooks/${made.id}`, async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    const response = await route.fetch();
    // The answer is late: the page has already handled the event of a later change.
    const meRequest = page.waitForRequest((request) => request.url().endsWith('/v1/me'));
    await stage.workspace.request('PATCH', '/v1/workspace', {body: {name: 'Renamed'}});
    await meRequest;
    return route.fulfill({response});
  });
  await press('More actions');
  await page.getByRole('menuitem', {name: 'Delete'}).click();
  await page.getByRole('alertdialog').getByRole('textbox').fill('Short-lived');
  await page.getByRole('button', {name: 'Delete webhook'}).click();
  await page.getByText('Webhook deleted').last().waitFor();
  await expectInnocent(tab, {refusals: [412, 409, 422], errors: /ERR_FAILED/});
});
