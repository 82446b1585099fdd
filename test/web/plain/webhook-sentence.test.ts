import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {WebhookHealth} from '../../../web/api/schema.ts';
import {formatWhen} from '../../../web/parts/deliveries/durations.ts';
import {describeHealth, findHealthState} from '../../../web/webhooks/sentence.ts';
import {loadTexts} from '../../../web/texts/texts.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

const now = Date.parse('2026-11-23T10:00:00.000Z');
const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
const time = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit'}).format(
  Date.parse(at(-3_600)),
);

const blank: WebhookHealth = {
  object: 'webhook_health',
  webhook_id: 'whk_01h455vb4pex5vsknk084sn02q',
  enabled: true,
  attempts: {succeeded: 0, failed: 0, success_rate: null, p50_ms: null, p95_ms: null},
  hours: [],
  last_attempt: null,
  backlog: {pending: 0, in_flight: 0, behind: 0, oldest_age_ms: null, next_attempt_at: null},
  breaker: {state: 'closed', opened_at: null, next_probe_at: null},
  failing_since: null,
  consecutive_failures: 0,
  same_failures: 0,
  missed: {events: 0, since: null},
};
const worked = {succeeded: 1_494, failed: 6, success_rate: 0.996, p50_ms: 81, p95_ms: 241};
const timeout = {at: at(-30), error: 'timeout', status: null} as const;
const failing = {
  failing_since: at(-3_600),
  consecutive_failures: 14,
  same_failures: 14,
  last_attempt: timeout,
};
const waits = (pending: number, next: number | null) => ({
  ...blank.backlog,
  pending,
  oldest_age_ms: 3_600_000,
  next_attempt_at: next === null ? null : at(next),
});
const open = {state: 'open', opened_at: at(-3_590), next_probe_at: at(40)} as const;
const on = {enabled: true, disabled_reason: null, disabled_at: null};
const off = (disabled_reason: string) => ({enabled: false, disabled_reason, disabled_at: at(-3_600)});

let browser: FakeBrowser;
beforeAll(() => {
  browser = createFakeBrowser();
});
afterAll(() => browser.close());

const say = (health: Partial<WebhookHealth>, webhook: Parameters<typeof describeHealth>[0] = on) =>
  describeHealth(webhook, {...blank, ...health}, now);

