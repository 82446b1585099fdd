import {z} from 'zod';
import {attemptErrors} from '../../domain/webhooks/attempt.js';
import {breakerStates, healthHours} from '../../domain/webhooks/webhook-health.js';
import {id, instant} from '../../domain/core/schemas.js';
import {mostWaiting} from '../http/shared-schemas.js';

const count = z.int().min(0);
const milliseconds = z.int().min(0).nullable();

export const webhookHealthSchema = z
  .object({
    object: z.literal('webhook_health'),
    webhook_id: id('webhook'),
    enabled: z
      .boolean()
      .meta({description: 'Whether it is enabled. False: nothing is sent, and waiting deliveries are held.'}),
    attempts: z
      .object({
        succeeded: count,
        failed: count,
        success_rate: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .meta({description: 'The share of attempts that succeeded. Null if there were none.'}),
        p50_ms: milliseconds.meta({description: 'The median duration of the attempts, to about 10 %.'}),
        p95_ms: milliseconds.meta({
          description: 'The 95th percentile of the duration of the attempts, to about 10 %.',
        }),
      })
      .meta({
        description:
          'The attempts of the current hour and the 24 before it. Attempts that failed because of the service, or that the receiver ended (410, `webhook-delivery`), are not counted.',
      }),
    hours: z
      .array(
        z.object({
          at: instant.meta({description: 'When the hour begins.'}),
          succeeded: count,
          failed: count,
          errors: z.partialRecord(z.enum(attemptErrors), count).meta({
            description: 'The number of failed attempts by error. Errors without attempts are left out.',
          }),
          p50_ms: milliseconds,
          p95_ms: milliseconds,
        }),
      )
      .length(healthHours)
      .meta({
        description: `The same numbers for each hour in UTC, the oldest first: ${healthHours} hours, of which the last is the current one.`,
      }),
    last_attempt: z
      .object({
        at: instant.meta({description: 'When the end of the attempt was recorded.'}),
        error: z
          .enum(attemptErrors)
          .nullable()
          .meta({description: 'The error. Null if the attempt succeeded.'}),
        status: z.int().nullable().meta({description: 'The HTTP status. Null without a response.'}),
      })
      .nullable()
      .meta({
        description:
          'The last counted attempt. Null if there was none since the webhook was created, enabled, or got another `url`.',
      }),
    backlog: z.object({
      pending: count.meta({
        description:
          'The number of waiting deliveries. They wait for their next attempt, for another delivery of their team, or for a probe. Deliveries of replays are included.',
      }),
      in_flight: count.meta({description: 'The number of deliveries with an attempt under way.'}),
      behind: count.meta({
        description: `The number of events waiting in the log because ${mostWaiting} deliveries already wait. Events of all types are counted. They are queued automatically, in order, as deliveries are sent. 0 if the webhook has not fallen behind.`,
      }),
      oldest_age_ms: milliseconds.meta({
        description:
          'The age of the event of the oldest unfinished delivery, without replays. Null if there is none. If more than 200 wait, it is the oldest of the 100 due first and the 100 delayed longest.',
      }),
      next_attempt_at: instant.nullable().meta({
        description: 'When the next attempt is due. Null if none waits, or the webhook is disabled.',
      }),
    }),
    breaker: z
      .object({
        state: z.enum(breakerStates),
        opened_at: instant
          .nullable()
          .meta({description: 'When the breaker opened. Null while the breaker is `closed`.'}),
        next_probe_at: instant.nullable().meta({
          description: 'When the next probe is sent. Null unless the breaker is `open`.',
        }),
      })
      .meta({
        description:
          'The breaker is `open` after 5 failures in a row, or when half of the last 20 attempts have failed: deliveries wait without losing attempts, and single requests are sent as probes. After a successful probe the breaker is `recovering`: a few deliveries are sent at a time. Then the breaker is `closed`.',
      }),
    failing_since: instant.nullable().meta({
      description:
        'When the first attempt failed after the last success. Null while attempts succeed. After 5 days, and 10 attempts or more, the webhook is disabled.',
    }),
    consecutive_failures: count.meta({description: 'The number of failed attempts since the last success.'}),
    same_failures: count.meta({
      description: 'How many of these failures in a row, back from the last, have the same error and status.',
    }),
    missed: z.object({events: count, since: instant.nullable()}).meta({
      description:
        'The number of events that expired from the log before there was room for them. They can no longer be sent.',
    }),
  })
  .meta({id: 'WebhookHealth', description: 'The health of a webhook. It changes too often for an `ETag`.'});
