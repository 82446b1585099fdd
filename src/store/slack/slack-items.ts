import type {ReportKind, SlackItem} from '../../domain/slack/slack-post.js';
import {type WorkspaceKeys, workspaceKeys} from '../core/keys.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';

/** The time (s) for which the state of an item in Slack is stored after its last change. */
export const slackPostLifetime = 400 * 24 * 3600;

/** Returns the function that finds the key of a report of a kind. */
export function createReportKey(keys: WorkspaceKeys, kind: ReportKind) {
  const find = kind === 'week' ? keys.slackWeek : keys.slackDigest;
  return ({team, date}: {readonly team: IdSuffix<'team'>; readonly date: string}) => find(team, date);
}

/** Returns the key with the wanted and the actual state of an item of a channel. */
export function createSlackItemKey(workspace: Id<'workspace'>, channel: string, item: SlackItem) {
  const keys = workspaceKeys(workspace);
  switch (item.kind) {
    case 'standup':
    case 'counts':
      return keys.slackPost(item.suffix);
    case 'day':
      return keys.slackDay(channel, item.team, item.date);
    case 'digest':
      return keys.slackDigest(item.team, item.date);
    case 'week':
      return keys.slackWeek(item.team, item.date);
    case 'copy':
      return keys.slackCopy(item.team, item.key);
    case 'comment':
      return keys.slackComment(item.suffix);
    case 'notice':
      return keys.slackNotice(channel, item.sequence);
    case 'prompt':
      return keys.slackPrompt(item.member, item.date);
    case 'trouble':
      return keys.slackTrouble(channel);
  }
}
