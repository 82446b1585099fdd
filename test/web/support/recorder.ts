import {appendFileSync} from 'node:fs';
import type {BrowserContext, Request, Response} from 'playwright-core';
import {checkExchange} from '../../support/contract.js';
import {operationIdOf, requestFaults} from '../../support/request-contract.js';

/** One request of a page and what was answered. */
export interface PageRequest {
  /** The id of a documented operation, or what else a page may ask for; `none` is a fault. */
  readonly operation: string | 'asset' | 'door' | 'none';
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string | undefined;
  /** 0: no answer came, or the page did not wait for it. */
  readonly status: number;
}

export interface Recorder {
  /** In the order of their answers. */
  readonly requests: readonly PageRequest[];
  /** Requests that no page may make, and answers that are not as documented. */
  readonly faults: readonly string[];
  /** Resolves when whatever was answered is checked. */
  settled(): Promise<void>;
}

/** Everything at /app that is asked by script, and nothing more: docs/dashboard.md. */
const doorRoutes = [
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
  const faults: string[] = [];
  const pending = new Set<Promise<void>>();

  function keep(request: Request, status: number): PageRequest {
    const {method, path} = addressOf(request);
    const body = request.postData() ?? undefined;
    const kept = {operation: kindOf(request), method, path, body, status};
    requests.push(kept);
    tally(kept);
    return kept;
  }

  async function check(response: Response): Promise<void> {
    const request = response.request();
    const kept = keep(request, response.status());
    const {method, path, operation} = kept;
    const wrong = requestProblems(request, kept);
    try {
      const headers = response.headers();
      if (operation !== 'asset') {
        const text = await bodyOf(response);
        if (text !== undefined) {
          const get = (name: string) => headers[name.toLowerCase()];
          checkExchange({service: origin, method, path, status: kept.status, headers: {get}, text});
        }
      }
    } catch (error) {
      wrong.push(String(error));
    }
    for (const fault of wrong) faults.push(`${method} ${path} (${kept.status}): ${fault}`);
  }

  const isOwn = (request: Request) => request.url().startsWith(`${origin}/`);
  context.on('response', (response) => {
    if (!isOwn(response.request())) return;
    const checking = check(response).finally(() => pending.delete(checking));
    pending.add(checking);
  });
  context.on('requestfailed', (request) => {
    if (isOwn(request)) keep(request, 0);
  });
  return {
    requests,
    faults,
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

function addressOf(request: Request): {method: string; path: string} {
  const {pathname, search} = new URL(request.url());
  return {method: request.method(), path: `${pathname}${search}`};
}

function kindOf(request: Request): string {
  const {method, path} = addressOf(request);
  if (doorRoutes.some((route) => route.test(`${method} ${path}`))) return 'door';
  const isPage = request.resourceType() === 'document' && /^\/app([/?]|$)/.test(path);
  if (method === 'GET' && (isPage || assets.test(path))) return 'asset';
  return operationIdOf(method, path) ?? 'none';
}

function requestProblems(request: Request, {operation, method, path, body, status}: PageRequest): string[] {
  if (operation === 'none') return ['is no asset, no door route and no documented operation'];
  const headers = request.headers();
  const token = /^Bearer \S{20,}$/.test(headers['authorization'] ?? '');
  if (operation === 'asset' || operation === 'door') {
    return headers['authorization'] === undefined ? [] : ['carries a token, and is no operation'];
  }
  const faults = token ? [] : ['carries no Bearer token'];
  // The service says what is wrong with a text that somebody has typed.
  if (status !== 422) faults.push(...requestFaults({method, path, headers, body}));
  return faults;
}

/** How long a body may take to come whole. */
const patience = 5_000;

/** Undefined when the page has gone on, or never reads it to its end. */
async function bodyOf(response: Response): Promise<string | undefined> {
  if (response.headers()['content-type']?.startsWith('text/event-stream')) return '';
  // A 304 and a 204 have none, and Chromium keeps none of them.
  if ([204, 304].includes(response.status())) return '';
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patience, undefined);
  });
  try {
    return await Promise.race([response.text(), tooLong]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** One line for each request of every page of the run: recorder.test.ts and the end of the run read them. */
function tally({operation, method, status}: PageRequest): void {
  const file = process.env['TEST_PAGE_REQUESTS'];
  if (file !== undefined) appendFileSync(file, `${operation} ${method} ${status}\n`);
}
