import type {Request, RequestHandler, Response} from 'express';
import {AppError} from '../../domain/core/errors.js';
import type {RateLimits} from '../../domain/core/quota.js';
import type {WriteCalendarFile} from '../../domain/schedules/calendar-feed.js';
import type {Services} from '../../service/services.js';
import {findNetworkOfAddress} from '../http/client-address.js';
import {createContentEtag, presentNotModified} from '../http/present.js';
import {presentProblem} from '../http/problems.js';
import {chooseRequestId} from '../http/request-id.js';
import {createDataHeaders} from '../http/security-headers.js';
import type {ApiContext} from './context.js';

/** The reads of calendar feeds, and how they are written. */
export interface CalendarFeedSource {
  readonly feeds: Services['calendarFeeds'];
  readonly write: WriteCalendarFile;
  readonly rateLimits: RateLimits;
}

const operation = 'readCalendarFeed';
/** The number of requests for which a read counts: it computes the runs of many teams. */
const readCost = 10;
/** The path in problems: the real one has a secret. */
const shownPath = '/calendar';

/**
 * Answers calendar applications, whose only credential is the secret in the path. No log, trace, metric or
 * answer has that path. A wrong secret counts as a failed authentication.
 */
export function createCalendarFeedHandler(context: ApiContext, source: CalendarFeedSource): RequestHandler {
  const {publicUrl, log, meter, generateSuffix, now, pace, enter, countFailure, requestMs} = context;
  const secured = createDataHeaders(publicUrl);
  const quota = {limits: source.rateLimits, isWrite: false, count: readCost};

  async function read(text: string, deadline: number) {
    await pace(undefined);
    const feed = await source.feeds.requireFeed(text, {deadline});
    const leave = await enter(feed.workspace, (deadline - performance.now()) / 2);
    try {
      return {feed, body: source.write(await source.feeds.readFeed(feed, quota, {deadline}))};
    } finally {
      leave();
    }
  }

  async function refuse(error: unknown, request: Request, deadline: number, requestId: string) {
    const site = {publicUrl, instance: shownPath, requestId};
    if (!(error instanceof AppError)) {
      log.error({request_id: requestId}, 'unexpected error', error);
      const detail = 'An internal error occurred. Report the request_id.';
      return {code: 'internal_error', ...presentProblem('internal_error', detail, site)};
    }
    const {code, message} = error;
    if (code !== 'invalid_token') return {code, ...presentProblem(code, message, site, error)};
    const tooMany = await countFailure(request.ip, deadline);
    // Calendars ask for a password after 401, but nobody has one.
    return tooMany === undefined
      ? {code, ...presentProblem('not_found', message, site)}
      : {code: tooMany.code, ...presentProblem(tooMany.code, tooMany.message, site, tooMany)};
  }

  async function answer(request: Request, response: Response): Promise<void> {
    const begunAt = performance.now();
    const deadline = begunAt + requestMs;
    const requestId = chooseRequestId(request.headers['x-request-id'], generateSuffix, now());
    const text = String(request.params['pass'] ?? '');
    let note: object = {};
    let reply: {
      status: number;
      headers?: Readonly<Record<string, string>>;
      body?: string | Buffer;
      code?: string;
    };
    try {
      const {feed, body} = await read(text, deadline);
      const {token, workspace} = feed;
      note = {principal: token.holder.id, token: token.id, workspace};
      const tag = createContentEtag(body);
      const shown = {'Cache-Control': 'private, max-age=900', ETag: tag};
      const unchanged = presentNotModified(request.headers['if-none-match'], tag);
      reply =
        unchanged === undefined
          ? {status: 200, headers: {...shown, 'Content-Type': 'text/calendar; charset=utf-8'}, body}
          : {status: 304, headers: {...unchanged.headers, ...shown}};
    } catch (error) {
      reply = await refuse(error, request, deadline, requestId);
      note = {code: reply.code, network: findNetworkOfAddress(request.ip)};
    }
    const {status, headers, body} = reply;
    response.writeHead(status, {
      ...secured,
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      ...(body !== undefined && {'Content-Length': String(Buffer.byteLength(body))}),
      ...headers,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    const ms = performance.now() - begunAt;
    meter.countRequest(operation, request.method, status, ms);
    log.info(
      {
        request_id: requestId,
        operation,
        method: request.method,
        status,
        ms: Math.round(ms * 10) / 10,
        ...note,
      },
      'request',
    );
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({operation}, 'could not send the answer', error);
      response.destroy();
    });
  };
}
