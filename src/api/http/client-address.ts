import ipaddr from 'ipaddr.js';

/**
 * Returns the network of a client's address: the address itself, or the /64 of an IPv6 address, whose owner
 * has all addresses in it. Some proxies add a port, which is removed. Text that is no address is returned
 * unchanged, because our own proxy has written it.
 */
export function findNetworkOfAddress(address?: string): string {
  return findPrefixOfAddress(address, 64);
}

/** Returns the /48 of an IPv6 address, in which one customer of a provider may have all networks. */
export function findSiteOfAddress(address?: string): string {
  return findPrefixOfAddress(address, 48);
}

function findPrefixOfAddress(address = 'unknown', bits: 48 | 64): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, bits / 16)
    .map((part) => part.toString(16))
    .join(':')}::/${bits}`;
}
