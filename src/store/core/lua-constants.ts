import {alphabet} from '../../domain/core/ids.js';
import {sequencesPerDay} from '../../domain/core/lists.js';
import {deadlines, lifetimes, limits} from '../../domain/core/limits.js';
import {workName, workPrefixes} from '../../domain/core/work.js';
import {browserRecipient} from '../../domain/prompts/prompt.js';
import {positionsPerEvent} from '../../domain/webhooks/delivery.js';
import {failingLimits} from '../../domain/webhooks/webhook-failing.js';
import {cursorPrefix} from './keys.js';
import {leapMs} from './redis-clock.js';

/** The status codes of the scripts that check a caller or make a commit. */
export const status = {
  committed: 0,
  kept: 1,
  stale: 2,
  tokenDead: 3,
  tooLate: 4,
  storeLost: 5,
  overQuota: 6,
  workspaceFull: 7,
  workspaceReadOnly: 8,
} as const;

/** The number of events in a block of deliveries. The last base32 digit of their numbers distinguishes them. */
export const eventsPerBlock = 32;

/** The maximum length of the end of a resource's JSON, with its revision and times. All of it is ASCII. */
export const revisionTail = 112;

/** The values that Lua and TypeScript share. A Lua file declares those that it uses with `--- @const`. */
export const luaConstants = {
  deliverWork: workPrefixes.deliver,
  catchUpWork: workPrefixes.catchUp,
  replayWork: workPrefixes.replay,
  fanOutWork: workName({kind: 'fan-out'}),
  readSlackWork: workName({kind: 'read-slack'}),
  remindWork: workName({kind: 'remind'}),
  browserRecipient,
  cursorPrefix,
  alphabet,
  committed: status.committed,
  kept: status.kept,
  stale: status.stale,
  tokenDead: status.tokenDead,
  tooLate: status.tooLate,
  storeLost: status.storeLost,
  overQuota: status.overQuota,
  workspaceFull: status.workspaceFull,
  workspaceReadOnly: status.workspaceReadOnly,
  revisionTail,
  clockLeapMs: leapMs,
  sequencesPerDay,
  pendingPerWebhook: limits.pendingPerWebhook,
  triedAtOnce: limits.triedAtOnce,
  attemptsPerDelivery: limits.attemptsPerDelivery,
  excerptsPerWebhook: limits.excerptsPerWebhook,
  keptErasures: limits.erasures,
  waysInWhileFull: limits.waysInWhileFull,
  eventLifetime: lifetimes.events,
  healthLifetime: lifetimes.health,
  replayLifetime: lifetimes.replay,
  runningReplayLifetime: lifetimes.runningReplay,
  erasureLifetime: lifetimes.erasure,
  importPeopleLifetime: lifetimes.importPeople,
  idempotencyLifetime: lifetimes.idempotency,
  typedLifetime: lifetimes.typed,
  draftLifetime: lifetimes.draft,
  slackStatusLifetime: lifetimes.slackStatus,
  inboxLifetime: lifetimes.inbox,
  inboxItems: limits.inboxItems,
  noticeDelayMs: limits.noticeDelayMs,
  inboxMuted: limits.inboxMuted,
  waysInLifetime: lifetimes.waysIn,
  invitedLifetime: lifetimes.invited,
  /** The lifetime of the count of a run's posts after the last post. */
  runPostsLifetime: 2 * lifetimes.events,
  /** The time (ms) for which a process that has read an event may still send content erased since. */
  repeatedForMs: deadlines.job + lifetimes.renderedBody * 1_000,
  eventsPerBlock,
  positionsPerEvent,
  /**
   * The position of a block in a webhook's list, from the first of its events. It is after the last of them, and
   * higher than the position of every delivery in the block, so that a descending read finds the block first.
   */
  offsetInBlock: eventsPerBlock - 0.5 / positionsPerEvent,
  /** The approximate memory of a delivery. An event creates one for each webhook. */
  deliveryBytes: 100,
  warnMs: failingLimits.warn.ms,
  warnAttempts: failingLimits.warn.attempts,
  disableMs: failingLimits.disable.ms,
  disableAttempts: failingLimits.disable.attempts,
} as const;
