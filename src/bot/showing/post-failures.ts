import type {Log} from '../../domain/core/log.js';
import type {SlackItem, SlackPost} from '../../domain/slack/slack-post.js';
import type {FoundMessage, Outcome} from '../slack/posting/channel-calls.js';
import {concernsChannel} from '../slack/door/slack-errors.js';
import {type ChannelWork, type Hold, type Settlement, within} from './channel-work.js';
import {dayOf, lastPart, toItem} from './standup-item.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';

/** Tells by event that a standup, or the report of a run, is not shown; called again after a crash, so it must tell once. */
export type ReportUnshown = (
  workspace: Id<'workspace'>,
  unshown:
    | {
        readonly kind: 'standup';
        readonly drawn: IdSuffix<'standup'>;
        readonly revision: number;
        readonly team: IdSuffix<'team'>;
      }
    | (SlackItem & {readonly kind: 'digest'}),
  reason: string,
) => Promise<void>;

export interface PostFailuresParts {
  readonly slackTroubles: {
    note: (
      workspace: Id<'workspace'>,
      channel: string,
      trouble: {readonly team: IdSuffix<'team'>; readonly code: string; readonly lost?: SlackItem},
      deadline: number,
    ) => Promise<void>;
  };
  readonly reportUnshown: ReportUnshown;
  readonly work: ChannelWork;
  readonly log: Log;
}

/** What becomes of a standup when Slack does not do what was wanted: another try, a pause of its channel, or the end, of which people are told. */
export interface PostFailures {
  /** A call did not do what was wanted. `token`: the mark it was sent under, which stays while the outcome is not known. */
  fail: (
    hold: Hold,
    post: SlackPost,
    failure: Exclude<Outcome<never>, {kind: 'done'}>,
    token: string | undefined,
  ) => Promise<void>;
  /** Whether a message is there could not be found out. */
  failLookUp: (
    hold: Hold,
    post: SlackPost,
    failure: Exclude<Outcome<FoundMessage>, {kind: 'done'}>,
    token: string | undefined,
  ) => Promise<void>;
}

export function createPostFailures(parts: PostFailuresParts): PostFailures {
  const {slackTroubles: troubles, reportUnshown, work, log} = parts;
  const {waitAfter, waitToLook} = work;

  async function settle(hold: Hold, item: SlackItem, settlement: Settlement): Promise<void> {
    await work.record(hold, item, settlement);
  }

  /** A call did not do what was wanted. `token`: the mark it was sent under, which stays while the outcome is not known. */
  async function fail(
    hold: Hold,
    post: SlackPost,
    failure: Exclude<Outcome<never>, {kind: 'done'}>,
    token: string | undefined,
  ): Promise<void> {
    const item = toItem(post);
    const marked = token === undefined ? {} : {token, clear: ['sending', 'part']};
    if (failure.kind === 'limited') {
      return settle(hold, item, {...marked, next: {whenTaken: failure.method}});
    }
    const {kind, code} = failure;
    const wait = waitAfter(failure, post.failures);
    const refused = kind === 'refused';
    log.warn(
      {
        workspace: hold.workspace,
        channel: hold.channel,
        standup: post.drawn,
        code,
        failures: post.failures + 1,
      },
      wait === undefined ? 'a standup is given up for Slack' : 'a standup is not shown in Slack yet',
    );
    if (wait === undefined) await noteTrouble(hold, post, {code, lost: item});
    else if (refused) await noteTrouble(hold, post, {code});
    if (wait === undefined || (refused && post.failed === undefined)) await report(hold, post, code);
    if (wait === undefined) return giveUp(hold, post, code, token);
    await settle(hold, item, {
      ...(refused ? marked : token !== undefined && {token}),
      set: {failures: post.failures + 1, ...(refused && {failed: code})},
      next: wait,
      ...(refused && concernsChannel(code) && {pauseMs: wait}),
    });
  }

  /**
   * Whether a message is there could not be found out: a missing permission to look is the end, anything
   * else another try, of which there is a last one.
   */
  async function failLookUp(
    hold: Hold,
    post: SlackPost,
    failure: Exclude<Outcome<FoundMessage>, {kind: 'done'}>,
    token: string | undefined,
  ): Promise<void> {
    const mark = token === undefined ? {} : {token};
    const wait = waitToLook(failure, post.failures);
    if (wait !== undefined) {
      const next = failure.kind === 'limited' ? {whenTaken: failure.method} : wait;
      const code = failure.kind === 'refused' ? failure.code : undefined;
      if (code !== undefined) await noteTrouble(hold, post, {code});
      if (code !== undefined && post.failed === undefined) await report(hold, post, code);
      const set = {failures: post.failures + 1, ...(code !== undefined && {failed: code})};
      return settle(hold, toItem(post), {...mark, set, next});
    }
    // It is to go: what is known to be there goes, whatever became of the rest.
    if (post.want === 'deleted' && lastPart(post) > 0) {
      return settle(hold, toItem(post), {...mark, clear: ['sending', 'part', 'failures'], next: 'more'});
    }
    log.warn(
      {
        workspace: hold.workspace,
        channel: hold.channel,
        standup: post.drawn,
        code: failure.kind === 'limited' ? 'ratelimited' : failure.code,
      },
      'whether a standup is shown in Slack cannot be found out',
    );
    await noteTrouble(hold, post, {code: 'outcome_unknown', lost: toItem(post)});
    await report(hold, post, 'outcome_unknown');
    // A day with two messages does less harm than one whose standups wait for a search each.
    const day = {kind: 'day', team: post.team, date: post.day} as const;
    if (token === undefined) await settle(hold, day, {clear: ['sending'], next: 'settled'});
    await giveUp(hold, post, 'outcome_unknown', token);
  }

  /** Noted before its event is made: whoever reads that finds whom to tell what. Nobody need be told of what was to go anyway. */
  async function noteTrouble(
    {workspace, channel}: Hold,
    {team, want}: SlackPost,
    {code, lost}: {code: string; lost?: SlackItem},
  ): Promise<void> {
    if (lost !== undefined && want === 'deleted') return;
    await troubles.note(workspace, channel, {team, code, ...(lost !== undefined && {lost})}, within());
  }

  async function report(hold: Hold, post: SlackPost, reason: string): Promise<void> {
    const revision = post.want === 'deleted' ? Math.max(1, post.posted) : post.want;
    const {drawn, team} = post;
    await reportUnshown(hold.workspace, {kind: 'standup', drawn, revision, team}, reason);
  }

  /** Kept as failed, for people to see, and out of the queue; the next change of the standup begins anew. */
  async function giveUp(hold: Hold, post: SlackPost, code: string, token: string | undefined): Promise<void> {
    await settle(hold, toItem(post), {
      ...(token !== undefined && {token}),
      ...(token !== undefined && {clear: ['sending', 'part']}),
      set: {failed: code, failures: post.failures + 1},
      next: 'settled',
      want: post.want,
      // The message of the day was posted with it counted in.
      ...(post.ts === undefined && post.mode === 'thread' && dayOf(post, {shows: false})),
    });
  }

  return {fail, failLookUp};
}
