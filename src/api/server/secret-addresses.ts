import type {Request, RequestHandler, Response} from 'express';
import type {AccessToken} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import type {Id} from '../../domain/core/ids.js';
import type {QuotaClaim, RateLimits} from '../../domain/core/quota.js';
import {findNetworkOfAddress} from '../http/client-address.js';
import {createContentEtag, presentNotModified} from '../http/present.js';
import {chooseRequestId} from '../http/request-id.js';
import {createDataHeaders} from '../http/security-headers.js';
import type {ApiContext} from './context.js';

/** The content of addresses whose path has a secret, which is their only credential. */
export interface SecretContent<
  Found extends {readonly workspace: Id<'workspace'>; readonly token: AccessToken},
> {
  /** The name in logs and metrics, which never have the path. */
  readonly operation: string;
  readonly rateLimits: RateLimits;
  /** Finds what a secret opens. Errors: `invalid_token`. */
  readonly find: (secret: string, limits: {readonly deadline: number}) => Promise<Found>;
  readonly read: (
    found: Found,
    request: {
      readonly quota: Omit<QuotaClaim, 'principal'>;
      readonly deadline: number;
      readonly language?: string;
    },
  ) => Promise<string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly presentRefusal: (
    refused: {readonly code: string; readonly error: AppError | undefined; readonly requestId: string},
    language: string | undefined,
  ) => SecretAnswer;
}

export interface SecretAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Buffer | undefined;
}

/** The number of requests for which a read counts: it computes the runs of many teams, or a whole report. */
const readCost = 10;

/**
 * Answers readers whose only credential is the secret in the path. No log, trace, metric or answer has that
 * path. A wrong secret counts as a failed authentication.
 */
export function createSecretAddressHandler<
  Found extends {readonly workspace: Id<'workspace'>; readonly token: AccessToken},
>(context: ApiContext, content: SecretContent<Found>): RequestHandler {
  const {publicUrl, log, meter, generateSuffix, now, pace, enter, countFailure, requestMs} = context;
  const {operation} = content;
  const secured = createDataHeaders(publicUrl);
  const quota = {limits: content.rateLimits, isWrite: false, count: readCost};

  async function read(secret: string, deadline: number, language: string | undefined) {
    await pace(undefined);
    const found = await content.find(secret, {deadline});
    const leave = await enter(found.workspace, (deadline - performance.now()) / 2);
    try {
      const body = await content.read(found, {quota, deadline, ...(language !== undefined && {language})});
      return {found, body};
    } finally {
      leave();
    }
  }

  /** Returns the refusal to show: none says whether a secret has been valid. */
  async function chooseRefusal(error: unknown, request: Request, deadline: number, requestId: string) {
    if (!(error instanceof AppError)) {
      log.error({request_id: requestId}, 'unexpected error', error);
      return {code: 'internal_error', error: undefined, requestId};
    }
    const tooMany = error.code === 'invalid_token' ? await countFailure(request.ip, deadline) : undefined;
    const shown = tooMany ?? error;
    return {code: shown.code, error: shown, requestId};
  }

  async function answer(request: Request, response: Response): Promise<void> {
    const begunAt = performance.now();
    const deadline = begunAt + requestMs;
    const requestId = chooseRequestId(request.headers['x-request-id'], generateSuffix, now());
    const secret = String(request.params['pass'] ?? '');
    const language = request.headers['accept-language'];
    let note: object = {};
    let reply: SecretAnswer;
    try {
      const {found, body} = await read(secret, deadline, language);
      note = {principal: found.token.holder.id, token: found.token.id, workspace: found.workspace};
      const tag = createContentEtag(body);
      const unchanged = presentNotModified(request.headers['if-none-match'], tag);
      reply =
        unchanged === undefined
          ? {status: 200, headers: {...content.headers, ETag: tag}, body}
          : {status: 304, headers: {...content.headers, ...unchanged.headers}};
    } catch (error) {
      const refused = await chooseRefusal(error, request, deadline, requestId);
      reply = content.presentRefusal(refused, language);
      note = {code: refused.code, network: findNetworkOfAddress(request.ip)};
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
