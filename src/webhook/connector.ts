import {isIP} from 'node:net';
import type {LookupFunction} from 'node:net';
import type {SecureContextOptions} from 'node:tls';
import {buildConnector} from 'undici';
import type {AddressPolicy} from './address.js';
import type {Resolve} from './resolver.js';

/** The address behind a target may not be dialled. */
export class BlockedTargetError extends Error {
  readonly code = 'BLOCKED_TARGET';
}

/** The name behind a target has no address. */
export class ResolutionError extends Error {
  readonly code = 'RESOLUTION_FAILED';
}

/**
 * Opens connections only to addresses the policy allows, deciding before the first packet: a check after connecting comes when the peer has
 * already seen a ClientHello. A literal never reaches `lookup`, so it is checked here; a name is checked by the very answer that is dialled,
 * which leaves no moment for a second answer. One refused address among several refuses all, or the order would be the attacker's to choose.
 */
export function createConnector(options: {
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  readonly tls?: SecureContextOptions;
}): buildConnector.connector {
  const {policy, resolve, timeoutMs, tls} = options;

  function opening(admits: (address: string) => boolean): buildConnector.connector {
    const lookup: LookupFunction = (hostname, {all}, done) => {
      resolve(hostname).then(
        (addresses) => {
          const [first] = addresses;
          if (first === undefined) return done(new ResolutionError('The name has no address.'), []);
          if (!addresses.every(({address}) => admits(address))) return done(blocked(), []);
          return all === true ? done(null, [...addresses]) : done(null, first.address, first.family);
        },
        (cause: unknown) => done(new ResolutionError('The name cannot be resolved.', {cause}), []),
      );
    };
    const connect = buildConnector({...tls, timeout: timeoutMs, lookup});
    return (target, callback) => {
      if (isIP(target.hostname) !== 0 && !admits(target.hostname)) {
        // undici expects the answer after the call has returned.
        queueMicrotask(() => callback(blocked(), null));
        return;
      }
      connect(target, callback);
    };
  }

  const secure = opening(policy.allows);
  const plain = opening(policy.opens);
  return (target, callback) => (target.protocol === 'https:' ? secure : plain)(target, callback);
}

function blocked(): BlockedTargetError {
  return new BlockedTargetError('The address may not be dialled.');
}
