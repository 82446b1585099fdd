import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

const attempt = {
  id: exampleIds.attempt,
  object: 'attempt',
  number: 2,
  at: '2026-11-23T09:00:05.342Z',
  duration_ms: 87,
  dns_ms: 2,
  tcp_ms: 9,
  tls_ms: 20,
  connect_ms: 31,
  first_byte_ms: 85,
  remote_address: '203.0.113.7',
  status: 204,
  error: null,
  probe: false,
};

const exchange = {
  request: {
    method: 'POST',
    url: 'https://hooks.example.com/standups',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'team-standup-service/0.1.0',
      'standup-delivery': exampleIds.delivery,
      'standup-attempt': '2',
      'standup-sequence': '12',
      'webhook-id': exampleIds.event,
      'webhook-timestamp': '1795424405',
      'webhook-signature': '[hidden]',
      authorization: '[hidden]',
    },
  },
  response: {headers: {date: 'Mon, 23 Nov 2026 09:00:05 GMT'}, body: null},
};

const delivery = {
  id: exampleIds.delivery,
  object: 'delivery',
  webhook_id: exampleIds.webhook,
  event_id: exampleIds.event,
  event_type: 'standup.created',
  state: 'succeeded',
  attempts: 2,
  next_attempt_at: null,
  last_attempt: attempt,
  replay_id: null,
  created_at: '2026-11-23T09:00:00.000Z',
  updated_at: '2026-11-23T09:00:05.342Z',
};

export const deliveryExamples: Examples = {
  testWebhook: {
    answer: {
      ...delivery,
      event_type: 'webhook.test',
      state: 'pending',
      attempts: 0,
      next_attempt_at: delivery.created_at,
      last_attempt: null,
      updated_at: delivery.created_at,
    },
  },
  listDeliveries: {
    query: {
      state: 'succeeded',
      event_type: 'standup.created',
      since: '2026-11-23T08:00:00Z',
      until: '2026-11-23T10:00:00Z',
      limit: '10',
    },
    answer: lastPage(delivery),
  },
  listEventDeliveries: {query: {limit: '10'}, answer: lastPage(delivery)},
  getDelivery: {answer: delivery},
  listAttempts: {query: {limit: '10'}, answer: lastPage({...attempt, ...exchange})},
  redeliver: {answer: {...delivery, state: 'pending', next_attempt_at: '2026-11-23T10:30:00.000Z'}},
};
