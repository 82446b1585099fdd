import type {Examples} from './example.js';
import {exampleIds} from './ids.js';

export const webhookHealthExamples: Examples = {
  getWebhookHealth: {
    answer: {
      object: 'webhook_health',
      webhook_id: exampleIds.webhook,
      enabled: true,
      attempts: {succeeded: 1_494, failed: 6, success_rate: 0.996, p50_ms: 81, p95_ms: 241},
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
      missed: {events: 0, since: null},
    },
  },
};
