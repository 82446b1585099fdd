import type {RedisCommands} from '../core/connection.js';
import {createSlackRefreshes, type SlackRefreshes} from './slack-refreshes.js';
import {createSlackRateLimits, type SlackPace} from './slack-pace.js';
import {createSlackPostReader, type SlackShown} from './slack-shown.js';
import {createSlackWork, type SlackWork} from './slack-work.js';

/**
 * Everything about what Slack channels show: what they should show, the work that is still to be done, and
 * what they show now.
 */
export interface SlackPosts extends SlackRefreshes, SlackWork, SlackPace, SlackShown {}

/** The time (ms) for which a parent message waits for more standups before its count is updated. */
const standardDayDelayMs = 1_000;

export function createSlackPosts(
  connection: RedisCommands,
  {dayDelayMs = standardDayDelayMs}: {readonly dayDelayMs?: number} = {},
): SlackPosts {
  return {
    ...createSlackRefreshes(connection, dayDelayMs),
    ...createSlackWork(connection, dayDelayMs),
    ...createSlackRateLimits(connection),
    ...createSlackPostReader(connection),
  };
}
