import ipaddr from 'ipaddr.js';

/** The addresses that a webhook may reach. */
export type AddressPolicy = ReturnType<typeof createAddressPolicy>;

type Address = ReturnType<typeof ipaddr.parse>;
type Network = [Address, number];

// The addresses of cloud metadata services, which give out credentials. They are refused even inside an
// allowed network, because wide networks are allowed for other reasons.
const metadata = parseNetworks([
  // Most clouds; AWS containers; Tencent Cloud.
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  // AWS, and Kubernetes on AWS.
  'fd00:ec2::254',
  'fd00:ec2::23',
  // Google Cloud.
  'fd20:ce::254',
  // Azure (in a public range); Alibaba Cloud; Oracle Cloud.
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
]);

// RFC 4291: global unicast. All other addresses are private, unassigned, or lead to an IPv4 address
// (`::127.0.0.1`, NAT64's 64:ff9b::/96). The library ipaddr.js calls some of them unicast.
const globalUnicast = parseNetworks(['2000::/3']);

/**
 * Creates a policy that allows public addresses and the given networks (CIDRs or single addresses).
 * `denyNetworks` are refused although they are public, such as the machine's own addresses, unless they are
 * also allowed. Throws a sentence that names the unreadable entry.
 */
export function createAddressPolicy(options: {
  readonly allowNetworks: readonly string[];
  readonly denyNetworks?: readonly string[];
}) {
  const opened = parseNetworks(options.allowNetworks);
  const denied = parseNetworks(options.denyNetworks ?? []);
  function isInAllowedNetwork(address: Address): boolean {
    return isInNetworks(address, opened) && !isMetadataAddress(address);
  }
  return {
    /** True for a public address, or one in an allowed network. An unreadable address is refused. */
    allows(text: string): boolean {
      const address = parseAddress(text);
      if (address === undefined) return false;
      if (isInAllowedNetwork(address)) return true;
      return isPublicAddress(address) && !isInNetworks(address, denied) && !isMetadataAddress(address);
    },
    /** True only for an address inside an allowed network. Plain http needs this. */
    opens(text: string): boolean {
      const address = parseAddress(text);
      return address !== undefined && isInAllowedNetwork(address);
    },
    /** True when the operator has allowed any network. */
    opensAny: opened.length > 0,
  };
}

/** Parses an address. `::ffff:10.0.0.1` becomes the IPv4 address that the system connects to. */
function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function isPublicAddress(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (!('parts' in address)) return true;
  return isInNetworks(address, globalUnicast) && !isIsatapAddress(address.parts);
}

/** True for an ISATAP address (RFC 5214): a local router could forward to its IPv4 address. */
function isIsatapAddress(parts: readonly number[]): boolean {
  return parts[5] === 0x5efe && ((parts[4] ?? 0) & 0xfdff) === 0;
}

/** True for the address of a metadata service, also inside an IPv6 address with any prefix. */
function isMetadataAddress(address: Address): boolean {
  return [address, ...listEmbeddedAddresses(address)].some((one) => isInNetworks(one, metadata));
}

/**
 * Returns the IPv4 addresses that an IPv6 address may contain: in its last four bytes (NAT64, ISATAP,
 * compatible), or as in 6to4.
 */
function listEmbeddedAddresses(address: Address): Address[] {
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
