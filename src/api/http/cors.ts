import cors from 'cors';
import type {RequestHandler} from 'express';

/** Headers that a page may send: all that the API reads. */
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  'traceparent',
];

/** Headers of an answer that a page may read, besides the few that every page may read. */
const responseHeaders = [
  'ETag',
  'Link',
  'Location',
  'Content-Disposition',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'Idempotent-Replayed',
  'WWW-Authenticate',
  'Deprecation',
  'Sunset',
];

/** Seconds for which a browser may keep the answer to a preflight; none keeps it longer than two hours. */
const preflightLifetime = 600;

/**
 * Lets pages of exactly these origins call the API (Fetch standard, CORS protocol). No credentials: the API
 * takes a Bearer token that the page itself has, and no cookies. A preflight goes on to the handler of
 * `OPTIONS`; see `allowMethods`.
 */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: [],
    allowedHeaders: requestHeaders,
    exposedHeaders: responseHeaders,
    maxAge: preflightLifetime,
    preflightContinue: true,
  });
}

/** Answers a preflight with the methods of one path; comes after `allowOrigins`. */
export function allowMethods(methods: readonly string[]): RequestHandler {
  const list = methods.join(', ');
  return (_, response, next) => {
    if (response.hasHeader('Access-Control-Allow-Origin'))
      response.setHeader('Access-Control-Allow-Methods', list);
    next();
  };
}
