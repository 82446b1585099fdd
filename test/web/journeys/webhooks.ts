import type {Json} from '../../support/service.js';
import {until} from '../../support/until.js';
import type {Journey, Twin} from './journey.js';

/** Creates a webhook with one successful delivery. */
async function makeDelivery({ask}: Twin, url: string): Promise<{webhook: Json; delivery: Json}> {
  const webhook = await ask('POST', '/v1/webhooks', {
    url,
    description: 'Payroll',
    events: ['webhook.failing'],
  });
  const {id} = await ask('POST', `/v1/webhooks/${webhook.id}/test`);
  const delivery = await until(async () => {
    const found = await ask('GET', `/v1/deliveries/${id}`);
    return found.state === 'succeeded' ? found : undefined;
  });
  return {webhook, delivery};
}

export const webhooksJourney: Journey = [
  [
    'a webhook, a delivery of it and its attempts that are checked',
    async ({page, ...tab}, world) => {
      const {url} = await world.receiver();
      const {webhook, delivery} = await world.prepare((twin) => makeDelivery(twin, url));
      await tab.go('/webhooks');
      await page.getByRole('link', {name: 'Payroll'}).click();
      await page.getByRole('button', {name: /^Delivered webhook\.test/}).click();
      await page.getByRole('button', {name: /^Attempt 1/}).waitFor();
      // This filter excludes the delivery, so the page reads it separately.
      await tab.go(`/webhooks/${webhook.id}?state=exhausted&delivery=${delivery.id}`);
      await page.getByRole('button', {name: /^Attempt 1/}).waitFor();
    },
  ],
];
