import type {Log} from '../../domain/core/log.js';
import {type SlackItem, slackItemName} from '../../domain/slack/slack-post.js';
import type {ChannelWork, Settlement} from './channel-work.js';
import {type ChatMessage, type ChatFailure, concernsChannel} from './chat.js';
import {type MessageKind, type SettlementMark, type Task, markFields, type MessageOutcome} from './kind.js';

export type Failures = ReturnType<typeof createFailures>;

const outcomeUnknown = 'outcome_unknown';

export function createFailures(chatName: string, work: ChannelWork, log: Log) {
  const {waitAfter, waitToLook, recordOutcome} = work;

  function warnOfFailure<I extends SlackItem, R, M extends ChatMessage>(
    {kind, lease: {workspace, channel}, item, found}: Task<I, R, M>,
    code: string,
    end: string,
  ): void {
    const failures = kind.shownOf(found).failures + 1;
    const {name} = kind.policy(found);
    log.warn({workspace, channel, item: slackItemName(item), code, failures}, `${name} ${end} ${chatName}`);
  }

  /** Handles a failed call. `mark`: the token saved before the call, and the fields that contain it. */
  async function fail<I extends SlackItem, R, M extends ChatMessage>(
    task: Task<I, R, M>,
    failure: ChatFailure,
    mark: SettlementMark = {},
  ): Promise<void> {
    const {kind, lease, item, found} = task;
    const policy = kind.policy(found);
    const {failures: before, failed} = kind.shownOf(found);
    if (failure.kind === 'limited')
      return recordOutcome(lease, item, {...mark, next: {whenTaken: failure.method}});
    const {code} = failure;
    const isRefused = failure.kind === 'refused';
    const wait = kind.isFinal?.(failure, found) ? undefined : waitAfter(failure, before);
    const isLost = wait === undefined;
    warnOfFailure(task, code, isLost ? 'is given up for' : 'is not shown yet in');
    await kind.noteFailure?.(lease, found, code);
    const reporter = policy.reportedTo === 'team' ? kind.failureReporter?.(lease, item, found) : undefined;
    if (isLost || isRefused) await reporter?.note(code, isLost);
    if (isLost || (isRefused && failed === undefined)) await reporter?.report(code);
    const isNoted = policy.failed !== 'never' && (isLost || (isRefused && policy.failed === 'once-refused'));
    const set = {failures: before + 1, ...(isNoted && {failed: code})};
    if (isLost) {
      const given =
        policy.unsure === 'give-up' && mark.token !== undefined ? {...mark, clear: markFields} : mark;
      return recordOutcome(lease, item, {...given, next: 'settled', ...kind.recordLost?.(found), set});
    }
    const isPaused = isRefused && reporter !== undefined && concernsChannel(failure);
    await recordOutcome(lease, item, {...mark, set, next: wait, ...(isPaused && {pauseMs: wait})});
  }

  /** Returns the record for another attempt to edit or remove a message; undefined if there is none. */
  function waitFor<I extends SlackItem, R, M extends ChatMessage>(
    {policy: policyOf, isFinal, shownOf}: MessageKind<I, R, M>,
    found: R,
    failure: ChatFailure,
  ): Settlement | undefined {
    const policy = policyOf(found);
    // After a rate limit, an edit or removal of low priority is repeated by a schedule of its own.
    if (failure.kind === 'limited')
      return {next: policy.behind ? failure.waitMs : {whenTaken: failure.method}};
    const {failures: before} = shownOf(found);
    const wait = isFinal?.(failure, found) ? undefined : waitAfter(failure, before);
    return wait === undefined ? undefined : {set: {failures: before + 1}, next: wait};
  }

  /** Handles a failed search. `token`: that of the call; left out for the first message of a thread. */
  async function failLook<I extends SlackItem, R, M extends ChatMessage>(
    task: Task<I, R, M>,
    failure: ChatFailure,
    token?: string,
  ): Promise<void> {
    const {kind, lease, item, found} = task;
    const policy = kind.policy(found);
    const {failures: before, failed} = kind.shownOf(found);
    const mark = token === undefined ? {} : {token};
    const code = failure.kind === 'refused' ? failure.code : undefined;
    const reporter = policy.reportedTo === 'team' ? kind.failureReporter?.(lease, item, found) : undefined;
    const isOver =
      kind.isFinal?.(failure, found) || (policy.unsure === 'send-again' && failure.kind === 'refused');
    // A rate-limited search counts as failed: each search starts again from the beginning and may never reach the message.
    const wait = isOver ? undefined : waitToLook(failure, before);
    if (wait !== undefined) {
      if (code !== undefined) await reporter?.note(code, false);
      if (code !== undefined && failed === undefined) await reporter?.report(code);
      const isNoted = code !== undefined && policy.failed === 'once-refused';
      const set = {failures: before + 1, ...(isNoted && {failed: code})};
      const next = failure.kind === 'limited' ? {whenTaken: failure.method} : wait;
      return recordOutcome(lease, item, {...mark, set, next});
    }
    const other = await kind.whenUnsure?.(lease, found, token, failure);
    if (other !== undefined) return recordOutcome(lease, item, other);
    if (policy.unsure === 'send-again')
      return recordOutcome(lease, item, {...mark, clear: markFields, set: {failures: before + 1}, next: 0});
    const shownCode = failure.kind === 'limited' ? 'ratelimited' : failure.code;
    warnOfFailure(task, shownCode, 'may be there or not: there is no way to check');
    await reporter?.note(outcomeUnknown, true);
    await reporter?.report(outcomeUnknown);
    const set = {failures: before + 1, ...(policy.failed !== 'never' && {failed: outcomeUnknown})};
    if (policy.unsure === 'keep-mark') return recordOutcome(lease, item, {...mark, next: 'settled', set});
    // An uncertain first message of a thread is posted again: two do less harm than replies that all wait.
    if (token === undefined && kind.thread !== undefined)
      await recordOutcome(lease, kind.thread.rootOf(found), {clear: ['sending'], next: 'settled'});
    const given = token === undefined ? {} : {token, clear: markFields};
    await recordOutcome(lease, item, {...given, next: 'settled', ...kind.recordLost?.(found), set});
  }

  /** Handles a failure to post or find the first message of the thread in which the item's messages belong. */
  async function ofRoot<I extends SlackItem, R, M extends ChatMessage>(
    task: Task<I, R, M>,
    step: Exclude<MessageOutcome, {kind: 'there'}>,
  ): Promise<void> {
    if (step.kind === 'failed') await fail(task, step.failure);
    if (step.kind === 'unseen') await failLook(task, step.failure);
  }

  return {fail, waitFor, failLook, ofRoot};
}
