import {createHash, generateKeyPairSync, randomBytes, sign} from 'node:crypto';
import type {Json} from './service.js';

/** Changes of what a browser and its authenticator say, for attacks. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** False: the device has not asked for a fingerprint, a face or a PIN. */
  readonly verified?: boolean;
  readonly counter?: number;
  readonly id?: string;
  readonly userHandle?: string;
  /** An attestation statement, as CBOR, of the format `packed`. */
  readonly statement?: Buffer;
}

/** The answer of a browser that signs in with a passkey. */
export type Assertion = Readonly<
  Record<'id' | 'client_data_json' | 'authenticator_data' | 'signature' | 'user_handle', string>
>;

export type Authenticator = ReturnType<typeof createAuthenticator>;

const flag = {present: 1, verified: 4, canBackUp: 8, backedUp: 16, hasCredential: 64};
const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)]);
const bytes = (value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 255]), value]);
const sha256 = (value: Buffer | string): Buffer => createHash('sha256').update(value).digest();

/** A browser with one passkey (P-256) in software. Its site is that of a service on the default port. */
export function createAuthenticator(origin = 'http://localhost:3000') {
  const {privateKey, publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'});
  const {x = '', y = ''} = publicKey.export({format: 'jwk'});
  const id = randomBytes(32);
  let counter = 0;
  let handle = '';

  const clientData = (type: string, challenge: string, lies: Lies): string =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    ).toString('base64url');

  function authenticatorData(rpId: string, flags: number, lies: Lies, credential: Buffer): Buffer {
    counter = lies.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const {present, verified, canBackUp, backedUp} = flag;
    const all = present | (lies.verified === false ? 0 : verified) | canBackUp | backedUp | flags;
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([all]), count, credential]);
  }

  /** The public key in COSE: an EC2 key for ES256 on P-256. */
  const coseKey = Buffer.concat([
    Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 32]),
    Buffer.from(y, 'base64url'),
  ]);

  return {
    id: id.toString('base64url'),
    /** Creates the passkey for the options of the service, as the body of `createPasskey` has it. */
    create({rp, user, challenge}: Json, lies: Lies = {}) {
      handle = user.id;
      const length = Buffer.from([id.length >> 8, id.length & 255]);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
      const {statement} = lies;
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text(statement === undefined ? 'none' : 'packed'),
        text('attStmt'),
        statement ?? Buffer.from([0xa0]),
        text('authData'),
        bytes(authenticatorData(rp.id, flag.hasCredential, lies, credential)),
      ]);
      return {
        id: lies.id ?? id.toString('base64url'),
        client_data_json: clientData('webauthn.create', challenge, lies),
        attestation_object: attestation.toString('base64url'),
        transports: ['internal'],
      };
    },
    /** Signs a challenge, as the body of `POST /app/session` has it. */
    sign({rpId, challenge}: Json, lies: Lies = {}): Assertion {
      const said = clientData('webauthn.get', challenge, lies);
      const data = authenticatorData(rpId, 0, lies, Buffer.alloc(0));
      const signed = Buffer.concat([data, sha256(Buffer.from(said, 'base64url'))]);
      return {
        id: lies.id ?? id.toString('base64url'),
        client_data_json: said,
        authenticator_data: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        user_handle: lies.userHandle ?? handle,
      };
    },
  };
}
