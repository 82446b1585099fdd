import type {SlackItem, SlackPost} from '../../domain/slack/slack-post.js';
import type {Settlement} from './channel-work.js';

export function toItem({drawn}: SlackPost): SlackItem {
  return {kind: 'standup', drawn};
}

export function dayOf(
  {team, day: date, author}: SlackPost,
  change: {shows: boolean; names?: boolean},
): Pick<Settlement, 'day'> {
  return {day: {team, date, author, ...change}};
}

/** The number of its last message; 0 when it has none. */
export function lastPart({ts, rest}: SlackPost): number {
  return Math.max(ts === undefined ? 0 : 1, ...rest.keys());
}
