import {type Commit, type CommitPart, emptyCommit} from '../../domain/commit/commit.js';
import {type Call, everyScope, type RequestContext} from '../../domain/core/access.js';
import {type Id, type IdSuffix, suffixOf} from '../../domain/core/ids.js';
import {dayNumber} from '../../domain/core/dates.js';
import {lifetimes} from '../../domain/core/limits.js';
import {lists, positionOf} from '../../domain/core/lists.js';
import {parseWire} from '../../domain/core/resource.js';
import type {TextFormat} from '../../domain/core/markdown.js';
import type {KnownMessage, SlackLocation} from '../../domain/slack/known-message.js';
import {slackDoorkeeper} from '../../domain/slack/slack-installation.js';
import type {ServiceContext} from '../core/context.js';
import {createCommentPlans} from './comment-plans.js';
import {createDeleteCommentPart} from './comment-records.js';

/** The maximum number of standups that are searched for a thread. */
const maxThreadsRead = 500;

/** A reply that a person typed in the thread of a standup's message. */
export interface SlackReply extends SlackLocation {
  readonly standup: Id<'standup'>;
  readonly text: string;
  readonly format: TextFormat;
  /** Slack's time of the edit; empty for a reply that was not edited. */
  readonly editedAt: string;
  readonly permalink: string | null;
}

/**
 * Makes comments of what people type in Slack, below the message of a standup. The commit that makes the comment
 * claims the message, so that each is taken once, in whatever order Slack reports it.
 */
export function createSlackReplies(context: ServiceContext) {
  const {mutate, records, teams, slackPosts} = context;
  const {planCreate, planChange} = createCommentPlans(context);

  const find = ({workspace, deadline}: RequestContext, location: SlackLocation) =>
    slackPosts.findMessage(workspace, location, deadline);

  /** Returns the part of a commit that changes what is known of a message, unless it has changed since. */
  function claim(
    {channel, ts}: SlackLocation,
    before: KnownMessage | undefined,
    known: KnownMessage,
  ): CommitPart {
    const seconds = known.kind === 'gone' ? lifetimes.slackMessageGone : lifetimes.slackMessage;
    return {
      guards: [{check: 'slack-message', channel, ts, known: before}],
      writes: [{do: 'keep-slack-message', channel, ts, known, seconds}],
      events: [],
    };
  }

  /** Finds the standup below whose message people reply; undefined if its team takes no replies. */
  async function findThread(
    call: RequestContext,
    root: SlackLocation,
  ): Promise<{readonly standup: Id<'standup'>; readonly permalink: string | null} | undefined> {
    const {workspace, deadline} = call;
    const known = await find(call, root);
    if (known?.kind !== 'standup') return undefined;
    const standup = await records.findBySuffix(workspace, known.suffix, deadline);
    const team = standup && (await teams.all(call)).byReference(standup.team_id);
    if (standup === undefined || team?.slack_replies !== 'both') return undefined;
    const [message] = await slackPosts.listMessages(workspace, [suffixOf(standup.id)], deadline);
    return {standup: standup.id, permalink: message?.permalink ?? null};
  }

  async function planReply(call: Call, reply: SlackReply): Promise<Commit> {
    const {standup, text, format, editedAt, channel, ts, permalink} = reply;
    const known = await find(call, reply);
    if (known === undefined) {
      const slack = {channel_id: channel, message_ts: ts, permalink};
      const claimFor = (suffix: IdSuffix<'comment'>) =>
        claim(reply, known, {kind: 'comment', suffix, editedAt});
      return planCreate(call, {standup, text, format}, {slack, claim: claimFor});
    }
    if (known.kind !== 'comment' || Number(editedAt) <= Number(known.editedAt)) return emptyCommit;
    const comment = await records.findBySuffix(call.workspace, known.suffix, call.deadline);
    // A comment that was deleted here is not made again.
    if (comment === undefined) return emptyCommit;
    return planChange(call, comment.id, {text, format}, {claim: claim(reply, known, {...known, editedAt})});
  }

  async function planRemoval(call: Call, location: SlackLocation): Promise<Commit> {
    const known = await find(call, location);
    if (known === undefined) return {...emptyCommit, ...claim(location, known, {kind: 'gone'})};
    if (known.kind !== 'comment') return emptyCommit;
    const comment = await records.findBySuffix(call.workspace, known.suffix, call.deadline);
    if (comment === undefined) return emptyCommit;
    return {...createDeleteCommentPart(comment), effect: 'release', reply: {kind: 'empty'}};
  }

  return {
    /** Returns what is known of a message. One whose comment was deleted here counts as deleted. */
    async findMessage(call: RequestContext, location: SlackLocation): Promise<KnownMessage | undefined> {
      const known = await find(call, location);
      if (known?.kind !== 'comment') return known;
      const comment = await records.findBySuffix(call.workspace, known.suffix, call.deadline);
      return comment === undefined ? {kind: 'gone'} : known;
    },
    findThread,
    /**
     * Finds the next thread whose replies become comments, the newest standup first. `from`: the first date of a
     * standup. `past`: the list position of the one before.
     */
    async findNextThread(
      call: RequestContext,
      {from: date, past}: {readonly from: string; readonly past: number | undefined},
    ): Promise<(SlackLocation & {readonly position: number}) | undefined> {
      const {workspace, deadline} = call;
      const from = positionOf(dayNumber(date), 0);
      const query = {list: lists.standups(), from, past, limit: maxThreadsRead};
      const {rows} = await records.list(workspace, query, deadline);
      const suffixes = rows.map(({json}) => suffixOf(parseWire(json).id));
      const messages = await slackPosts.listMessages(workspace, suffixes, deadline);
      for (const [i, message] of messages.entries()) {
        const position = rows[i]?.position;
        const {channel_id: channel, message_ts: ts = null} = message ?? {};
        if (channel === undefined || ts === null || position === undefined) continue;
        const root = {channel, ts};
        if ((await findThread(call, root)) !== undefined) return {...root, position};
      }
      return undefined;
    },
    /**
     * Makes a comment of a reply, or changes it after an edit. A repeat has no effect. Errors:
     * `validation_failed` for a standup that its author cannot see, or is gone, and for an unfit text;
     * `limit_reached`.
     */
    async takeReply(call: Call, reply: SlackReply): Promise<void> {
      await mutate(call, () => planReply(call, reply));
    },
    /** Deletes the comment of a message that was deleted in Slack. One without a comment gets none any more. */
    async removeReply({workspace, deadline}: RequestContext, location: SlackLocation): Promise<void> {
      const call: Call = {
        workspace,
        deadline,
        principal: slackDoorkeeper,
        scopes: everyScope,
        entryPoint: 'slack',
      };
      await mutate(call, () => planRemoval(call, location));
    },
  };
}
