import {createHash, timingSafeEqual} from 'node:crypto';
import type {Request, RequestHandler, Response} from 'express';
import {AppError} from '../../domain/core/errors.js';
import {deadlines} from '../../domain/core/limits.js';
import type {CountFailure} from '../access/failed-authentications.js';

/** The source of `/metrics`, and the token that protects it. */
export interface MetricsSource {
  /** The Bearer token for metrics, which is a setting of the operator and no API token. */
  readonly token: string;
  readonly render: () => Promise<{contentType: string; text: string}>;
}

/**
 * Serves the metrics to callers with the right token. A wrong token counts as a failed authentication.
 * Errors: `authentication_required`, `invalid_token`, `rate_limited`.
 */
export function createMetricsHandler(
  {token, render}: MetricsSource,
  countFailure: CountFailure,
): RequestHandler {
  const expected = sha256(token);
  return async (request: Request, response: Response) => {
    const {authorization} = request.headers;
    if (authorization === undefined) {
      throw new AppError('authentication_required', 'Send `Authorization: Bearer <METRICS_TOKEN>`.');
    }
    const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
    // Hashes of equal length are compared, so that the time does not reveal how much of a token is right.
    if (!timingSafeEqual(sha256(given), expected)) {
      const tooMany = await countFailure(request.ip, performance.now() + deadlines.request);
      throw tooMany ?? new AppError('invalid_token', 'This is not the token of the metrics.');
    }
    const {contentType, text} = await render();
    response.set('Cache-Control', 'no-store').set('Content-Type', contentType).send(text);
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
