import type {SlackItem} from '../../domain/slack/slack-post.js';
import {workspaceKeys} from '../core/keys.js';
import type {Id} from '../../domain/core/ids.js';

/** Seconds after the last change for which it is known what is shown of something. */
export const slackPostLifetime = 400 * 24 * 3600;

/** Where it stands what of an item of a channel is wanted, and what is shown. */
export function slackItemKey(workspace: Id<'workspace'>, channel: string, item: SlackItem) {
  const keys = workspaceKeys(workspace);
  switch (item.kind) {
    case 'standup':
      return keys.slackPost(item.drawn);
    case 'day':
      return keys.slackDay(channel, item.team, item.date);
    case 'digest':
      return keys.slackDigest(item.team, item.date);
    case 'week':
      return keys.slackWeek(item.team, item.date);
    case 'notice':
      return keys.slackNotice(channel, item.sequence);
    case 'prompt':
      return keys.slackPrompt(item.member, item.date);
    case 'trouble':
      return keys.slackTrouble(channel);
  }
}
