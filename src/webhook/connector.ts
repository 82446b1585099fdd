import {isIP} from 'node:net';
import type {Socket} from 'node:net';
import type {LookupAddress} from 'node:dns';
import type {SecureContextOptions} from 'node:tls';
import {buildConnector} from 'undici';
import type {TlsSettings} from '../domain/webhooks/webhook-settings.js';
import type {AddressPolicy} from './address.js';
import {type Connect, Connection} from './connection.js';
import {type Destination, openTcpConnection} from './dial.js';
import type {Tunnel} from './proxy.js';
import type {Resolve} from './resolver.js';
import {createTrustSettings} from './tls.js';

/** The error for a target whose address is forbidden. */
class BlockedTargetError extends Error {
  readonly code = 'BLOCKED_TARGET';
}

/** The error for a host name without an address. */
class ResolutionError extends Error {
  readonly code = 'RESOLUTION_FAILED';
}

class ConnectTimeoutError extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Opens connections only to allowed addresses, and checks them before the first packet. A check after
 * connecting would be too late, because the receiver would have seen a TLS greeting. A name is resolved once,
 * and the connection uses the checked addresses, so no second resolution can differ. One forbidden address
 * forbids all, because an attacker could choose their order. A proxy gets a checked address too, never a
 * name.
 */
export function createConnector(options: {
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  readonly tls?: SecureContextOptions;
  /** The certificate settings for addresses inside an allowed network. All others are verified as usual. */
  readonly trust?: TlsSettings;
  readonly tunnel?: Tunnel;
  /** The function that aborts a connection being opened: undici only knows open connections. */
  readonly opening?: Set<() => void>;
}): Connect {
  const {policy, resolve, timeoutMs, tls, trust, tunnel, opening} = options;
  // Verified and unverified connections have separate session tickets, because a resumed session is not
  // verified again.
  const strict = buildConnector({...tls, timeout: 0});
  let relaxed: buildConnector.connector | undefined;

  function chooseTlsConnector({remoteAddress}: Connection): buildConnector.connector {
    if (trust === undefined || remoteAddress === undefined || !policy.opens(remoteAddress)) return strict;
    relaxed ??= buildConnector({...createTrustSettings(trust, tls), timeout: 0});
    return relaxed;
  }

  async function resolveAllowedAddresses(
    hostname: string,
    protocol: string,
  ): Promise<readonly LookupAddress[]> {
    const admits = protocol === 'https:' ? policy.allows : policy.opens;
    const family = isIP(hostname);
    const addresses = family === 0 ? await resolveHost(hostname) : [{address: hostname, family}];
    if (!addresses.every(({address}) => admits(address))) {
      throw new BlockedTargetError('The address may not be dialled.');
    }
    return addresses;
  }

  async function resolveHost(hostname: string): Promise<readonly LookupAddress[]> {
    const addresses = await resolve(hostname).catch((cause: unknown) => {
      throw new ResolutionError('The name cannot be resolved.', {cause});
    });
    if (addresses.length === 0) throw new ResolutionError('The name has no address.');
    return addresses;
  }

  /** Opens a TCP connection to the receiver, through the proxy if there is one. */
  async function connectToReceiver(destination: Destination, connection: Connection): Promise<Socket> {
    if (tunnel !== undefined) return tunnel(destination, connection);
    const socket = await openTcpConnection(destination, connection);
    connection.remoteAddress = socket.remoteAddress;
    return socket;
  }

  async function openConnection(
    target: buildConnector.Options,
    connection: Connection,
    isGivenUp: () => boolean,
  ): Promise<Socket> {
    const {hostname, protocol} = target;
    const addresses = await resolveAllowedAddresses(hostname, protocol);
    connection.resolvedAt = performance.now();
    // The request is no longer waiting, so a connection would be useless.
    if (isGivenUp()) throw new ConnectTimeoutError('The connection came too late.');
    const port = Number(target.port) || (protocol === 'https:' ? 443 : 80);
    const socket = await connectToReceiver({addresses, port}, connection);
    connection.connectedAt = performance.now();
    if (protocol !== 'https:') return socket;
    const secured = await startTls(chooseTlsConnector(connection), {...target, httpSocket: socket}, socket);
    connection.securedAt = performance.now();
    return secured;
  }

  return (target, callback, connection = new Connection()) => {
    let isDone = false;
    const fail = (error: Error): void => {
      if (isDone) return;
      isDone = true;
      ended();
      connection.socket?.destroy();
      callback(error, null);
    };
    const timer = setTimeout(() => fail(new ConnectTimeoutError('No connection in time.')), timeoutMs);
    timer.unref();
    const close = (): void => fail(new ConnectTimeoutError('Closing.'));
    const ended = (): void => {
      clearTimeout(timer);
      opening?.delete(close);
    };
    opening?.add(close);
    openConnection(target, connection, () => isDone).then((socket) => {
      if (isDone) {
        socket.destroy();
        return;
      }
      isDone = true;
      ended();
      callback(null, socket);
    }, fail);
  };
}

function startTls(
  connect: buildConnector.connector,
  target: buildConnector.Options,
  plain: Socket,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // TLS notices the end of its socket, but not every error.
    plain.once('error', reject);
    connect(target, (...[error, socket]) => (error === null ? resolve(socket) : reject(error)));
  });
}
