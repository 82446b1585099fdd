import type {SecureContextOptions} from 'node:tls';
import type {SendErrorClass, SendResult} from '../domain/webhooks/attempt.js';
import type {TlsSettings} from '../domain/webhooks/webhook-settings.js';
import type {AddressPolicy} from './address.js';
import {createAgents} from './agents.js';
import type {CarriedOptions} from './connection.js';
import {createConnector} from './connector.js';
import {createDeadlineQueue} from './deadline-queue.js';
import {Exchange} from './exchange.js';
import {createTunnel} from './proxy.js';
import {createResolver} from './resolver.js';
import type {Resolve} from './resolver.js';
import {parseTarget} from './target.js';
import type {RequestTarget} from './target.js';

export interface SendRequest {
  readonly url: string;
  readonly body: string | Buffer;
  /** Names in lower case. `content-type: application/json` and `user-agent` are added unless given. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * How the receiver is verified, if the address is inside an opened network; all others are verified as
   * usual.
   */
  readonly tls?: TlsSettings | null;
  /** Gives the request up with `aborted`. */
  readonly signal?: AbortSignal;
  /**
   * Called whenever a connection for it is ready, right before the first byte; false gives it up with
   * `aborted`.
   */
  readonly maySend?: () => boolean;
}

export interface SenderOptions {
  readonly policy: AddressPolicy;
  readonly userAgent: string;
  /** From the call until the body's end, including the wait for a connection. */
  readonly timeoutMs?: number;
  readonly maxResponseBytes?: number;
  /**
   * Connections to one origin; further requests wait within their own deadline. Left out: none waits. Tenants
   * share origins, and a request that waits behind the slow ones of another tenant would count against its
   * own webhook; each webhook is limited by its concurrency.
   */
  readonly connectionsPerOrigin?: number;
  /** Unix milliseconds, for a `Retry-After` that is a date. */
  readonly wallClock?: () => number;
  readonly resolve?: Resolve;
  /** Further certificate authorities and the like. */
  readonly tls?: SecureContextOptions;
  /** `http://` or `https://`, with `user:password@` if needed: every connection goes through it. */
  readonly proxyUrl?: string;
}

export interface Sender {
  /**
   * POSTs once and returns the result. Never rejects, follows no redirect. Only if a kept-alive connection
   * ends before a byte of the answer, it POSTs a second time, on a new one.
   */
  send: (request: SendRequest) => Promise<SendResult>;
  /**
   * Gives up requests in progress with `aborted` and closes every connection. Wait for the sends first to let
   * them finish.
   */
  close: () => Promise<void>;
}

const maxKeptTargets = 2048;
const dnsTimeoutMs = 3000;

export function createSender(options: SenderOptions): Sender {
  const {policy, userAgent, timeoutMs = 15_000, maxResponseBytes = 16 * 1024, wallClock = Date.now} = options;
  const resolve = options.resolve ?? createResolver({system: policy.opensAny, timeoutMs: dnsTimeoutMs});
  const tunnel =
    options.proxyUrl === undefined
      ? undefined
      : createTunnel({
          url: options.proxyUrl,
          // Well before the deadline of the request, or a hanging proxy would count as a hanging receiver.
          timeoutMs: timeoutMs / 3,
          ...(options.tls && {tls: options.tls}),
        });
  const opening = new Set<() => void>();
  const agents = createAgents({
    ...(options.connectionsPerOrigin !== undefined && {connections: options.connectionsPerOrigin}),
    connectWith: (trust) =>
      createConnector({
        policy,
        resolve,
        timeoutMs,
        ...(options.tls && {tls: options.tls}),
        opening,
        ...(tunnel && {tunnel}),
        ...(trust && {trust}),
      }),
  });
  const deadlines = createDeadlineQueue<Exchange>(timeoutMs, (exchange) => exchange.giveUp('timeout'));
  const targets = new Map<string, RequestTarget | string>();
  let closed = false;

  function cachedTargetOf(url: string): RequestTarget | string {
    let target = targets.get(url);
    if (target === undefined) {
      target = parseTarget(url, policy);
      if (targets.size >= maxKeptTargets) targets.clear();
      targets.set(url, target);
    }
    return target;
  }

  /** Not copied when there is nothing to add. */
  function addDefaultHeaders(headers: SendRequest['headers']): SendRequest['headers'] {
    if ('content-type' in headers && 'user-agent' in headers) return headers;
    return {'content-type': 'application/json', 'user-agent': userAgent, ...headers};
  }

  function sendToTarget({origin, path}: RequestTarget, request: SendRequest): Promise<SendResult> {
    const {body, headers, signal, maySend} = request;
    return new Promise((resolveSend) => {
      // With no network opened the settings can apply to no address, and need no separate connections.
      const tls = policy.opensAny ? request.tls : undefined;
      const sendFresh = (exchange: Exchange) => agents.dispatchFresh(tls, dispatched, exchange);
      const current = new Exchange({maxResponseBytes, wallClock, maySend, sendFresh}, (result) => {
        deadlines.remove(current);
        signal?.removeEventListener('abort', abort);
        resolveSend(result);
      });
      const abort = () => current.giveUp('aborted');
      signal?.addEventListener('abort', abort, {once: true});
      deadlines.add(current);
      const dispatched: CarriedOptions = {
        origin,
        path,
        method: 'POST',
        body,
        headers: addDefaultHeaders(headers),
        carried: current,
      };
      agents.dispatch(tls, dispatched, current);
    });
  }

  return {
    async send(request) {
      if (closed || request.signal?.aborted === true) return createUnsentResult('aborted');
      // Checked again: the rules may have become stricter since the webhook was created.
      const target = cachedTargetOf(request.url);
      return typeof target === 'string' ? createUnsentResult('blocked') : sendToTarget(target, request);
    },
    async close() {
      closed = true;
      for (const current of deadlines.waiting()) current.giveUp('aborted');
      deadlines.close();
      await agents.destroy();
      for (const end of opening) end();
    },
  };
}

function createUnsentResult(error: SendErrorClass): SendResult {
  return {error, durationMs: 0};
}
