// Outbound HTTP: allowed addresses, signatures, and one request at a time.
// No decisions about retries or webhooks, no Redis, no queue.

import ipaddr from 'ipaddr.js';

/** The addresses that a webhook may reach. */
export interface AddressPolicy {
  /** True for a public address and for one inside an opened network. An unreadable address is refused. */
  allows: (address: string) => boolean;
  /** True only inside an opened network, which plain http requires. */
  opens: (address: string) => boolean;
  /** True when the operator opened anything at all. */
  readonly opensAny: boolean;
}

type Address = ReturnType<typeof ipaddr.parse>;
type Network = [Address, number];

// Instance metadata gives out credentials. Refused even inside an opened network, since a wide CIDR is opened
// for other reasons.
const metadata = parseNetworks([
  // Most clouds; AWS' containers; Tencent Cloud.
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  // AWS, and its Kubernetes.
  'fd00:ec2::254',
  'fd00:ec2::23',
  // Google Cloud.
  'fd20:ce::254',
  // Azure, in a public range; Alibaba Cloud; Oracle Cloud.
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
]);

// RFC 4291: global unicast. Everything outside is private, unassigned, or leads to an IPv4 address
// (`::127.0.0.1`, NAT64's 64:ff9b::/96); ipaddr.js calls some of it unicast.
const globalUnicast = parseNetworks(['2000::/3']);

/**
 * A policy that allows public addresses and the given networks (CIDRs or single addresses). `denyNetworks`
 * are refused though public, such as the machine's own addresses; an opened network overrides them. Throws a
 * sentence that names the unreadable entry.
 */
export function createAddressPolicy(options: {
  readonly allowNetworks: readonly string[];
  readonly denyNetworks?: readonly string[];
}): AddressPolicy {
  const opened = parseNetworks(options.allowNetworks);
  const denied = parseNetworks(options.denyNetworks ?? []);
  function isOpened(address: Address): boolean {
    return isInNetworks(address, opened) && !isMetadata(address);
  }
  return {
    allows(text) {
      const address = parseAddress(text);
      if (address === undefined) return false;
      if (isOpened(address)) return true;
      return isPublic(address) && !isInNetworks(address, denied) && !isMetadata(address);
    },
    opens(text) {
      const address = parseAddress(text);
      return address !== undefined && isOpened(address);
    },
    opensAny: opened.length > 0,
  };
}

/** IPv4-mapped IPv6 (`::ffff:10.0.0.1`) is read as the IPv4 address the system would dial. */
function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (!('parts' in address)) return true;
  return isInNetworks(address, globalUnicast) && !isIsatap(address.parts);
}

/** RFC 5214: an interface id of 5efe and an IPv4 address, which a local router would unwrap. */
function isIsatap(parts: readonly number[]): boolean {
  return parts[5] === 0x5efe && ((parts[4] ?? 0) & 0xfdff) === 0;
}

/** Also behind a gateway that unwraps IPv4: its network chooses the prefixes. */
function isMetadata(address: Address): boolean {
  return [address, ...embeddedAddresses(address)].some((one) => isInNetworks(one, metadata));
}

/**
 * The IPv4 addresses that an IPv6 address may contain: in its last four bytes (NAT64, ISATAP, compatible), or
 * as in 6to4.
 */
function embeddedAddresses(address: Address): Address[] {
  if (!('parts' in address)) return [];
  const bytes = address.toByteArray();
  return [bytes.slice(12), bytes.slice(2, 6)].map((four) => new ipaddr.IPv4(four));
}

function isInNetworks(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

function parseNetworks(entries: readonly string[]): Network[] {
  return entries.map((entry) => {
    if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
    const address = parseAddress(entry);
    if (address === undefined)
      throw new Error(`"${entry}" is not a network such as 10.0.0.0/8 or an address.`);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
}
