import {appendFileSync} from 'node:fs';
import type {BrowserContext, Request, Response} from 'playwright-core';
import {checkExchange} from '../../support/contract.js';
import {findOperationId, findRequestViolations, type SentRequest} from '../../support/request-contract.js';

/** One request of a page, with its answer. */
export interface PageRequest extends SentRequest {
  /** The id of a documented operation, or another kind that a page may request; `none` is a violation. */
  readonly operation: string | 'asset' | 'door' | 'none';
  /** 0: no answer arrived, or the page did not wait for it. */
  readonly status: number;
  /** The answer of an operation; undefined when the page has not read it. */
  readonly answer:
    | {readonly etag: string | undefined; readonly location: string | undefined; readonly text: string}
    | undefined;
}

export interface Recorder {
  /** In the order of their answers, since the last `forget`. */
  readonly requests: readonly PageRequest[];
  /** Requests that no page may make, and answers that are not as documented. */
  readonly violations: readonly string[];
  /** Requests without an answer yet. */
  readonly underWay: () => number;
  /** Resolves when all answers so far are checked. */
  untilChecked(): Promise<void>;
  /** Forgets all requests, before another tab uses the context. */
  forget(): void;
}

/** All routes at /app that scripts call: see docs/dashboard.md. */
const sessionRoutes = [
  /^POST \/app\/session$/,
  /^DELETE \/app\/session(\?everywhere=true)?$/,
  /^POST \/app\/session\/(code|passkey|token)$/,
  /^POST \/app\/invite$/,
  /^GET \/app\/sign-in\/(?!callback)[\w-]+$/,
  /^GET \/app\/sign-in\/callback\?/,
  /^POST \/app\/reminder$/,
  /^POST \/app\/unsubscribe(?:\/[\w-]+)?$/,
];
const assets = /^\/(app\/assets\/[\w.-]+|app\/worker\.js|docs\/icon\.svg)$/;

/** Checks every request of every page of a context against the API document from now on. */
export function record(context: BrowserContext, origin: string): Recorder {
  const requests: PageRequest[] = [];
  const violations: string[] = [];
  const pending = new Set<Promise<void>>();
  const answered = new WeakSet<Request>();
  const underWay = new Set<Request>();

  function keep(request: Request, status: number): PageRequest {
    const kept = {...sentBy(request), operation: kindOf(request), status, answer: undefined};
    requests.push(kept);
    tally(kept);
    return kept;
  }

  async function check(response: Response): Promise<void> {
    answered.add(response.request());
    const kept = keep(response.request(), response.status());
    const {method, path, status, operation} = kept;
    const wrong = requestProblems(kept);
    const headers = response.headers();
    const text = operation === 'asset' ? undefined : await bodyOf(response);
    if (text !== undefined) {
      const {etag, location} = headers;
      requests[requests.indexOf(kept)] = {...kept, answer: {etag, location, text}};
      const get = (name: string) => headers[name.toLowerCase()];
      try {
        checkExchange({service: origin, method, path, status, headers: {get}, text});
      } catch (error) {
        wrong.push(String(error));
      }
    }
    for (const violation of wrong) violations.push(`${method} ${path} (${status}): ${violation}`);
  }

  const isOwn = (request: Request) => request.url().startsWith(`${origin}/`);
  context.on('request', (request) => void underWay.add(request));
  context.on('requestfinished', (request) => void underWay.delete(request));
  context.on('requestfailed', (request) => void underWay.delete(request));
  context.on('response', (response) => {
    if (isStream(response)) underWay.delete(response.request());
    if (!isOwn(response.request())) return;
    const checking = check(response).finally(() => pending.delete(checking));
    pending.add(checking);
  });
  context.on('requestfailed', (request) => {
    if (isOwn(request) && !answered.has(request)) keep(request, 0);
  });
  return {
    requests,
    violations,
    underWay: () => underWay.size,
    async untilChecked() {
      while (pending.size > 0) await Promise.all(pending);
    },
    forget() {
      requests.length = 0;
      violations.length = 0;
      underWay.clear();
    },
  };
}

function sentBy(request: Request): SentRequest {
  const {pathname, search} = new URL(request.url());
  const body = request.postData() ?? undefined;
  return {method: request.method(), path: `${pathname}${search}`, headers: request.headers(), body};
}

function kindOf(request: Request): string {
  const {method, path} = sentBy(request);
  if (sessionRoutes.some((route) => route.test(`${method} ${path}`))) return 'door';
  const isPage = request.resourceType() === 'document' && /^\/app([/?]|$)/.test(path);
  if (method === 'GET' && (isPage || assets.test(path))) return 'asset';
  return findOperationId(method, path) ?? 'none';
}

function requestProblems(request: PageRequest): string[] {
  const {operation, headers, status} = request;
  if (operation === 'none') return ['is no asset, no door route and no documented operation'];
  const token = headers['authorization'];
  if (operation === 'asset' || operation === 'door') {
    return token === undefined ? [] : ['carries a token, and is no operation'];
  }
  const violations = /^Bearer \S{20,}$/.test(token ?? '') ? [] : ['carries no Bearer token'];
  // A page may send an invalid input: the service reports its error.
  return status === 422 ? violations : [...violations, ...findRequestViolations(request)];
}

/** The maximum time (ms) for a whole body. */
const bodyTimeoutMs = 5_000;

function isStream(response: Response): boolean {
  return response.headers()['content-type']?.startsWith('text/event-stream') === true;
}

/** Undefined when the page was left, or never reads the body to its end. */
async function bodyOf(response: Response): Promise<string | undefined> {
  if (isStream(response)) return '';
  // 204 and 304 have no body, and Chromium rejects reading one.
  if ([204, 304].includes(response.status())) return '';
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, bodyTimeoutMs, undefined);
  });
  try {
    return await Promise.race([response.text(), tooLong]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Writes one line for each request of a page; the end of the run counts them (teardown-redis.mjs). */
function tally({operation, method, status}: PageRequest): void {
  const file = process.env['TEST_PAGE_REQUESTS'];
  if (file !== undefined) appendFileSync(file, `${operation} ${method} ${status}\n`);
}
