import {networkInterfaces} from 'node:os';

/**
 * The addresses of this machine's interfaces. What listens on a public one of them may trust its own machine; an operator who means it opens
 * the address.
 */
export function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map(({address}) => address);
}
