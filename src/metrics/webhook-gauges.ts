import {Gauge, type Registry} from 'prom-client';
import {limits} from '../domain/core/limits.js';
import {breakerStates, type WebhookHealth} from '../domain/webhooks/webhook-health.js';
import type {Id} from '../domain/core/ids.js';

/**
 * Shows the health of each webhook as gauges, with the same figures as `GET /v1/webhooks/{webhook}/health`.
 */
export interface WebhookGauges {
  /** Replaces all shown values by the values of these webhooks. */
  show: (webhooks: readonly {readonly workspace: Id<'workspace'>; readonly health: WebhookHealth}[]) => void;
}

type GaugeSample = readonly [labels: Readonly<Record<string, string>>, value: number | null];

interface GaugeDefinition {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Returns the samples of one gauge. A null value is left out. */
  readonly samples: (health: WebhookHealth) => readonly GaugeSample[];
}

const shown: readonly GaugeDefinition[] = [
  {
    name: 'standup_webhook_enabled',
    help: 'Whether the webhook is enabled.',
    samples: ({enabled}) => [[{}, enabled ? 1 : 0]],
  },
  {
    name: 'standup_webhook_deliveries',
    help: 'Unfinished deliveries of the webhook, waiting for whatever reason or on the wire.',
    labels: ['state'],
    samples: ({backlog}) => [
      [{state: 'pending'}, backlog.pending],
      [{state: 'inflight'}, backlog.in_flight],
    ],
  },
  {
    name: 'standup_webhook_behind_events',
    help: `Events of the log that wait until fewer than ${limits.pendingPerWebhook} deliveries do; 0 when the webhook has not fallen behind.`,
    samples: ({backlog}) => [[{}, backlog.behind]],
  },
  {
    name: 'standup_webhook_oldest_delivery_seconds',
    help: 'How long ago the event of the oldest unfinished delivery occurred, replays left out; 0 when there is none.',
    samples: ({backlog}) => [[{}, convertToSeconds(backlog.oldest_age_ms ?? 0)]],
  },
  {
    name: 'standup_webhook_next_attempt_timestamp_seconds',
    help: 'When the next attempt is due; absent when none waits or the webhook is disabled.',
    samples: ({backlog}) => [[{}, convertToTimestamp(backlog.next_attempt_at)]],
  },
  {
    name: 'standup_webhook_breaker',
    help: 'The state of the circuit breaker: 1 for the one it is in.',
    labels: ['state'],
    samples: ({breaker}) => breakerStates.map((state) => [{state}, breaker.state === state ? 1 : 0]),
  },
  {
    name: 'standup_webhook_attempts_last_day',
    help: 'Attempts of the present hour and the 24 before it, by result. No counter: it falls again.',
    labels: ['result'],
    samples: ({attempts}) => [
      [{result: 'succeeded'}, attempts.succeeded],
      [{result: 'failed'}, attempts.failed],
    ],
  },
  {
    name: 'standup_webhook_success_ratio',
    help: 'Share of those attempts that succeeded, 0 to 1; absent when there were none.',
    samples: ({attempts}) => [[{}, attempts.success_rate]],
  },
  {
    name: 'standup_webhook_attempt_duration_seconds',
    help: 'Durations of those attempts, to about 10 %; absent when there were none.',
    labels: ['quantile'],
    samples: ({attempts}) => [
      [{quantile: '0.5'}, attempts.p50_ms === null ? null : convertToSeconds(attempts.p50_ms)],
      [{quantile: '0.95'}, attempts.p95_ms === null ? null : convertToSeconds(attempts.p95_ms)],
    ],
  },
  {
    name: 'standup_webhook_consecutive_failures',
    help: 'The number of failed attempts since the last success.',
    samples: (health) => [[{}, health.consecutive_failures]],
  },
  {
    name: 'standup_webhook_failing_since_timestamp_seconds',
    help: 'Since when attempts have been made and none has succeeded; absent while all is well.',
    samples: (health) => [[{}, convertToTimestamp(health.failing_since)]],
  },
  {
    name: 'standup_webhook_missed_events',
    help: 'Events that were dropped from the log before there was room for them.',
    samples: ({missed}) => [[{}, missed.events]],
  },
];

export function createWebhookGauges(registers: Registry[]): WebhookGauges {
  const gauges = shown.map(({name, help, labels = [], samples}) => ({
    gauge: new Gauge({name, help, labelNames: ['workspace', 'webhook', ...labels], registers}),
    samples,
  }));
  return {
    show(webhooks) {
      for (const {gauge, samples} of gauges) {
        gauge.reset();
        for (const {workspace, health} of webhooks) {
          const webhookLabels = {workspace, webhook: health.webhook_id};
          for (const [labels, value] of samples(health))
            if (value !== null) gauge.set({...webhookLabels, ...labels}, value);
        }
      }
    },
  };
}

function convertToSeconds(ms: number): number {
  return ms / 1_000;
}

function convertToTimestamp(instant: string | null): number | null {
  return instant === null ? null : convertToSeconds(Date.parse(instant));
}
