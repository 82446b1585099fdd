import type {Schema, WebhookHealth} from '../api/schema.ts';
import {formatAhead, formatDuration, formatWhen} from '../parts/deliveries/durations.ts';
import {describeRepeatedFailure} from '../parts/deliveries/outcomes.ts';
import {formatNumber} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';

type WebhookState = Pick<Schema<'Webhook'>, 'enabled' | 'disabled_reason' | 'disabled_at'>;

export type HealthState = keyof typeof texts.webhooks.healthStates;

/** Durations in ms from which a receiver counts as slow, and a waiting delivery as late. */
const slowMs = 5_000;
const lateMs = 60_000;
/** The sentence counts down the seconds to the next attempt if the attempt is at most this far away (ms). */
export const imminentMs = 120_000;

/** Share of successes below which the sentence mentions failures even after a recovery. */
const goodShare = 0.95;

/** Returns the webhook's state, which its mark shows. */
export function findHealthState(
  {enabled}: Pick<WebhookState, 'enabled'>,
  health: WebhookHealth,
): HealthState {
  const {attempts, backlog, breaker, failing_since: failing, last_attempt: last} = health;
  if (!enabled) return 'disabled';
  if (breaker.state === 'recovering') return 'recovering';
  if (failing !== null || breaker.state === 'open') return 'failing';
  if ((backlog.pending > 0 && (backlog.oldest_age_ms ?? 0) >= lateMs) || backlog.behind > 0) return 'waiting';
  if (attempts.succeeded + attempts.failed === 0) return last === null ? 'unused' : 'quiet';
  return (attempts.p50_ms ?? 0) >= slowMs ? 'slow' : 'well';
}

/** Describes the webhook's state, the waiting deliveries, and the next step. */
export function describeHealth(webhook: WebhookState, health: WebhookHealth, now: number): string {
  const t = texts.webhooks.said;
  const {backlog, missed} = health;
  return [
    ...describeHealthState(webhook, health, now),
    ...(backlog.behind > 0 ? [t.behind({events: backlog.behind})] : []),
    ...(missed.events > 0 ? [t.missed({events: missed.events})] : []),
  ].join(' ');
}

function describeHealthState(webhook: WebhookState, health: WebhookHealth, now: number): string[] {
  const t = texts.webhooks.said;
  const {attempts, backlog, breaker, last_attempt: last} = health;
  const {pending} = backlog;
  const waits = pending > 0 ? [t.waits({amount: pending})] : [];
  switch (findHealthState(webhook, health)) {
    case 'disabled': {
      const since = formatWhen(webhook.disabled_at ?? now, now);
      const reason = webhook.disabled_reason ?? 'user';
      const say = Object.hasOwn(t.disabled, reason)
        ? t.disabled[reason as keyof typeof t.disabled]
        : t.disabled.user;
      return [say({since}), ...(pending > 0 ? [t.held({amount: pending})] : [])];
    }
    case 'recovering':
      return [
        t.recovering({since: formatWhen(breaker.opened_at ?? now, now)}),
        t.fewAtATime({amount: pending}),
      ];
    case 'failing':
      return [describeFailing(health, now), ...describeNextStep(health, now)];
    case 'waiting':
      return pending > 0 ? [t.busy({amount: pending, age: formatDuration(backlog.oldest_age_ms ?? 0)})] : [];
    case 'unused':
      return [t.unused, ...waits];
    case 'quiet':
      return [t.quiet({last: formatWhen(last?.at ?? now, now)}), ...waits];
    case 'slow':
      return [
        t.slow({usual: formatDuration(attempts.p50_ms ?? 0), most: formatDuration(attempts.p95_ms ?? 0)}),
        ...waits,
      ];
    case 'well': {
      const count = attempts.succeeded + attempts.failed;
      const rate = attempts.success_rate ?? 1;
      if (rate < goodShare) return [t.again({attempts: count, failed: attempts.failed}), ...waits];
      const share = formatNumber(roundShareDown(rate), {style: 'percent', maximumFractionDigits: 1});
      return [t.well({attempts: count, share, usual: formatDuration(attempts.p50_ms ?? 0)}), ...waits];
    }
  }
}

/** Rounds a share down, so that only 100 % is shown as 100 %. */
function roundShareDown(share: number): number {
  return Math.floor(share * 1_000) / 1_000;
}

function describeFailing(health: WebhookHealth, now: number): string {
  const t = texts.webhooks.said;
  const {failing_since: since, consecutive_failures: all, same_failures: kept, last_attempt: last} = health;
  if (since === null) return t.opened({since: formatWhen(health.breaker.opened_at ?? now, now)});
  const how = last ?? {error: null, status: null};
  // If the kind of the last failure is unknown, count failures of all kinds together.
  const same = last === null ? all : Math.max(1, Math.min(kept, all));
  return t.failing({
    since: formatWhen(since, now),
    how:
      same === all
        ? t.failures({amount: all, how: describeRepeatedFailure(how, all === 1)})
        : t.mixedFailures({amount: all, same, how: describeRepeatedFailure(how, same === 1)}),
  });
}

function describeNextStep({backlog, breaker}: WebhookHealth, now: number): string[] {
  const t = texts.webhooks.said;
  const {pending, next_attempt_at: next} = backlog;
  if (breaker.next_probe_at !== null) {
    const probe = formatAhead(breaker.next_probe_at, now);
    return [pending > 0 ? t.waitsForProbe({amount: pending, next: probe}) : t.probe({next: probe})];
  }
  if (pending === 0) return [];
  if (next === null) return [t.waits({amount: pending})];
  const isImminent = Date.parse(next) - now < imminentMs;
  return [
    isImminent
      ? t.waitsForAttempt({amount: pending, next: formatAhead(next, now)})
      : t.waitsUntil({amount: pending, next: formatWhen(next, now)}),
  ];
}
