import ipaddr from 'ipaddr.js';

/** The addresses of this service itself. */
export interface OwnAddresses {
  /** The public origin of the service. */
  readonly publicUrl: string;
  /** The address on which the service listens. Port 0 means any free port, which is not known in advance. */
  readonly listening: {readonly host: string; readonly port: number};
  /** The addresses of this machine's network interfaces. */
  readonly addresses: readonly string[];
}

/**
 * Returns why a webhook URL that leads to this service is forbidden: its events would cause new events
 * without end. Undefined when it leads elsewhere, or here by an unknown name. Such a request is refused when
 * it arrives (`webhook_loop`).
 */
export function findOwnServiceError(url: string, own: OwnAddresses): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  const target = parseEndpoint(parsed);
  const published = parseEndpoint(new URL(own.publicUrl));
  const isOurs =
    (target.host === published.host && target.port === published.port) ||
    (target.port === own.listening.port && isOwnListener(target.host, own));
  return isOurs ? 'The URL leads to this service itself, which takes no webhooks.' : undefined;
}

function parseEndpoint({hostname, port, protocol}: URL): {host: string; port: number} {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return {host: normalizeHost(host), port: Number(port) || (protocol === 'https:' ? 443 : 80)};
}

/** Returns an address in one notation: `::ffff:127.0.0.1` becomes `127.0.0.1`. */
function normalizeHost(host: string): string {
  return ipaddr.isValid(host) ? ipaddr.process(host).toString() : host;
}

function isOwnListener(host: string, {listening, addresses}: OwnAddresses): boolean {
  const bound = normalizeHost(listening.host);
  const everywhere = bound === '0.0.0.0' || bound === '::';
  if (/(^|\.)localhost$/.test(host)) return everywhere || isLoopback(bound);
  if (host === bound) return true;
  return everywhere && (isLoopback(host) || addresses.some((address) => normalizeHost(address) === host));
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback');
}
