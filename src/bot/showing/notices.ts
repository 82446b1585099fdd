import type {Notice} from '../../domain/slack/notice-content.js';
import type {SlackItem, SlackNotice} from '../../domain/slack/slack-post.js';
import {storeDeadline} from './channel-work.js';
import type {ChatMessage} from './chat.js';
import {hashContent, type MessageKind, singleMessage} from './kind.js';
import {hasMetadata} from './metadata.js';
import {policies} from './policies.js';
import type {ChannelContext} from './reconcile.js';

type NoticeItem = SlackItem & {kind: 'notice'};

interface FoundNotice extends SlackNotice {
  readonly notice: Notice;
}

/** Notifies one person of an event by a single direct message, which is edited when the event is over. */
export function createNoticeMessages<M extends ChatMessage>(
  context: ChannelContext<M>,
): MessageKind<NoticeItem, FoundNotice, M> {
  const {posts, prompts, chat, work, now} = context;
  const {channelViews: views} = context.services;
  return {
    policy: ({notice}) => (notice.once ? policies.welcome : policies.notice),
    async find({workspace, channel}, {sequence}) {
      const [found, notice] = await Promise.all([
        posts.findNotice(workspace, channel, sequence, storeDeadline()),
        views.findNotice({workspace, deadline: storeDeadline()}, sequence, channel),
      ]);
      return found && notice && {...found, notice};
    },
    ...singleMessage,
    isOurs: ({notice: {event}}, _number, metadata) => hasMetadata(metadata, 'notice', {event}),
    async channelOf({workspace, channel: person}, {channel}) {
      if (channel !== undefined) return channel;
      return chat.isPerson(person) ? prompts.findDirect(workspace, person, storeDeadline()) : person;
    },
    recordPosted: (_found, {posted: {channel}}) => ({set: {channel}}),
    // A notice sent only once waits longer before the next search: Slack may allow the search by then.
    async whenUnsure(_lease, {notice, failures}, token, failure) {
      const next = notice.once && failure.kind === 'refused' ? work.waits.unanswered[failures] : undefined;
      return next === undefined ? undefined : {token, set: {failures: failures + 1}, next};
    },
    async desire(lease, item, {ts, notice}) {
      const {event, content, over = false, notBefore = 0} = notice;
      if (content === undefined || (ts === undefined && over))
        return {kind: 'record', settlement: {next: 'settled'}};
      if (ts === undefined && now() < notBefore) return {kind: 'record', settlement: {next: {at: notBefore}}};
      const message = await chat.present.notice(event, content);
      return {
        kind: 'messages',
        messages: [{message, shown: hashContent(message)}],
        next: 'settled',
        end: {},
        finish: () => work.recordOutcome(lease, item, {next: 'settled'}),
      };
    },
  };
}
