import type {RedisConnection} from '../core/connection.js';
import {createSlackRefreshes, type SlackRefreshes} from './slack-refreshes.js';
import {createSlackRateLimits, type SlackPace} from './slack-pace.js';
import {createSlackPostReader, type SlackShown} from './slack-shown.js';
import {createSlackWork, type SlackWork} from './slack-work.js';

/**
 * The content of Slack's channels: what has to be updated, the work for that, and what is known to be shown.
 */
export interface SlackPosts extends SlackRefreshes, SlackWork, SlackPace, SlackShown {}

/** How long a parent message waits for more standups before its count is updated. */
const standardDayDelayMs = 1_000;

export function createSlackPosts(
  connection: Pick<RedisConnection, 'call' | 'run'>,
  {dayDelayMs = standardDayDelayMs}: {readonly dayDelayMs?: number} = {},
): SlackPosts {
  return {
    ...createSlackRefreshes(connection, dayDelayMs),
    ...createSlackWork(connection, dayDelayMs),
    ...createSlackRateLimits(connection),
    ...createSlackPostReader(connection),
  };
}
