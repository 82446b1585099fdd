import {appendFileSync} from 'node:fs';
import type {BrowserContext, Request, Response} from 'playwright-core';
import {checkExchange} from '../../support/contract.js';
import {operationIdOf, requestViolations, type SentRequest} from '../../support/request-contract.js';

/** One request of a page and what was answered. */
export interface PageRequest extends SentRequest {
  /** The id of a documented operation, or what else a page may ask for; `none` is a fault. */
  readonly operation: string | 'asset' | 'door' | 'none';
  /** 0: no answer came, or the page did not wait for it. */
  readonly status: number;
  /** What an operation answered; undefined when the page has not read it. */
  readonly answer:
    | {readonly etag: string | undefined; readonly location: string | undefined; readonly text: string}
    | undefined;
}

export interface Recorder {
  /** In the order of their answers, for as long as the visit lasts. */
  readonly requests: readonly PageRequest[];
  /** Requests that no page may make, and answers that are not as documented. */
  readonly violations: readonly string[];
  /** Requests without an answer yet. */
  readonly underWay: () => number;
  /** Resolves when whatever was answered is checked. */
  untilChecked(): Promise<void>;
  /** Forgets all requests: those of the next visit come. */
  forget(): void;
}

/** Everything at /app that is asked by script, and nothing more: docs/dashboard.md. */
const sessionRoutes = [
  /^POST \/app\/session$/,
  /^DELETE \/app\/session(\?everywhere=true)?$/,
  /^POST \/app\/session\/token$/,
  /^GET \/app\/sign-in\/(?!callback)[\w-]+$/,
  /^GET \/app\/sign-in\/callback\?/,
];
const assets = /^\/(app\/assets\/[\w.-]+|docs\/icon\.svg)$/;

/** Holds every request of every page of a context against the API document from now on. */
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
  return operationIdOf(method, path) ?? 'none';
}

function requestProblems(request: PageRequest): string[] {
  const {operation, headers, status} = request;
  if (operation === 'none') return ['is no asset, no door route and no documented operation'];
  const token = headers['authorization'];
  if (operation === 'asset' || operation === 'door') {
    return token === undefined ? [] : ['carries a token, and is no operation'];
  }
  const violations = /^Bearer \S{20,}$/.test(token ?? '') ? [] : ['carries no Bearer token'];
  // The service says what is wrong with a text that somebody has typed.
  return status === 422 ? violations : [...violations, ...requestViolations(request)];
}

/** How long a body may take to come whole. */
const timeouts = 5_000;

function isStream(response: Response): boolean {
  return response.headers()['content-type']?.startsWith('text/event-stream') === true;
}

/** Undefined when the page has gone on, or never reads it to its end. */
async function bodyOf(response: Response): Promise<string | undefined> {
  if (isStream(response)) return '';
  // A 304 and a 204 have none, and Chromium keeps none of them.
  if ([204, 304].includes(response.status())) return '';
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeouts, undefined);
  });
  try {
    return await Promise.race([response.text(), tooLong]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** One line for each request of every page of the run: recorder.deep.test.ts and the end of the run read them. */
function tally({operation, method, status}: PageRequest): void {
  const file = process.env['TEST_PAGE_REQUESTS'];
  if (file !== undefined) appendFileSync(file, `${operation} ${method} ${status}\n`);
}
