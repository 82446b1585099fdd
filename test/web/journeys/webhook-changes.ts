import type {Json} from '../../support/service.js';
import {until} from '../../support/until.js';
import type {Journey, Twin} from './journey.js';

const missed = 3;

/** Creates a webhook with a failed delivery and missed events. */
async function makeFailing({ask}: Twin, url: string) {
  const webhook = await ask('POST', '/v1/webhooks', {
    url,
    events: ['standup.created'],
    description: 'The archive',
    retry_schedule: [],
  });
  const path = `/v1/webhooks/${webhook.id}`;
  const delivery = await ask('POST', `${path}/test`, {});
  const failed = await until(
    async () => {
      const now = await ask('GET', `/v1/deliveries/${delivery.id}`);
      return now.state === 'exhausted' ? now : undefined;
    },
    {what: 'the test has failed'},
  );
  await ask('PATCH', path, {enabled: false});
  const standups = [];
  for (let i = 0; i < missed; i += 1) {
    standups.push(await ask('POST', '/v1/standups', {team: 'platform', update: `Missed ${i}.`}));
  }
  return {webhook: await ask('PATCH', path, {enabled: true}), failed, standups};
}

/** Creates a webhook with a delivery whose next attempt is hours away. */
async function makeWaiting({ask}: Twin, url: string) {
  const webhook = await ask('POST', '/v1/webhooks', {
    url,
    events: ['webhook.failing'],
    description: 'The ledger',
    retry_schedule: [36_000],
  });
  const {id} = await ask('POST', `/v1/webhooks/${webhook.id}/test`, {});
  const isWaiting = ({attempts, state}: Json) => attempts === 1 && state === 'retrying';
  await until(async () => isWaiting(await ask('GET', `/v1/deliveries/${id}`)), {
    what: 'the test has failed once',
  });
  return webhook;
}

export const webhookChangesJourney: Journey = [
  [
    'a webhook that is made, tested, changed and given another secret',
    async ({page, ...tab}, world) => {
      const receiver = await world.receiver();
      await tab.go('/webhooks');
      await page.getByRole('button', {name: 'Add webhook'}).click();
      const sheet = page.getByRole('dialog', {name: 'Add webhook'});
      await sheet.getByLabel('Address').fill(receiver.url);
      await sheet.getByRole('textbox', {name: /^Name/}).fill('The wiki');
      await sheet.getByRole('button', {name: 'Add', exact: true}).click();
      await page.getByRole('button', {name: 'Done'}).click();
      await page.getByRole('button', {name: 'Send test'}).click();
      await page
        .getByRole('dialog')
        .getByText(/Delivered: /)
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('heading', {name: 'Settings'}).click();
      await page.getByLabel('Selected events').first().check({force: true});
      await page.getByRole('checkbox', {name: 'Standups', exact: true}).check({force: true});
      await page.getByRole('button', {name: 'Save', exact: true}).click();
      await page.getByText('Webhook saved').waitFor();
      await page.getByRole('button', {name: 'More actions'}).click();
      await page.getByRole('menuitem', {name: 'Replace secret'}).click();
      await page.getByRole('button', {name: 'Replace secret'}).click();
      await page.getByRole('button', {name: 'Done'}).click();
    },
  ],
  [
    'a failed delivery that is sent again, and a replay that is stopped',
    async ({page, ...tab}, world) => {
      const receiver = await world.receiver();
      receiver.respondWith(500);
      const {webhook, failed} = await world.prepare((twin) => makeFailing(twin, receiver.url));
      receiver.respondWith(204);
      await tab.go(`/webhooks/${webhook.id}?delivery=${failed.id}`);
      await page.getByRole('button', {name: 'Resend', exact: true}).click();
      await page.getByText(/Delivered: /).waitFor();
      let release = (): void => undefined;
      const held = new Promise<number>((resolve) => (release = () => resolve(204)));
      receiver.respondWith(() => held);
      await page.getByRole('button', {name: 'Resend events'}).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Events never sent').check({force: true});
      await dialog.getByRole('button', {name: `Resend ${missed} events`}).click();
      await page.getByRole('button', {name: 'Stop', exact: true}).click();
      await page.getByText('Resending stopped').waitFor();
      release();
      receiver.respondWith(204);
      await page.locator('li').getByText('Stopped', {exact: true}).waitFor();
    },
  ],
  [
    'a delivery that waits for a repaired receiver, and is tried now',
    async ({page, ...tab}, world) => {
      const receiver = await world.receiver();
      receiver.respondWith(500);
      const webhook = await world.prepare((twin) => makeWaiting(twin, receiver.url));
      receiver.respondWith(204);
      await tab.go(`/webhooks/${webhook.id}`);
      await page.getByRole('button', {name: 'Try now'}).click();
      await page.getByRole('button', {name: /^Delivered webhook\.test/}).waitFor();
    },
  ],
  [
    'webhooks that are deleted',
    async ({page, ...tab}) => {
      for (const name of ['The archive', 'The wiki']) {
        await tab.go('/webhooks');
        await page.getByRole('link', {name}).click();
        await page.getByRole('button', {name: 'More actions'}).click();
        await page.getByRole('menuitem', {name: 'Delete'}).click();
        const confirm = page.getByRole('alertdialog');
        await confirm.getByRole('textbox').fill(name);
        await confirm.getByRole('button', {name: 'Delete webhook'}).click();
        await confirm.waitFor({state: 'detached'});
      }
    },
  ],
];
