import {
  formatSlackMessageField,
  type SlackComment,
  type SlackItem,
  type SlackPost,
} from '../../domain/slack/slack-post.js';
import {storeDeadline} from './channel-work.js';
import type {ChatMessage} from './chat.js';
import {type DesiredMessages, hashContent, type MessageKind} from './kind.js';
import {isCommentMessage} from './metadata.js';
import {policies} from './policies.js';
import type {ChannelContext} from './reconcile.js';

type CommentItem = SlackItem & {kind: 'comment'};

interface FoundComment extends SlackComment {
  readonly post: SlackPost | undefined;
}

/** The time (ms) after which a comment looks again for the message of its standup. */
const rootWaitMs = 15_000;

/** Shows comments as replies: in the thread of their standup's message, or in the thread of the day. */
export function createCommentMessages<M extends ChatMessage>(
  context: ChannelContext<M>,
): MessageKind<CommentItem, FoundComment, M> {
  const {posts, chat, work} = context;
  const {channelViews: views} = context.services;
  return {
    policy: () => policies.comment,
    async find({workspace}, {suffix}) {
      const found = await posts.findComment(workspace, suffix, storeDeadline());
      return found && {...found, post: await posts.find(workspace, found.standup, storeDeadline())};
    },
    shownOf: (found) => found,
    isOurs: isCommentMessage,
    fieldsOf: (number, shown) => ({set: {[formatSlackMessageField('posted', number)]: shown}, clear: []}),
    thread: {
      async ensureRoot(_lease, _item, {post}) {
        const ts = post && findThread(post);
        return ts === undefined ? {kind: 'not-now'} : {kind: 'there', ts};
      },
      rootOf: ({standup: suffix}) => ({kind: 'standup', suffix}),
      of: ({parent}) => parent,
    },
    async desire(lease, item, found) {
      const comment = await views.findComment(
        {workspace: lease.workspace, deadline: storeDeadline()},
        item.suffix,
      );
      if (comment === undefined) return planRemoval(found);
      const {post, parts} = found;
      if (parts.size === 0 && (post === undefined || findThread(post) === undefined))
        return {kind: 'record', settlement: {next: mayAppear(post) ? rootWaitMs : 'settled'}};
      const location = post?.mode === 'channel' ? 'standup' : 'day';
      return {
        kind: 'messages',
        messages: chat.present.comment(comment, location).map((message) => ({
          message,
          shown: hashContent(message),
        })),
        end: {},
        finish: () => work.recordOutcome(lease, item, {clear: ['failures', 'failed'], next: 'settled'}),
      };
    },
  };
}

/** Removes the last message first. */
function planRemoval<M extends ChatMessage>({parts}: SlackComment): DesiredMessages<M> {
  const number = Math.max(0, ...parts.keys());
  if (number > 1) return {kind: 'remove', number, after: {next: 'more'}};
  const end = {next: 'settled', forget: true} as const;
  return number === 1 ? {kind: 'remove', number, after: end} : {kind: 'record', settlement: end};
}

/** Returns the first message of the thread in which people talk about a standup; undefined if it has none. */
function findThread({mode, ts, parent}: SlackPost): string | undefined {
  if (ts === undefined) return undefined;
  return mode === 'channel' ? ts : parent;
}

/** True if the standup has no message yet, and may still get one. */
function mayAppear(post: SlackPost | undefined): boolean {
  return post !== undefined && post.mode !== 'digest' && post.want !== 'deleted' && post.failed === undefined;
}
