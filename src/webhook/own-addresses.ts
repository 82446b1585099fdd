import {networkInterfaces} from 'node:os';

/**
 * Lists the addresses of this machine, which webhooks may not reach by default, since a local service may
 * trust its own machine. An operator can allow them.
 */
export function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map(({address}) => address);
}