describe('the sentence on the state of a webhook', () => {
  beforeAll(async () => {
    await browser.speak('en-GB');
    await loadTexts('leading');
  });

  it.each<[string, string, Partial<WebhookHealth>, string]>([
    [
      'failing behind an open breaker',
      'failing',
      {...failing, breaker: open, backlog: waits(212, 40)},
      `Failing since ${time}: the last 14 attempts timed out. 212 deliveries waiting; next probe in 40 s.`,
    ],
    [
      'failing for the first time',
      'failing',
      {
        ...failing,
        consecutive_failures: 1,
        same_failures: 1,
        last_attempt: {at: at(-3), error: 'status', status: 503},
        backlog: waits(1, 5),
      },
      `Failing since ${time}: the last attempt was answered 503. 1 delivery waiting; next attempt in 5 s.`,
    ],
    [
      'failing, with a retry in a while',
      'failing',
      {...failing, backlog: waits(21, 7_200)},
      `Failing since ${time}: the last 14 attempts timed out. 21 deliveries waiting until ${formatWhen(at(7_200), now)}.`,
    ],
    [
      'failing in more than one way',
      'failing',
      {
        ...failing,
        same_failures: 3,
        last_attempt: {at: at(-3), error: 'connection_failed', status: null},
        breaker: {...open, next_probe_at: at(-1)},
      },
      `Failing since ${time}: the last 14 attempts failed, the last 3 could not connect. Next probe now.`,
    ],
    [
      'failing since before that was recorded',
      'failing',
      {...failing, last_attempt: null, same_failures: 0},
      `Failing since ${time}: the last 14 attempts failed.`,
    ],
    [
      'failing by an error that is new',
      'failing',
      {...failing, last_attempt: {at: at(-3), error: 'melted' as 'timeout', status: null}},
      `Failing since ${time}: the last 14 attempts failed.`,
    ],
    [
      'paused though one delivery succeeded lately',
      'failing',
      {breaker: {...open, opened_at: at(-3_600)}, last_attempt: {...timeout, error: null, status: 204}},
      `On hold since ${time} because too many attempts failed. Next probe in 40 s.`,
    ],
    [
      'recovering',
      'recovering',
      {
        breaker: {state: 'recovering', opened_at: at(-3_600), next_probe_at: null},
        backlog: waits(211, 0),
        last_attempt: {...timeout, error: null, status: 204},
      },
      `Recovering: the receiver answers again. Deliveries were on hold since ${time}. 211 deliveries waiting, sent a few at a time.`,
    ],
    [
      'healthy',
      'well',
      {attempts: worked, last_attempt: {...timeout, error: null, status: 204}},
      'Healthy: 1,500 attempts in the last day, 99.6% succeeded, median 81 ms.',
    ],
    [
      'healthy, with a few failures',
      'well',
      {attempts: {...worked, success_rate: 0.99999}, last_attempt: {...timeout, error: null, status: 204}},
      'Healthy: 1,500 attempts in the last day, 99.9% succeeded, median 81 ms.',
    ],
    [
      'healthy again',
      'well',
      {attempts: {...worked, failed: 300, success_rate: 0.83}},
      'Healthy again: the last attempt succeeded. 300 of 1,794 attempts failed in the last day.',
    ],
    [
      'slow',
      'slow',
      {attempts: {...worked, p50_ms: 6_200, p95_ms: 14_000}},
      'Slow: median 6.2 s, 95th percentile 14 s in the last day. An attempt fails after 15 s.',
    ],
    [
      'busy',
      'waiting',
      {attempts: worked, backlog: waits(1_200, 0)},
      'Busy: 1,200 deliveries waiting, the oldest for 1 h.',
    ],
    [
      'behind, with events lost',
      'waiting',
      {
        attempts: worked,
        backlog: {...waits(10_000, 0), behind: 5_000},
        missed: {events: 1, since: at(-3_600)},
      },
      'Busy: 10,000 deliveries waiting, the oldest for 1 h. 5,000 events still to be checked. This happens automatically. 1 event was removed from the log before there was room to queue them.',
    ],
    ['never used', 'unused', {}, 'Nothing sent yet. The next matching event is sent within seconds.'],
    [
      'quiet',
      'quiet',
      {last_attempt: {at: at(-3_600), error: null, status: 200}},
      `Nothing sent in the last day. The last attempt, ${time}, succeeded.`,
    ],
  ])('is right when the webhook is %s', (_, healthState, health, sentence) => {
    expect(findHealthState(on, {...blank, ...health})).toBe(healthState);
    expect(say(health)).toBe(sentence);
  });

  it.each([
    ['user', 'someone switched it off'],
    ['gone', 'the receiver answered that it wants no more events'],
    ['failing', 'every attempt failed for five days'],
    ['melted', 'someone switched it off'],
  ])('is right when the webhook is disabled as %s', (reason, why) => {
    expect(findHealthState(off(reason), blank)).toBe('disabled');
    expect(say({backlog: waits(12, null)}, off(reason))).toBe(
      `Disabled since ${time}: ${why}. 12 deliveries waiting until the webhook is enabled.`,
    );
    expect(say({}, off(reason))).toBe(`Disabled since ${time}: ${why}.`);
  });

  it('includes the day of a time on another day', () => {
    expect(say({...failing, failing_since: at(-90_000)})).toMatch(/^Failing since 22 Nov, \d\d:\d\d: /);
  });

  it('exists in German', async () => {
    await browser.speak('de-DE');
    expect(say({...failing, breaker: open, backlog: waits(212, 40)})).toBe(
      `Schlägt seit ${time} fehl: Die letzten 14 Versuche dauerten zu lange. 212 Zustellungen warten; nächster Probeversuch in 40 s.`,
    );
    expect(
      say({...failing, same_failures: 1, last_attempt: {...timeout, error: 'status', status: 500}}),
    ).toBe(
      `Schlägt seit ${time} fehl: Die letzten 14 Versuche sind fehlgeschlagen, der letzte wurde mit 500 beantwortet.`,
    );
  });
});
