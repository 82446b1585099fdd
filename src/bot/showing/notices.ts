import type {Notice} from '../../domain/slack/notice-content.js';
import type {SlackItem, SlackNotice} from '../../domain/slack/slack-post.js';
import type {ChannelViews} from '../../service/slack/channel-views.js';
import type {Prompts} from '../../store/prompts/prompts.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';
import {type ChannelWork, storeDeadline} from './channel-work.js';
import type {Chat, ChatMessage} from './chat.js';
import {hashContent} from './fingerprint.js';
import {type MessageKind, toSingleMessageState} from './kind.js';
import {isNoticeMessage} from './metadata.js';
import {policies} from './policies.js';

type NoticeItem = SlackItem & {kind: 'notice'};

interface FoundNotice extends SlackNotice {
  readonly notice: Notice;
}

export interface NoticesParts<M extends ChatMessage> {
  readonly posts: Pick<SlackPosts, 'findNotice'>;
  readonly prompts: Pick<Prompts, 'findDirect'>;
  readonly chat: Chat<M>;
  readonly views: Pick<ChannelViews, 'findNotice'>;
  readonly work: ChannelWork;
  /** The store's clock (ms). */
  readonly now: () => number;
}

/** Notifies one person of an event by a single direct message, which is edited when the event is over. */
export function createNoticeMessages<M extends ChatMessage>({
  posts,
  prompts,
  chat,
  views,
  work,
  now,
}: NoticesParts<M>): MessageKind<NoticeItem, FoundNotice, M> {
  return {
    policy: ({notice}) => (notice.once ? policies.welcome : policies.notice),
    async find({workspace, channel}, {sequence}) {
      const [found, notice] = await Promise.all([
        posts.findNotice(workspace, channel, sequence, storeDeadline()),
        views.findNotice({workspace, deadline: storeDeadline()}, sequence, channel),
      ]);
      return found && notice && {...found, notice};
    },
    shownOf: toSingleMessageState,
    isOurs: ({notice: {event}}, _number, metadata) => isNoticeMessage(event, metadata),
    fieldsOf: (_number, shown) => ({set: {shown}, clear: []}),
    async channelOf({workspace, channel: person}, {channel}) {
      if (channel !== undefined) return channel;
      return chat.isPerson(person) ? prompts.findDirect(workspace, person, storeDeadline()) : person;
    },
    recordPosted: (_found, {posted: {channel}}) => ({set: {channel}}),
    // A notice that must not be posted twice waits longer before the search is repeated: Slack may allow the
    // search by then.
    async whenUnsure(_lease, {notice, failures}, token, failure) {
      const next = notice.once && failure.kind === 'refused' ? work.waits.unanswered[failures] : undefined;
      return next === undefined ? undefined : {token, set: {failures: failures + 1}, next};
    },
    async desire(lease, item, {ts, notice}) {
      const {event, content, over = false, notBefore = 0} = notice;
      // There is nothing left to show.
      if (content === undefined || (ts === undefined && over))
        return {kind: 'record', settlement: {next: 'settled'}};
      if (ts === undefined && now() < notBefore) return {kind: 'record', settlement: {next: {at: notBefore}}};
      const message = await chat.present.notice(event, content);
      return {
        kind: 'messages',
        messages: [{message, shown: hashContent(message)}],
        next: 'settled',
        end: {},
        finish: async () => void (await work.record(lease, item, {next: 'settled'})),
      };
    },
  };
}
