import type {SlackItem} from '../../domain/slack/slack-post.js';
import {workspaceKeys} from '../core/keys.js';
import type {Id} from '../../domain/core/ids.js';

/** The time (s) for which the state of an item in Slack is stored after its last change. */
export const slackPostLifetime = 400 * 24 * 3600;

/** Returns the key with the wanted and the actual state of an item of a channel. */
export function createSlackItemKey(workspace: Id<'workspace'>, channel: string, item: SlackItem) {
  const keys = workspaceKeys(workspace);
  switch (item.kind) {
    case 'standup':
      return keys.slackPost(item.suffix);
    case 'day':
      return keys.slackDay(channel, item.team, item.date);
    case 'digest':
      return keys.slackDigest(item.team, item.date);
    case 'week':
      return keys.slackWeek(item.team, item.date);
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
