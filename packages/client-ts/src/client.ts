import type {ClientPathsWithMethod, MaybeOptionalInit, MethodResponse} from 'openapi-fetch';
import {type ApiClient, type ApiClientOptions, createApiClient} from './api-client.js';
import {ProblemError} from './errors.js';
import type {Paths} from './schema.js';
import {createSender, isJson, realClock} from './sender.js';

export interface ClientOptions extends ApiClientOptions {
  /** The time (ms) that a call with its retries may take. Default: 30 seconds. 0: only one try. */
  readonly retryWithinMs?: number;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** The paths that have a method. */
export type PathOf<M extends Method> = ClientPathsWithMethod<ApiClient, M>;
/** The parameters and the body of a call. */
export type InitOf<M extends Method, Path extends PathOf<M>> = MaybeOptionalInit<Paths[Path], M>;
/** The data of a successful answer; nothing if it has no body. */
export type AnswerOf<M extends Method, Path extends PathOf<M>, Init = {}> = [
  MethodResponse<ApiClient, M, Path, Init>,
] extends [never]
  ? void
  : MethodResponse<ApiClient, M, Path, Init>;

/** The parameter is left out where an operation needs none. */
export type OptionalInit<Init> = {} extends Init ? [init?: Init] : [init: Init];

type Call<M extends Method> = <Path extends PathOf<M>, Init extends InitOf<M, Path>>(
  path: Path,
  ...init: OptionalInit<Init>
) => Promise<AnswerOf<M, Path, Init>>;

/**
 * The API by method and path, with the types of the OpenAPI document. Each call returns the data of the
 * answer, and throws a `ProblemError` or a `NoAnswerError`. `signal` ends a call.
 */
export interface StandupClient {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
  /**
   * The same calls with openapi-fetch's `{data, error, response}`: for the headers of an answer, and for
   * `If-None-Match`. They are repeated and have keys too, but do not throw for a refusal.
   */
  readonly raw: ApiClient;
}

/**
 * Creates a client for one address and one access token. Calls are repeated after no answer, 429 and 5xx, and
 * every change has an idempotency key, unless `params.header` gives one.
 */
export function createClient({retryWithinMs = 30_000, ...options}: ClientOptions): StandupClient {
  const send = options.fetch ?? ((request: Request) => fetch(request));
  const raw = createApiClient({
    ...options,
    fetch: createSender({send, withinMs: retryWithinMs, clock: realClock}),
  });
  // `Call` connects a path with its parameters and its answer. In here all paths are alike.
  const request = raw.request as unknown as (
    method: string,
    path: string,
    init: object,
  ) => Promise<{readonly data?: unknown; readonly error?: unknown; readonly response: Response}>;
  const createCall = <M extends Method>(method: M) =>
    (async (path: string, init: {parseAs?: string} = {}) => {
      const parseAs = init.parseAs ?? 'text';
      const {data, error, response} = await request(method, path, {...init, parseAs});
      if (!response.ok) throw new ProblemError(response, error);
      if (init.parseAs !== undefined || response.status === 204) return data;
      // A proxy or a wrong address may answer 200 with a page.
      if (!isJson(response)) throw new ProblemError(response, undefined);
      return JSON.parse(String(data)) as unknown;
    }) as unknown as Call<M>;
  return {
    GET: createCall('get'),
    POST: createCall('post'),
    PUT: createCall('put'),
    PATCH: createCall('patch'),
    DELETE: createCall('delete'),
    raw,
  };
}

/**
 * The header by which a change fails with `precondition_failed` if someone else has changed the object since:
 * `params: {path, header: ifMatch(standup)}`.
 */
export function ifMatch({revision}: {readonly revision: number}): {'If-Match': string} {
  return {'If-Match': `"${revision}"`};
}
