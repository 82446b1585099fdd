import ipaddr from 'ipaddr.js';

/**
 * The network that a client's address is counted as: the address itself, or the /64 of an IPv6 one, since its
 * owner has all addresses in it. Some proxies put a port behind the address. A text that is no address is
 * taken as it is: our own proxy has written it.
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
