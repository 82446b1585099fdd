import {networkInterfaces} from 'node:os';

/**
 * The addresses of this machine's interfaces. A service that listens on a public one may trust its own
 * machine; an operator who wants to allow it opens the address.
 */
export function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map(({address}) => address);
}
