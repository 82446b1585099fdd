import {
  type SlackDigestPost,
  type SlackItem,
  formatSlackMessageField,
} from '../../domain/slack/slack-post.js';
import {storeDeadline} from './channel-work.js';
import type {ChatMessage} from './chat.js';
import type {Days} from './days.js';
import {hashContent, type MessageKind} from './kind.js';
import {hasMetadata} from './metadata.js';
import {policies} from './policies.js';
import type {ChannelContext} from './reconcile.js';

type ReportItem = SlackItem & {kind: 'digest'};

/** Reports of runs: in the thread of the day, or in the channel with further messages in their own thread. */
export function createReportMessages<M extends ChatMessage>(
  context: ChannelContext<M>,
  days: Days,
): MessageKind<ReportItem, SlackDigestPost, M> {
  const {posts, chat, work} = context;
  const {channelViews: views, slackFailures} = context.services;
  return {
    policy: () => policies.digest,
    find: ({workspace}, {team, date}) => posts.findDigest(workspace, team, date, storeDeadline()),
    shownOf: (post) => post,
    isOurs: ({team, date}, part, metadata) => hasMetadata(metadata, 'digest', {team, date, part}),
    fieldsOf: (number, shown) => ({set: {[formatSlackMessageField('posted', number)]: shown}, clear: []}),
    thread: {
      ensureRoot: async (lease, item, {mode}) => (mode === 'channel' ? undefined : days.renew(lease, item)),
      rootOf: ({team, date}) => ({kind: 'day', team, date}),
      of: ({mode, parts, parent}) => (mode === 'channel' ? parts.get(1)?.ts : parent),
    },
    failureReporter: ({workspace, channel}, item) => ({
      note: (code, isLost) => {
        const trouble = {team: item.team, code, ...(isLost && {lost: item})};
        return context.slackTroubles.note(workspace, channel, trouble, storeDeadline());
      },
      report: (code) => slackFailures.reportUnshown(context.jobCall(workspace), item, code),
    }),
    async desire(lease, item) {
      const {workspace} = lease;
      const content = await views.findReport({workspace, deadline: storeDeadline()}, item.team, item.date);
      if (content === undefined) return {kind: 'record', settlement: {next: 'settled'}};
      const end = {clear: ['failures', 'failed'], next: 'settled', success: true} as const;
      return {
        kind: 'messages',
        messages: chat.present.report(content).map((message) => ({message, shown: hashContent(message)})),
        end: {},
        finish: () => work.recordOutcome(lease, item, end),
      };
    },
  };
}
