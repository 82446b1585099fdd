import {formatSlackMessageField, type SlackCopy, type SlackItem} from '../../domain/slack/slack-post.js';
import type {RequestContext} from '../../domain/core/access.js';
import {storeDeadline} from './channel-work.js';
import type {ChatMessage} from './chat.js';
import {hashContent, type MessageKind} from './kind.js';
import {createMetadata, hasMetadata} from './metadata.js';
import {policies} from './policies.js';
import type {ChannelContext} from './reconcile.js';

type CopyItem = SlackItem & {kind: 'copy'};

/** Reports that people have posted in a channel. Like all reports, they change with what they are about. */
export function createCopyMessages<M extends ChatMessage>({
  posts,
  chat,
  services: {channelViews: views},
  work,
}: ChannelContext<M>): MessageKind<CopyItem, SlackCopy, M> {
  /** Returns the messages of the report as its team's channel gets them; empty if there is no such report. */
  async function present(call: RequestContext, {of, team, date}: CopyItem): Promise<readonly M[]> {
    if (of === 'week') {
      const week = await views.findWeek(call, team, date);
      return week === undefined ? [] : [chat.present.week({...week, links: new Map()})];
    }
    const report = await views.findReport(call, team, date);
    return report === undefined ? [] : chat.present.report(report);
  }

  return {
    policy: () => policies.copy,
    find: ({workspace}, item) => posts.findCopy(workspace, item, storeDeadline()),
    shownOf: (copy) => copy,
    isOurs: ({item: {key}}, part, metadata) => hasMetadata(metadata, 'copy', {copy: key, part}),
    fieldsOf: (number, shown) => ({set: {[formatSlackMessageField('posted', number)]: shown}, clear: []}),
    thread: {
      ensureRoot: async () => undefined,
      rootOf: ({item}) => item,
      of: ({parts}) => parts.get(1)?.ts,
    },
    // A report that appears hours after its press would surprise everyone.
    isFinal: (failure, {parts}) => failure.kind === 'refused' && parts.size === 0,
    async desire(lease, item, {parts}) {
      const {workspace, channel} = lease;
      const call = {workspace, deadline: storeDeadline()};
      const settled = {clear: ['failures'], next: 'settled'} as const;
      const last = Math.max(0, ...parts.keys());
      if (!(await views.mayPostReport(call, item.team, channel)))
        return last === 0
          ? {kind: 'record', settlement: {...settled, set: {failed: 'not_readable'}}}
          : {kind: 'remove', number: last, after: {next: 'more'}};
      const shown = await present(call, item);
      if (shown.length === 0) return {kind: 'record', settlement: settled};
      const messages = shown.map((message, i) => {
        const own = {team: item.team, copy: item.key, part: i + 1};
        return {...message, metadata: createMetadata('copy', own)};
      });
      return {
        kind: 'messages',
        messages: messages.map((message) => ({message, shown: hashContent(message)})),
        end: {},
        finish: () => work.recordOutcome(lease, item, settled),
      };
    },
  };
}
