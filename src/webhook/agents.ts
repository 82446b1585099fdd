import {Agent, Pool} from 'undici';
import type {Client, Dispatcher} from 'undici';
import type {TlsSettings} from '../domain/webhook-settings.js';
import {type Connect, Line} from './connection.js';
import {tlsKey} from './tls.js';

/** Connections, kept apart by how a receiver proves itself: one made unverified must never serve a webhook that verifies. */
export interface Agents {
  get(tls: TlsSettings | null | undefined): Dispatcher;
  /** Closes every connection; what is in flight fails. */
  destroy(): Promise<void>;
}

/** Agents besides the usual one. Webhooks with settings of their own are few; what has not been used for longest is let go. */
const maxSpecial = 32;

export function createAgents(options: {
  /** To one origin. */
  readonly connections: number;
  readonly connectWith: (tls: TlsSettings | undefined) => Connect;
}): Agents {
  const usual = createAgent(undefined);
  const special = new Map<string, Agent>();
  /** Closing once their last request has ended. */
  const leaving = new Set<Agent>();

  function createAgent(tls: TlsSettings | undefined): Agent {
    const connect = options.connectWith(tls);
    return new Agent({
      connect,
      connections: options.connections,
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

  function letGo(agent: Agent): void {
    leaving.add(agent);
    const forget = (): void => void leaving.delete(agent);
    agent.close().then(forget, forget);
  }

  return {
    get(tls) {
      const key = tlsKey(tls);
      if (key === '') return usual;
      let agent = special.get(key);
      if (agent === undefined) {
        agent = createAgent(tls ?? undefined);
        const [oldest] = special;
        if (special.size >= maxSpecial && oldest !== undefined) {
          special.delete(oldest[0]);
          letGo(oldest[1]);
        }
      } else {
        special.delete(key);
      }
      special.set(key, agent);
      return agent;
    },
    async destroy() {
      await Promise.all([usual, ...special.values(), ...leaving].map((agent) => agent.destroy()));
      special.clear();
    },
  };
}
