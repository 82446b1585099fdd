import type {RequestHandler} from 'express';
import type {RateLimits} from '../../domain/core/quota.js';
import type {WriteSharedPage} from '../../domain/runs/shared-week.js';
import type {Services} from '../../service/services.js';
import {presentProblem} from '../http/problems.js';
import type {ApiContext} from './context.js';
import {createSecretAddressHandler} from './secret-addresses.js';

/** The reads of shared weeks, and how their pages are written. */
export interface SharedWeekSource {
  readonly weeks: Services['sharedWeeks'];
  readonly write: WriteSharedPage;
  /** The Content-Security-Policy of the pages. */
  readonly policy: string;
  readonly rateLimits: RateLimits;
}

/** Answers people with a link to a team's week by a page, also when they are refused. */
export function createSharedWeekHandler(
  context: ApiContext,
  {weeks, write, policy, rateLimits}: SharedWeekSource,
): RequestHandler {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'X-Robots-Tag': 'noindex, nofollow',
    Vary: 'Accept-Language',
  };
  return createSecretAddressHandler(context, {
    operation: 'readSharedWeek',
    rateLimits,
    find: weeks.requireShare,
    read: async (share, {quota, deadline, language}) =>
      write.week(await weeks.readSharedWeek(share, quota, {deadline}), language),
    headers: {...headers, 'Cache-Control': 'private, no-cache'},
    presentRefusal({code, error, requestId}, language) {
      const isOver = code === 'invalid_token';
      const {publicUrl} = context;
      const site = {publicUrl, instance: '/shared', requestId};
      const {status, headers: given} = presentProblem(
        isOver ? 'not_found' : (error?.code ?? 'internal_error'),
        '',
        site,
        error,
      );
      const reason = isOver ? 'over' : error === undefined ? 'failed' : 'later';
      const retryAfter = given?.['Retry-After'];
      return {
        status,
        headers: {...headers, ...(retryAfter !== undefined && {'Retry-After': retryAfter})},
        body: write.refusal(reason, requestId, language),
      };
    },
  });
}
