import {z} from 'zod';
import {attemptErrors} from '../../domain/webhooks/attempt.js';
import {breakerStates, healthHours} from '../../domain/webhooks/webhook-health.js';
import {id, instant, mostWaiting} from '../http/shared-schemas.js';

const count = z.int().min(0);
const milliseconds = z.int().min(0).nullable();

export const webhookHealthSchema = z
  .object({
    object: z.literal('webhook_health'),
    webhook_id: id('webhook'),
    enabled: z.boolean().meta({description: 'False: nothing is sent, and what waits is held.'}),
    attempts: z
      .object({
        succeeded: count,
        failed: count,
        success_rate: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .meta({description: 'Share of the attempts that succeeded; null when there were none.'}),
        p50_ms: milliseconds.meta({description: 'Half of the attempts took no longer, to about 10 %.'}),
        p95_ms: milliseconds.meta({description: '95 % of the attempts took no longer, to about 10 %.'}),
      })
      .meta({
        description:
          'Of the present hour and the 24 before it. Attempts that failed by our own fault, or by which the receiver wanted no more (410, `webhook-delivery`), are not counted.',
      }),
    hours: z
      .array(
        z.object({
          at: instant.meta({description: 'When the hour begins.'}),
          succeeded: count,
          failed: count,
          errors: z
            .partialRecord(z.enum(attemptErrors), count)
            .meta({description: 'Those that failed, by their error; what did not happen is left out.'}),
          p50_ms: milliseconds,
          p95_ms: milliseconds,
        }),
      )
      .length(healthHours)
      .meta({
        description: `The same by hours of UTC, the oldest first: ${healthHours}, of which the last is the present one.`,
      }),
    last_attempt: z
      .object({
        at: instant.meta({description: 'When its end was recorded.'}),
        error: z.enum(attemptErrors).nullable().meta({description: 'Null when it succeeded.'}),
        status: z.int().nullable().meta({description: 'Null when no answer came.'}),
      })
      .nullable()
      .meta({
        description:
          'The last attempt that was counted; null when there was none since the webhook was made, enabled, or got another `url`.',
      }),
    backlog: z.object({
      pending: count.meta({
        description:
          'Deliveries that wait for whatever reason: for their time, for another of their team, for a probe; those of replays included.',
      }),
      in_flight: count.meta({description: 'Deliveries of which an attempt is under way.'}),
      behind: count.meta({
        description: `Events that wait in the log, since ${mostWaiting} deliveries wait already: how many are still to be looked at, wanted or not. They follow in order, by themselves, as deliveries go out. 0 when it has not fallen behind.`,
      }),
      oldest_age_ms: milliseconds.meta({
        description:
          'How long ago the event of the oldest unfinished delivery occurred, replays left out; null when there is none. When more than 200 wait, the oldest of the 100 due first and the 100 put off longest.',
      }),
      next_attempt_at: instant.nullable().meta({
        description: 'When the next attempt is due; null when none waits, or the webhook is disabled.',
      }),
    }),
    breaker: z
      .object({
        state: z.enum(breakerStates),
        opened_at: instant.nullable().meta({description: 'Null while it is `closed`.'}),
        next_probe_at: instant.nullable().meta({description: 'Null unless it is `open`.'}),
      })
      .meta({
        description:
          'After 5 failures in a row, or when half of the last 20 attempts have failed, it is `open`: deliveries wait without losing attempts, and one request goes out now and then as a probe. When a probe has succeeded it is `recovering`: a few at a time, until all is well (`closed`).',
      }),
    failing_since: instant.nullable().meta({
      description:
        'Since when attempts have been made and none has succeeded; null while all is well. After 5 days, and 10 attempts or more, the webhook is disabled.',
    }),
    consecutive_failures: count.meta({description: 'Attempts failed since the last one that succeeded.'}),
    same_failures: count.meta({
      description:
        'Of these, how many of the last have failed as the very last one did: by the same error and status.',
    }),
    missed: z.object({events: count, since: instant.nullable()}).meta({
      description:
        'Events that were dropped from the log, with age, before there was room for them. They cannot be sent any more.',
    }),
  })
  .meta({id: 'WebhookHealth', description: 'How a webhook is doing. It changes too often for an `ETag`.'});
