import type {RedisCommands} from '../core/connection.js';
import {createSlackRefreshes} from './slack-refreshes.js';
import {createSlackRateLimits} from './slack-pace.js';
import {createSlackPostReader} from './slack-shown.js';
import {createSlackWork} from './slack-work.js';

/** Everything about Slack channels: what they should show, what they show now, and the work left. */
export type SlackPosts = ReturnType<typeof createSlackPosts>;

/** The time (ms) for which a parent message waits for more standups before its count is updated. */
const standardDayDelayMs = 1_000;

/** The time (ms) for which the counts below a standup wait for more reactions and comments. */
const standardCountsDelayMs = 60_000;

export function createSlackPosts(
  connection: RedisCommands,
  {
    dayDelayMs = standardDayDelayMs,
    countsDelayMs = standardCountsDelayMs,
  }: {readonly dayDelayMs?: number; readonly countsDelayMs?: number} = {},
) {
  return {
    ...createSlackRefreshes(connection, {dayDelayMs, countsDelayMs}),
    ...createSlackWork(connection, dayDelayMs),
    ...createSlackRateLimits(connection),
    ...createSlackPostReader(connection),
  };
}
