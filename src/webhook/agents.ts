import {Agent, Pool} from 'undici';
import type {Client, Dispatcher} from 'undici';
import type {TlsSettings} from '../domain/webhooks/webhook-settings.js';
import {type Connect, Line} from './connection.js';
import {tlsKey} from './tls.js';

/** Connections, kept apart by how a receiver proves itself: one made unverified must never serve a webhook that verifies. */
export interface Agents {
  get: (tls: TlsSettings | null | undefined) => Dispatcher;
  /** Closes every connection; what is in flight fails. */
  destroy: () => Promise<void>;
}

/**
 * Agents besides the usual one, each with its authorities in memory. Past so many, those are let go that nobody has used for a minute; one in
 * use never is, or the settings of one tenant would cost another its connections. So they are bounded by the webhooks that send within a minute.
 */
const maxIdleKept = 32;
const idleMs = 60_000;

export function createAgents(options: {
  /** To one origin; left out: as many as there are requests at a time. */
  readonly connections?: number;
  readonly connectWith: (tls: TlsSettings | undefined) => Connect;
}): Agents {
  const usual = createAgent(undefined);
  /** In the order of their last use, which stands beside each (monotonic ms). */
  const special = new Map<string, {agent: Agent; usedAt: number}>();
  /** Closing once their last request has ended. */
  const leaving = new Set<Agent>();

  function createAgent(tls: TlsSettings | undefined): Agent {
    const connect = options.connectWith(tls);
    return new Agent({
      connect,
      ...(options.connections !== undefined && {connections: options.connections}),
      factory: (origin, poolOptions: Pool.Options) =>
        new Pool(origin, {
          ...poolOptions,
          factory: (to, clientOptions: Client.Options) => new Line(to, clientOptions, connect),
        }),
      pipelining: 1,
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 60_000,
      maxHeaderSize: 16 * 1024,
      // The deadline queue looks after both, and after everything before them.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  function letIdleGo(now: number): void {
    for (const [key, {agent, usedAt}] of special) {
      if (special.size < maxIdleKept || now - usedAt < idleMs) return;
      special.delete(key);
      letGo(agent);
    }
  }

  function letGo(agent: Agent): void {
    leaving.add(agent);
    const forget = (): void => void leaving.delete(agent);
    agent.close().then(forget, forget);
  }

  return {
    get(tls) {
      const key = tlsKey(tls);
      if (key === '') return usual;
      const now = performance.now();
      let agent = special.get(key)?.agent;
      if (agent === undefined) {
        letIdleGo(now);
        agent = createAgent(tls ?? undefined);
      }
      special.delete(key);
      special.set(key, {agent, usedAt: now});
      return agent;
    },
    async destroy() {
      const kept = [...special.values()].map(({agent}) => agent);
      await Promise.all([usual, ...kept, ...leaving].map((agent) => agent.destroy()));
      special.clear();
    },
  };
}
