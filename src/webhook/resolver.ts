import {Resolver, lookup} from 'node:dns/promises';
import type {LookupAddress} from 'node:dns';

/** All addresses of a name. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Resolves over the network without `getaddrinfo`, whose few threads a handful of slow names would hold for every webhook.
 * `system: true` also asks the operating system (hosts file, search domains) for names public DNS does not know; such a name can only
 * lead inside, so it is of use only where the operator opened a network.
 */
export function createResolver({system, timeoutMs}: {system: boolean; timeoutMs: number}): Resolve {
  const resolver = new Resolver({timeout: timeoutMs, tries: 2});
  // The first connections of a webhook are opened together: one question answers them all. Nothing is kept after the answer.
  const asked = new Map<string, Promise<readonly LookupAddress[]>>();

  async function ask(hostname: string): Promise<readonly LookupAddress[]> {
    if (system && /(^|\.)localhost\.?$/.test(hostname)) return lookup(hostname, {all: true});
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [...tagged(four, 4), ...tagged(six, 6)];
    if (addresses.length > 0) return addresses;
    if (system) return lookup(hostname, {all: true});
    throw four.status === 'rejected' ? four.reason : new Error(`No address for ${hostname}`);
  }

  return (hostname) => {
    let answer = asked.get(hostname);
    if (answer === undefined) {
      answer = ask(hostname).finally(() => asked.delete(hostname));
      asked.set(hostname, answer);
    }
    return answer;
  };
}

function tagged(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({address, family})) : [];
}
