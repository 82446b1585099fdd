// src/passkeys/: verifies what passkeys sign. Only this folder may use `@simplewebauthn/server`. The rules of
// passkeys are in service/tokens/passkeys.ts.
import {isIP} from 'node:net';
import {passkeyAlgorithms, type PasskeyVerifier} from '../domain/tokens/passkey.js';

/**
 * Creates the verifier for the site at `PUBLIC_URL`. Undefined at an IP address, where browsers allow no
 * passkeys.
 */
export function createPasskeyVerifier(publicUrl: string): PasskeyVerifier | undefined {
  const {origin, hostname: rpId} = new URL(publicUrl);
  if (isIP(rpId.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  const expected = {expectedOrigin: origin, expectedRPID: rpId};
  return {
    rpId,
    async verifyCreated({id, client_data_json: clientDataJSON, attestation_object: attested}, challenge) {
      const {verifyRegistrationResponse} = await loadLibrary();
      const {registrationInfo} = await refuseErrors(async () =>
        verifyRegistrationResponse({
          ...expected,
          expectedChallenge: challenge,
          supportedAlgorithmIDs: [...passkeyAlgorithms],
          response: {
            id,
            rawId: id,
            type: 'public-key',
            clientExtensionResults: {},
            response: {clientDataJSON, attestationObject: await removeStatement(attested)},
          },
        }),
      );
      if (registrationInfo === undefined || registrationInfo.credential.id !== id) return undefined;
      const {credential, credentialBackedUp: backedUp} = registrationInfo;
      const publicKey = Buffer.from(credential.publicKey).toString('base64url');
      return {publicKey, counter: credential.counter, backedUp};
    },
    async verifyAssertion({id, clientData, authenticatorData, signature}, challenge, publicKey) {
      const {verifyAuthenticationResponse} = await loadLibrary();
      const {verified, authenticationInfo} = await refuseErrors(() =>
        verifyAuthenticationResponse({
          ...expected,
          expectedChallenge: challenge,
          // The service compares the counter, in the commit that makes the session.
          credential: {id, publicKey: Buffer.from(publicKey, 'base64url'), counter: 0},
          response: {
            id,
            rawId: id,
            type: 'public-key',
            clientExtensionResults: {},
            response: {clientDataJSON: clientData, authenticatorData, signature},
          },
        }),
      );
      return verified ? authenticationInfo?.newCounter : undefined;
    },
  };
}

/** Loads the library at the first use: its import prints a warning, and takes a while. */
const loadLibrary = () => import('@simplewebauthn/server');

/** The library throws for a wrong challenge, origin or site, but not for a wrong signature. */
async function refuseErrors<T extends {readonly verified: boolean}>(
  verify: () => Promise<T>,
): Promise<Partial<T>> {
  try {
    return await verify();
  } catch {
    return {};
  }
}

/**
 * Replaces the attestation statement, which was not asked for. The library would check the certificates in
 * it, and for that send requests to addresses that these name.
 */
async function removeStatement(attestationObject: string): Promise<string> {
  const {decodeAttestationObject} = await import('@simplewebauthn/server/helpers');
  const data = decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('authData');
  // CBOR: a map of "fmt" to "none", "attStmt" to an empty map, and "authData" to bytes of a 16-bit length.
  const head = Buffer.concat([
    Buffer.from([0xa3, 0x63]),
    Buffer.from('fmt'),
    Buffer.from([0x64]),
    Buffer.from('none'),
    Buffer.from([0x67]),
    Buffer.from('attStmt'),
    Buffer.from([0xa0, 0x68]),
    Buffer.from('authData'),
    Buffer.from([0x59, data.length >> 8, data.length & 255]),
  ]);
  return Buffer.concat([head, data]).toString('base64url');
}
