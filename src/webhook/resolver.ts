import {Resolver, lookup as lookUp} from 'node:dns/promises';
import type {LookupAddress} from 'node:dns';

/** All addresses of a name. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface ResolverOptions {
  /** Also asks the operating system (hosts file, search domains) for names that the DNS does not know. */
  readonly system: boolean;
  readonly timeoutMs: number;
  /** Name servers other than those of the system: `address:port`. */
  readonly servers?: readonly string[];
  /** The operating system's look-up. */
  readonly lookup?: (hostname: string) => Promise<readonly LookupAddress[]>;
}

/**
 * Resolves over the network without `getaddrinfo`, which shares two threads with the look-ups of Slack and of
 * the store, and blocks them as long as a name takes. A name that only the system knows is internal, so
 * `system` is useful only where the operator opened a network. Its look-ups run one at a time, and none
 * follows a time-out of the DNS.
 */
export function createResolver({
  system,
  timeoutMs,
  servers,
  lookup = (hostname) => lookUp(hostname, {all: true}),
}: ResolverOptions): Resolve {
  const resolver = new Resolver({timeout: timeoutMs, tries: 2});
  if (servers !== undefined) resolver.setServers(servers);
  // The first connections of a webhook are opened together: one query serves them all. Nothing is cached
  // after the answer.
  const asked = new Map<string, Promise<readonly LookupAddress[]>>();
  const waiting = new Set<() => void>();
  let isLookingUp = false;

  async function lookUpHost(hostname: string): Promise<readonly LookupAddress[]> {
    if (system && /(^|\.)localhost\.?$/.test(hostname)) return lookUpWithSystem(hostname);
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const [four, six] = found;
    const addresses = [...addFamily(four, 4), ...addFamily(six, 6)];
    if (addresses.length > 0) return addresses;
    if (system && !found.some(hasTimedOut)) return lookUpWithSystem(hostname);
    throw four.status === 'rejected' ? four.reason : new Error(`No address for ${hostname}`);
  }

  /** The time limit of a DNS query covers the wait in the queue and the answer together. */
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

function addFamily(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({address, family})) : [];
}

function hasTimedOut(answer: PromiseSettledResult<string[]>): boolean {
  return answer.status === 'rejected' && (answer.reason as NodeJS.ErrnoException).code === 'ETIMEOUT';
}
