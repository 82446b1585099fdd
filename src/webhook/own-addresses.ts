import {networkInterfaces} from 'node:os';

/**
 * Lists the addresses of this machine. Webhooks may not reach them by default, since a local service may
 * trust requests from its own machine. An operator can allow them.
 */
export function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map(({address}) => address);
}
