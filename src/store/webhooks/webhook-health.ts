import {type Id, sequenceOfId, type IdSuffix} from '../../domain/core/ids.js';
import {type AttemptError, attemptErrors} from '../../domain/webhooks/attempt.js';
import {toInstant} from '../../domain/core/dates.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import {
  type BreakerState,
  healthHours,
  type HourFigures,
  type LastAttempt,
  presentHealth,
  type WebhookFigures,
  type WebhookHealth,
} from '../../domain/webhooks/webhook-health.js';
import type {RedisConnection} from '../core/connection.js';
import {readWebhookHealthScript} from '../core/compiled/lua.js';
import type {FindEvent} from './delivery-records.js';
import {workspaceKeys} from '../core/keys.js';

export type WebhookHealths = ReturnType<typeof createWebhookHealths>;

const hourMs = 3_600_000;
const stateFields = [
  'off',
  'breaker',
  'opened',
  'probe',
  'failing',
  'failed',
  'same',
  'last',
  'missed',
  'missed_at',
] as const;

type HealthReply = [number, string, (string | null)[], number[], string[], string, string[][], number];

export function createWebhookHealths(
  {run, clock}: Pick<RedisConnection, 'run' | 'clock'>,
  findEvent: FindEvent,
) {
  return {
    /** Returns the health of a webhook in at most two reads; undefined when it no longer exists. */
    async find(
      workspace: Id<'workspace'>,
      webhook: IdSuffix<'webhook'>,
      deadline: number,
    ): Promise<WebhookHealth | undefined> {
      const keys = workspaceKeys(workspace);
      const hour = Math.floor(clock.now() / hourMs);
      const reply = await run<HealthReply | null>(
        deadline,
        readWebhookHealthScript,
        [
          keys.record(webhook),
          keys.webhookState(webhook),
          keys.pending(webhook),
          keys.inflight(webhook),
          keys.replays(webhook),
          keys.replaying(webhook),
          keys.waiting(webhook),
          keys.head(),
          ...Array.from({length: healthHours}, (_, i) => keys.health(webhook, hour - i)),
        ],
        [webhook, ...stateFields],
      );
      if (reply === null) return undefined;
      const oldest = reply[5];
      const event = oldest === '' ? undefined : await findEvent(workspace, sequenceOfId(oldest), deadline);
      const {id} = JSON.parse(reply[1]) as Webhook;
      return presentHealth(id, parseWebhookFigures(reply, hour, event?.at));
    },
  };
}

function parseWebhookFigures(
  [now, , state, sizes, first, , counted, behind]: HealthReply,
  newest: number,
  oldestAt: number | undefined,
): WebhookFigures {
  const kept = new Map(stateFields.map((field, i) => [field, state[i] ?? undefined]));
  const ms = (field: (typeof stateFields)[number]) => parseNumberOrUndefined(kept.get(field));
  const [pending = 0, inflight = 0, replays = 0, replaying = 0, waiting = 0] = sizes;
  const due = first.filter((score) => score !== '').map(Number);
  return {
    now,
    enabled: kept.get('off') === undefined,
    pending: pending + replays + waiting,
    inFlight: inflight + replaying,
    behind,
    oldestAt,
    dueAt: due.length === 0 ? undefined : Math.min(...due),
    breaker: parseBreakerState(kept.get('breaker')),
    openedAt: ms('opened'),
    probeAt: ms('probe'),
    failingAt: ms('failing'),
    failures: ms('failed') ?? 0,
    sameFailures: ms('same') ?? 0,
    last: parseLastAttempt(kept.get('last') ?? ''),
    missed: ms('missed') ?? 0,
    missedAt: ms('missed_at'),
    hours: new Map(counted.map((flat, i) => [newest - i, parseHourFigures(flat)])),
  };
}

/** Converts the counts of an hour, with the fields that record-results.lua writes. */
function parseHourFigures(flat: readonly string[]): HourFigures {
  const counts = new Map<string, number>();
  for (let i = 0; i < flat.length; i += 2) counts.set(flat[i] ?? '', Number(flat[i + 1]));
  const durations = new Map(
    [...counts].flatMap(([field, count]) => (/^\d+$/.test(field) ? [[Number(field), count]] : [])),
  );
  const failed = counts.get('bad') ?? 0;
  return {
    succeeded: Math.max(
      0,
      [...durations.values()].reduce((sum, count) => sum + count, -failed),
    ),
    failed,
    errors: Object.fromEntries(
      attemptErrors.flatMap((error) => (counts.has(error) ? [[error, counts.get(error)]] : [])),
    ),
    durations,
  };
}

/** Parses the last attempt: `<ms>:<error>:<status>`. */
function parseLastAttempt(kept: string): LastAttempt | undefined {
  const [, at, error = '', status = ''] = /^(\d+):(\w*):(\d*)$/.exec(kept) ?? [];
  if (at === undefined) return undefined;
  return {
    at: toInstant(Number(at)),
    error: error === '' ? null : (error as AttemptError),
    status: status === '' ? null : Number(status),
  };
}

/** Parses the state of the circuit breaker, which is stored as `open`, `ramp` or nothing. */
function parseBreakerState(kept: string | null | undefined): BreakerState {
  if (kept === 'open') return 'open';
  return kept === 'ramp' ? 'recovering' : 'closed';
}

function parseNumberOrUndefined(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
