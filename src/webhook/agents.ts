import {Agent, Pool} from 'undici';
import type {Client, Dispatcher} from 'undici';
import type {TlsSettings} from '../domain/webhooks/webhook-settings.js';
import {processBounds} from '../domain/core/limits.js';
import {type CarriedOptions, type Connect, ConnectionClient} from './connection.js';
import {composeTlsCacheKey} from './tls.js';

type Tls = TlsSettings | null | undefined;

/**
 * The connections to receivers, kept apart by how a receiver is verified. A connection without verification
 * must never be used for a webhook that requires one.
 */
export type Agents = ReturnType<typeof createAgents>;

/**
 * The number of agents with special settings that are kept open. Above it, agents that were unused for a
 * minute are closed. An agent in use is never closed, because one customer's settings must not close
 * another's connections.
 */
const maxIdleKept = 32;
const idleMs = 60_000;

const ofConnections = {
  pipelining: 1,
  keepAliveTimeout: 4000,
  keepAliveMaxTimeout: 60_000,
  maxHeaderSize: processBounds.answerHeadBytes,
  // The time limits of undici are off, because the deadline queue limits the whole request.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const;

interface CachedAgent {
  readonly agent: Agent;
  readonly connect: Connect;
}

export function createAgents(options: {
  /** The maximum number of connections to an origin; by default as many as there are requests. */
  readonly connections?: number;
  readonly connectWith: (tls: TlsSettings | undefined) => Connect;
}) {
  const usual = createAgent(undefined);
  /** Agents with special settings, in the order of their last use (monotonic ms). */
  const special = new Map<string, CachedAgent & {usedAt: number}>();
  /** Agents that close when their last request has ended. */
  const leaving = new Set<Dispatcher>();

  function createAgent(tls: TlsSettings | undefined): CachedAgent {
    const connect = options.connectWith(tls);
    const agent = new Agent({
      ...ofConnections,
      connect,
      ...(options.connections !== undefined && {connections: options.connections}),
      factory: (origin, poolOptions: Pool.Options) =>
        new Pool(origin, {
          ...poolOptions,
          factory: (to, clientOptions: Client.Options) => new ConnectionClient(to, clientOptions, connect),
        }),
    });
    return {agent, connect};
  }

  function closeIdleAgents(now: number): void {
    for (const [key, {agent, usedAt}] of special) {
      if (special.size < maxIdleKept || now - usedAt < idleMs) return;
      special.delete(key);
      closeDispatcher(agent);
    }
  }

  function closeDispatcher(dispatcher: Dispatcher): void {
    leaving.add(dispatcher);
    const forget = (): void => void leaving.delete(dispatcher);
    dispatcher.close().then(forget, forget);
  }

  function findCachedAgent(tls: Tls): CachedAgent {
    const key = composeTlsCacheKey(tls);
    if (key === '') return usual;
    const now = performance.now();
    let kept: CachedAgent | undefined = special.get(key);
    if (kept === undefined) {
      closeIdleAgents(now);
      kept = createAgent(tls ?? undefined);
    }
    special.delete(key);
    special.set(key, {...kept, usedAt: now});
    return kept;
  }

  return {
    dispatch(tls: Tls, request: CarriedOptions, handler: Dispatcher.DispatchHandler): void {
      findCachedAgent(tls).agent.dispatch(request, handler);
    },
    /** Sends a request over a separate connection, which ends with the answer. */
    dispatchFresh(tls: Tls, request: CarriedOptions, handler: Dispatcher.DispatchHandler): void {
      const line = new ConnectionClient(request.origin ?? '', ofConnections, findCachedAgent(tls).connect);
      line.dispatch({...request, reset: true}, handler);
      closeDispatcher(line);
    },
    /** Closes every connection. Requests in progress fail. */
    async destroy(): Promise<void> {
      const kept = [...special.values()].map(({agent}) => agent);
      await Promise.all([usual.agent, ...kept, ...leaving].map((dispatcher) => dispatcher.destroy()));
      special.clear();
    },
  };
}
