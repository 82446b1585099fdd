// src/webhook/: outgoing HTTP, with allowed addresses, signatures, and one request at a time. It has no Redis
// and no queue, and makes no decisions about retries.
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
  /** The headers, with names in lower case. `content-type` and `user-agent` are added if missing. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The way in which the receiver is verified, if its address is inside an allowed network. All other
   * receivers are verified as usual.
   */
  readonly tls?: TlsSettings | null;
  /** Aborts the request, with the result `aborted`. */
  readonly signal?: AbortSignal;
  /** Called right before the first byte is sent. If it returns false, the request is aborted. */
  readonly maySend?: () => boolean;
}

export interface SenderOptions {
  readonly policy: AddressPolicy;
  readonly userAgent: string;
  /** The time limit from the call to the end of the body, including the wait for a connection. */
  readonly timeoutMs?: number;
  readonly maxResponseBytes?: number;
  /**
   * The maximum number of connections to one origin; further requests wait. By default no request waits,
   * because the slow requests of one customer must not delay another's. Each webhook has its own limit.
   */
  readonly connectionsPerOrigin?: number;
  /** Returns Unix milliseconds, for a `Retry-After` that is a date. */
  readonly wallClock?: () => number;
  readonly resolve?: Resolve;
  /** Additional TLS settings, such as certificate authorities. */
  readonly tls?: SecureContextOptions;
  /** The proxy for every connection: `http://` or `https://`, with `user:password@` if necessary. */
  readonly proxyUrl?: string;
}

export type Sender = ReturnType<typeof createSender>;

const maxKeptTargets = 2048;
const dnsTimeoutMs = 3000;

export function createSender(options: SenderOptions) {
  const {policy, userAgent, timeoutMs = 15_000, maxResponseBytes = 16 * 1024, wallClock = Date.now} = options;
  const resolve = options.resolve ?? createResolver({system: policy.opensAny, timeoutMs: dnsTimeoutMs});
  const tunnel =
    options.proxyUrl === undefined
      ? undefined
      : createTunnel({
          url: options.proxyUrl,
          // The time for the proxy is shorter than that of the request. Otherwise a proxy that does not
          // answer would look like a slow receiver.
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

  function findCachedTarget(url: string): RequestTarget | string {
    let target = targets.get(url);
    if (target === undefined) {
      target = parseTarget(url, policy);
      if (targets.size >= maxKeptTargets) targets.clear();
      targets.set(url, target);
    }
    return target;
  }

  /** Adds the default headers, without a copy if nothing is missing. */
  function addDefaultHeaders(headers: SendRequest['headers']): SendRequest['headers'] {
    if ('content-type' in headers && 'user-agent' in headers) return headers;
    return {'content-type': 'application/json', 'user-agent': userAgent, ...headers};
  }

  function sendToTarget({origin, path}: RequestTarget, request: SendRequest): Promise<SendResult> {
    const {body, headers, signal, maySend} = request;
    return new Promise((resolveSend) => {
      // If no network is allowed, the TLS settings apply to no address, and need no separate connections.
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
    /**
     * Sends one POST and returns the result. It never rejects, and follows no redirects. If a reused connection
     * ends before the answer begins, it sends the request again on a new one.
     */
    async send(request: SendRequest): Promise<SendResult> {
      if (closed || request.signal?.aborted === true) return createUnsentResult('aborted');
      // The URL is checked again, because the rules may have become stricter since the webhook was created.
      const target = findCachedTarget(request.url);
      return typeof target === 'string' ? createUnsentResult('blocked') : sendToTarget(target, request);
    },
    /** Aborts the requests in progress and closes every connection. Wait first to let them finish. */
    async close(): Promise<void> {
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
