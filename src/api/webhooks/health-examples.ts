import type {Examples} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';

const quiet = {succeeded: 0, failed: 0, errors: {}, p50_ms: null, p95_ms: null};
const firstHour = Date.parse('2026-11-22T09:00:00.000Z');
const hours = Array.from({length: 25}, (_, i) => ({
  at: new Date(firstHour + i * 3_600_000).toISOString(),
  ...quiet,
  ...(i === 23 && {succeeded: 1_494, failed: 1, errors: {status: 1}, p50_ms: 81, p95_ms: 241}),
  ...(i === 24 && {failed: 5, errors: {timeout: 5}, p50_ms: 15_000, p95_ms: 15_000}),
}));

export const health = {
  object: 'webhook_health',
  webhook_id: exampleIds.webhook,
  enabled: true,
  attempts: {succeeded: 1_494, failed: 6, success_rate: 0.996, p50_ms: 81, p95_ms: 241},
  hours,
  last_attempt: {at: '2026-11-23T09:03:00.000Z', error: 'timeout', status: null},
  backlog: {
    pending: 14,
    behind: 0,
    in_flight: 0,
    oldest_age_ms: 95_210,
    next_attempt_at: '2026-11-23T09:03:30.000Z',
  },
  breaker: {
    state: 'open',
    opened_at: '2026-11-23T09:03:00.000Z',
    next_probe_at: '2026-11-23T09:03:30.000Z',
  },
  failing_since: '2026-11-23T09:01:25.342Z',
  consecutive_failures: 5,
  same_failures: 5,
  missed: {events: 0, since: null},
};

const triedAt = '2026-11-23T09:03:12.480Z';

export const webhookHealthExamples: Examples = {
  getWebhookHealth: {answer: health},
  tryWebhook: {
    answer: {
      ...health,
      backlog: {...health.backlog, next_attempt_at: triedAt},
      breaker: {...health.breaker, next_probe_at: triedAt},
    },
  },
};
