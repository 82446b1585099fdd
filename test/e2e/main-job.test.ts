// test/e2e/: the whole service with real parts.
// Not here: single layers, which have their own folders.
import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {startReceiver, verifyWebhook} from '../support/receiver.js';
import {startService, type TestService} from '../support/service.js';
import {until} from '../support/until.js';

let service: TestService;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeEach(async () => {
  service = await startService();
  receiver = await startReceiver();
});

afterEach(async () => {
  await service.close();
  await receiver.close();
});

it('a standup posted by API reaches a webhook once, signed, byte for byte as in the feed', async () => {
  const workspace = await service.addWorkspace();
  const made = await workspace.request('POST', '/v1/webhooks', {
    body: {url: receiver.url, events: ['standup.*']},
  });
  expect(made.status).toBe(201);

  const posted = await workspace.request('POST', '/v1/standups', {
    body: {team: 'platform', update: 'Shipped it.'},
  });
  expect(posted.status).toBe(201);

  await receiver.waitFor(1, 5_000);
  const [delivery] = receiver.received;
  if (delivery === undefined) throw new Error('nothing came');
  const event = verifyWebhook(delivery, made.body.secret) as {type: string; data: unknown};
  expect(event.type).toBe('standup.created');
  // The whole answer, except its position in Slack and its thread, which are no part of a revision.
  const thread = {comments: 0, last_comment_at: null, reactions: []};
  expect({...(event.data as object), slack: null, thread}).toEqual(posted.body);

  const feed = await workspace.request('GET', '/v1/events');
  expect(feed.text).toContain(delivery.body.toString());

  const deliveries = await until(
    async () => {
      const {body} = await workspace.request('GET', `/v1/webhooks/${made.body.id}/deliveries`);
      return body.data[0]?.state === 'succeeded' ? body.data : undefined;
    },
    {what: 'the delivery succeeded'},
  );
  expect(deliveries).toHaveLength(1);
  expect(deliveries[0]).toMatchObject({attempts: 1, event_type: 'standup.created', webhook_id: made.body.id});
  expect(receiver.received).toHaveLength(1);
});
