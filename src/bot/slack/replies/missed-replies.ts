// Replies that people typed while no process took Slack's events.
import {toInstant} from '../../../domain/core/dates.js';
import type {Id} from '../../../domain/core/ids.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Perform, Work} from '../../../domain/core/work.js';
import type {SlackInstallation, SlackOrigin} from '../../../domain/slack/slack-installation.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import type {Store} from '../../../store/store.js';
import {type SlackClients, errorCodeOf} from '../core/clients.js';
import type {SlackWorkspace} from '../core/slack-identities.js';
import type {MessageEvent} from '../typing/read-event.js';
import {readReply} from './read-reply.js';
import {createReplyServer, type ReplyContext} from './serve-reply.js';

type CatchUp = Extract<Work, {kind: 'read-replies'}>;

const method = 'conversations.replies';

/** The most messages of one call: Slack allows some apps no more, and one call a minute. */
const perCall = 15;

/** The time (ms) before the absence from which messages are read: some events were not answered. */
const overlapMs = 10 * 60_000;

/** The age (ms) of the standups whose threads are read. */
const standupsMs = 48 * 3_600_000;

/** Codes of Slack that every thread would get, and of a thread that is gone. */
const refused: ReadonlySet<string> = new Set([
  'missing_scope',
  'token_revoked',
  'account_inactive',
  'invalid_auth',
]);
const gone: ReadonlySet<string> = new Set(['thread_not_found', 'channel_not_found', 'not_in_channel']);

/**
 * Reads a thread each minute, the newest standup first, and takes its replies as if Slack had just reported them. So
 * one that is a comment already, or was deleted here, changes nothing.
 */
export function createMissedReplyReader({
  installations,
  clients,
  ready,
  posts,
  everyMs,
  now,
  ...context
}: ReplyContext & {
  readonly installations: SlackInstallations;
  readonly clients: SlackClients;
  readonly ready: Pick<Store['ready'], 'reschedule'>;
  readonly posts: Pick<Store['slackPosts'], 'findLimit' | 'limit'>;
  /** The time (ms) between two calls in a workspace. */
  readonly everyMs: number;
  readonly now: () => number;
}): Perform<CatchUp> {
  const {identities, services, log} = context;
  const serveReply = createReplyServer(context);

  async function takeReply(slackWorkspace: SlackWorkspace, channel: string, message: MessageEvent) {
    const at = {channel, channel_type: 'channel'};
    const event =
      message.edited === undefined ? {...message, ...at} : {...at, subtype: 'message_changed', message};
    const heard = readReply(event, message.parent_user_id);
    if (heard?.kind !== 'said') return;
    await serveReply(slackWorkspace, heard, {deadline: within(), isLast: true});
  }

  /** Reads some messages of the next thread. Returns what is left to read; undefined at the end. */
  async function readSome(workspace: Id<'workspace'>, work: CatchUp): Promise<CatchUp | undefined> {
    const installation = await installations.findOf(workspace, within());
    const {past, left, since, after} = work;
    const from = toInstant(now() - standupsMs).slice(0, 10);
    const thread =
      installation &&
      (await services.slackReplies.findNextThread({workspace, deadline: within()}, {from, past}));
    if (installation === undefined || thread === undefined || left < 1) return undefined;
    const {channel, ts, position} = thread;
    const next = {...work, past: position, left: left - 1, after: ''};
    try {
      const oldest = after === '' ? String((since - overlapMs) / 1_000) : after;
      const call = {channel, ts, oldest, limit: perCall};
      const {messages = [], has_more: isLong = false} = await clients
        .forJobs(installation)
        .conversations.replies(call);
      const slackWorkspace = await identities.findSlackWorkspace(toOrigin(installation), within());
      for (const message of messages) await takeReply(slackWorkspace, channel, message);
      const last = messages.at(-1)?.ts;
      return isLong && last !== undefined && last !== ts ? {...next, past, after: last} : next;
    } catch (error) {
      const code = errorCodeOf(error);
      log.warn({workspace, code}, 'could not read a thread in Slack');
      if (refused.has(code)) return undefined;
      // Without an answer, the same thread is read again.
      return gone.has(code) ? next : {...work, left: left - 1};
    }
  }

  return async ({workspace, work}) => {
    // If this process ends, another one reads the thread again.
    await ready.reschedule(workspace, work, now() + everyMs, within());
    const waitMs = await posts.findLimit(workspace, method, within());
    if (waitMs > 0) {
      await ready.reschedule(workspace, work, now() + waitMs, within());
      return {more: false};
    }
    await posts.limit(workspace, method, everyMs, within());
    const next = await readSome(workspace, work);
    if (next !== undefined) await ready.reschedule(workspace, next, now() + everyMs, within());
    await ready.reschedule(workspace, work, undefined, within());
    return {more: false};
  };
}

function toOrigin({id}: SlackInstallation): SlackOrigin {
  if (id === 'token') return {orgWide: false};
  return id.startsWith('E') ? {enterprise: id, orgWide: true} : {team: id, orgWide: false};
}

function within(): number {
  return performance.now() + deadlines.job;
}
