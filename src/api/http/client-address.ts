import ipaddr from 'ipaddr.js';

/**
 * Whom a client's address stands for: the address itself, or the /64 of an IPv6 one, since whoever has one of those has them all. Some
 * proxies put a port behind the address. What is no address is taken as it is: it was our own proxy that wrote it.
 */
export function networkOf(address = 'unknown'): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
