import type {Connection} from '../core/connection.js';
import {createSlackRefreshes, type SlackRefreshes} from './slack-refreshes.js';
import {createSlackPace, type SlackPace} from './slack-pace.js';
import {createSlackShown, type SlackShown} from './slack-shown.js';
import {createSlackWork, type SlackWork} from './slack-work.js';

/** What Slack's channels show: what they are to show anew, the work that follows, and what is known of it. */
export interface SlackPosts extends SlackRefreshes, SlackWork, SlackPace, SlackShown {}

/** How long a parent message waits for more standups before its count is updated. */
const standardDayDelayMs = 1_000;

export function createSlackPosts(
  connection: Pick<Connection, 'call' | 'run'>,
  {dayDelayMs = standardDayDelayMs}: {readonly dayDelayMs?: number} = {},
): SlackPosts {
  return {
    ...createSlackRefreshes(connection, dayDelayMs),
    ...createSlackWork(connection, dayDelayMs),
    ...createSlackPace(connection),
    ...createSlackShown(connection),
  };
}
