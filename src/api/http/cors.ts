import cors from 'cors';
import type {RequestHandler} from 'express';

/** The request headers that web pages may send: all that the API reads. */
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'X-Request-Id',
  'traceparent',
];

/** The answer headers that web pages may read, besides the few that are always allowed. */
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

/** The time (s) for which browsers may cache a preflight answer; none keeps it over two hours. */
const preflightLifetime = 600;

/**
 * Lets web pages of exactly these origins call the API (Fetch standard, CORS protocol). Cookies are not
 * allowed, as a page sends a Bearer token instead. `allowCorsMethods` completes the answer to a preflight.
 */
export function allowCorsOrigins(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: [],
    allowedHeaders: requestHeaders,
    exposedHeaders: responseHeaders,
    maxAge: preflightLifetime,
    preflightContinue: true,
  });
}

/** Answers a preflight request with the methods of one path. It runs after `allowCorsOrigins`. */
export function allowCorsMethods(methods: readonly string[]): RequestHandler {
  const list = methods.join(', ');
  return (_, response, next) => {
    if (response.hasHeader('Access-Control-Allow-Origin'))
      response.setHeader('Access-Control-Allow-Methods', list);
    next();
  };
}
