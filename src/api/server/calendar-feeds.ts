import type {RequestHandler} from 'express';
import type {RateLimits} from '../../domain/core/quota.js';
import type {WriteCalendarFile} from '../../domain/schedules/calendar-feed.js';
import type {Services} from '../../service/services.js';
import {presentProblem} from '../http/problems.js';
import type {ApiContext} from './context.js';
import {createSecretAddressHandler} from './secret-addresses.js';

/** The reads of calendar feeds, and how they are written. */
export interface CalendarFeedSource {
  readonly feeds: Services['calendarFeeds'];
  readonly write: WriteCalendarFile;
  readonly rateLimits: RateLimits;
}

/** The path in problems: the real one has a secret. */
const shownPath = '/calendar';

/** Answers calendar applications with a person's calendar. */
export function createCalendarFeedHandler(
  context: ApiContext,
  {feeds, write, rateLimits}: CalendarFeedSource,
): RequestHandler {
  return createSecretAddressHandler(context, {
    operation: 'readCalendarFeed',
    rateLimits,
    find: feeds.requireFeed,
    read: async (feed, {quota, deadline}) => write(await feeds.readFeed(feed, quota, {deadline})),
    headers: {'Cache-Control': 'private, max-age=900', 'Content-Type': 'text/calendar; charset=utf-8'},
    presentRefusal({code, error, requestId}) {
      const site = {publicUrl: context.publicUrl, instance: shownPath, requestId};
      if (error === undefined)
        return presentProblem('internal_error', 'An internal error occurred. Report the request_id.', site);
      // Calendars ask for a password after 401, but nobody has one.
      const shown = code === 'invalid_token' ? 'not_found' : error.code;
      return presentProblem(shown, error.message, site, code === 'invalid_token' ? undefined : error);
    },
  });
}
