import {Resolver, lookup as lookUp} from 'node:dns/promises';
import type {LookupAddress} from 'node:dns';

/** Resolves to all addresses of a name. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface ResolverOptions {
  /** True to ask the operating system (hosts file, search domains) for names that the DNS does not know. */
  readonly system: boolean;
  readonly timeoutMs: number;
  /** Name servers to use instead of those of the system: `address:port`. */
  readonly servers?: readonly string[];
  /** The operating system's look-up, which tests replace. */
  readonly lookup?: (hostname: string) => Promise<readonly LookupAddress[]>;
}

/**
 * Resolves names by DNS queries and not with `getaddrinfo`. That function runs on two threads, which the
 * look-ups for Slack and the store share, and would make them wait. With `system`, `getaddrinfo` is asked for
 * names that the DNS does not know. Such names are internal, so this is useful only if the operator has
 * allowed an internal network. These look-ups run one at a time, and never after a DNS time-out.
 */
export function createResolver({
  system,
  timeoutMs,
  servers,
  lookup = (hostname) => lookUp(hostname, {all: true}),
}: ResolverOptions): Resolve {
  const resolver = new Resolver({timeout: timeoutMs, tries: 2});
  if (servers !== undefined) resolver.setServers(servers);
  // The first connections of a webhook open at the same time, so they share one query. Its result is not
  // cached.
  const asked = new Map<string, Promise<readonly LookupAddress[]>>();
  const waiting = new Set<() => void>();
  let isLookingUp = false;

  async function lookUpHost(hostname: string): Promise<readonly LookupAddress[]> {
    if (system && /(^|\.)localhost\.?$/.test(hostname)) return lookUpWithSystem(hostname);
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const [four, six] = found;
    const addresses = [...addAddressFamily(four, 4), ...addAddressFamily(six, 6)];
    if (addresses.length > 0) return addresses;
    if (system && !found.some(hasTimedOut)) return lookUpWithSystem(hostname);
    throw four.status === 'rejected' ? four.reason : new Error(`No address for ${hostname}`);
  }

  /** Looks a name up with the system. The time limit includes the wait for earlier look-ups. */
  function lookUpWithSystem(hostname: string): Promise<readonly LookupAddress[]> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        waiting.delete(start);
        isLookingUp = true;
        lookup(hostname)
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(timer);
            isLookingUp = false;
            const [next] = waiting;
            next?.();
          });
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(new Error(`${hostname} was not looked up in time`));
      }, timeoutMs);
      if (isLookingUp) waiting.add(start);
      else start();
    });
  }

  return (hostname) => {
    let answer = asked.get(hostname);
    if (answer === undefined) {
      answer = lookUpHost(hostname).finally(() => asked.delete(hostname));
      asked.set(hostname, answer);
    }
    return answer;
  };
}

function addAddressFamily(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({address, family})) : [];
}

function hasTimedOut(answer: PromiseSettledResult<string[]>): boolean {
  return answer.status === 'rejected' && (answer.reason as NodeJS.ErrnoException).code === 'ETIMEOUT';
}
