import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {Page} from 'playwright-core';
import {deliveriesOf, type JobWebhook} from '../jobs/stage.js';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json} from '../support/service.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import type {BrowserStage, Tab} from './support/stage.js';
import {addHooks, hostile, openWebhooks, type WebhooksStage, writeAttempts} from './webhooks-stage.js';

let scene: WebhooksStage;
let stage: BrowserStage;
let tab: Tab;
let page: Page;
let ill: JobWebhook;

beforeAll(async () => {
  scene = await openWebhooks();
  ({stage} = scene);
  tab = await stage.signIn(scene.ada, {path: '/webhooks'});
  ({page} = tab);
});

afterAll(() => scene.close());

const row = (name: string) => page.getByRole('listitem').filter({hasText: name});

/** Completed mutations in the page's query client, which is found from React's root. */
const changesKept = `(() => {
  const root = document.getElementById('app');
  const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$'));
  for (const open = [root[key]]; open.length > 0; ) {
    const one = open.pop();
    const {client} = one.memoizedProps ?? {};
    if (client?.getMutationCache !== undefined) {
      return JSON.stringify(client.getMutationCache().getAll().map(({state}) => state));
    }
    open.push(...[one.sibling, one.child].filter(Boolean));
  }
  throw new Error('There is no client of queries.');
})()`;

/** Presses Tab until an element with this name has the focus. */
async function tabTo(name: string | RegExp): Promise<void> {
  const current = () =>
    page.evaluate<string>(`(() => {
      const {activeElement: one} = document;
      const label = one?.getAttribute('aria-label') ?? one?.labels?.[0]?.innerText ?? one?.innerText ?? '';
      return label.trim();
    })()`);
  for (let presses = 0; presses < 60; presses += 1) {
    const at = await current();
    if (typeof name === 'string' ? at.startsWith(name) : name.test(at)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(name)}, but to ${await current()}`);
}

describe('the list of webhooks', () => {
  test('makes the first webhook by keyboard alone, only one when its button is pressed twice, and shows its secret once without storing it', async () => {
    await page.getByRole('button', {name: 'Add webhook'}).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo('Address');
    await page.keyboard.type(scene.receiver.url);
    await tabTo('Name');
    await page.keyboard.type('The first');
    await tabTo('Later');
    await page.keyboard.press('Tab');
    // Submits twice before the first request is answered.
    await page.evaluate(`(() => {
      const form = document.querySelector('[role=dialog] form');
      form.requestSubmit();
      form.requestSubmit();
    })()`);
    const shown = page.getByText(/^whsec_/);
    await shown.waitFor();
    // Escape must not close the dialog, or the secret would be lost.
    await page.keyboard.press('Escape');
    await shown.waitFor();
    const {body: list} = await stage.workspace.request('GET', '/v1/webhooks');
    const made: Json[] = list.data;
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({url: scene.receiver.url, description: 'The first', events: ['*']});
    await page.getByRole('button', {name: 'Done'}).click();
    await page.getByRole('heading', {name: 'The first', level: 1}).waitFor();
    const kept = `JSON.stringify([localStorage, sessionStorage, location.href, history.state, document.body.innerText])`;
    await expectEventually(() => page.evaluate<string>(kept)).not.toContain('whsec_');
    await expectEventually(() => page.evaluate<string>(changesKept)).not.toContain('whsec_');
    await page.reload();
    await page.getByRole('heading', {name: 'The first', level: 1}).waitFor();
    expect(await page.content()).not.toContain('whsec_');
    expect(tab.misdeeds.errors.join()).not.toContain('whsec_');
  });

  test('shows for each webhook its state, its last result and its waiting deliveries', async () => {
    ({ill} = await addHooks(scene));
    await page.getByRole('navigation').getByRole('link', {name: 'Webhooks'}).first().click();
    await row('The wiki').getByText('Healthy').waitFor();
    await row('The wiki').getByText('204, now').waitFor();
    await row('Reports <b>of</b> the week').getByText('Failing').waitFor();
    await row('Reports <b>of</b> the week')
      .getByText(/^\d deliveries$/)
      .waitFor();
    await row('Reports <b>of</b> the week').getByText('and 2 more').waitFor();
    await row('Not in use').getByText('Disabled').waitFor();
    await row('Not in use').getByText('nothing sent yet').waitFor();
    await look(tab, 'webhooks');
  });
});

describe('the page of a webhook', () => {
  test('shows its state first, then its attempts in 25 hours, and its deliveries', async () => {
    await row('Reports').getByRole('link').click();
    await page.getByRole('heading', {level: 1, name: 'Reports <b>of</b> the week'}).waitFor();
    await page
      .getByText(
        /^Failing since 11:12: the last \d attempts were answered 503\. \d deliveries waiting; next probe in \d+ (?:s|min)\.$/,
      )
      .waitFor();
    await expectEventually(() =>
      page.getByRole('list', {name: 'The last 25 hours'}).getByRole('link').count(),
    ).toBe(25);
    await page.locator('[data-delivery]').nth(5).waitFor();
  });

  test('shows an opened delivery as a waterfall of its attempts, and a receiver’s answer as plain text', async () => {
    const [delivery] = await deliveriesOf(stage.workspace, ill);
    await writeAttempts(stage, ill, delivery?.id);
    await tab.go(`/webhooks/${ill.id}?delivery=${delivery?.id}`);
    const opened = page.locator(`[data-delivery="${delivery?.id}"]`);
    await opened
      .getByRole('button', {
        name: /^Attempt 1 .*timed out after 15 s.*DNS 3 ms, Connect 12 ms, TLS 28 ms, Wait 15 s/,
      })
      .waitFor();
    await opened.getByText('5 s later').waitFor();
    await opened.getByText('5 min later').waitFor();
    // The last attempt is open.
    await opened.getByText('POST https://hooks.example.com/standups?kind=all').waitFor();
    await opened.getByText(hostile.slice(0, 28)).waitFor();
    await expectEventually(() => page.locator('img').count()).toBe(0);
    await look(tab, 'webhook-delivery', {full: true});
    const event = opened.getByRole('link', {name: 'Open the event'});
    await expectEventually(() => event.getAttribute('href')).toBe(`/app/events?event=${delivery?.event_id}`);
    await opened.getByRole('button', {name: /^Attempt 2/}).click();
    await opened.getByText('No longer available.').waitFor();
    await expectInnocent(tab);
  });
});

test('the menu marks the webhooks as long as one is failing, in the colour of missed things', async () => {
  await tab.go('/webhooks');
  const entry = page.getByRole('navigation', {name: 'Manage'}).getByRole('link', {name: /^Webhooks/});
  await entry.getByText('1 failing').waitFor({state: 'attached'});
  const [shown, missed] = await page.evaluate<[string, string]>(`(() => {
    const entry = document.querySelector('header a:has(.text-missed)');
    const plain = document.body.appendChild(document.createElement('i'));
    plain.style.color = 'var(--color-missed)';
    return [entry, plain].map((one) => getComputedStyle(one).color);
  })()`);
  expect(shown).toBe(missed);
});
