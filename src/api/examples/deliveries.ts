import {type Examples, lastPage} from './example.js';
import {exampleIds} from './ids.js';

const attempt = {
  id: exampleIds.attempt,
  object: 'attempt',
  number: 2,
  at: '2026-11-23T09:00:05.342Z',
  duration_ms: 87,
  connect_ms: 31,
  first_byte_ms: 85,
  status: 204,
  error: null,
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
    query: {state: 'succeeded', event_type: 'standup.created', limit: '10'},
    answer: lastPage(delivery),
  },
  getDelivery: {answer: delivery},
  listAttempts: {query: {limit: '10'}, answer: lastPage({...attempt, response_excerpt: null})},
  redeliver: {answer: {...delivery, state: 'pending', next_attempt_at: '2026-11-23T10:30:00.000Z'}},
};
