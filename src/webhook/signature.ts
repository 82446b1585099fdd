import {createHmac, createPrivateKey, createPublicKey, createSecretKey, sign as signWith} from 'node:crypto';
import type {KeyObject} from 'node:crypto';
import type {SignatureVersion} from '../domain/webhooks/webhook-settings.js';

const secretPrefix = 'whsec_';
const privatePrefix = 'whsk_';
const publicPrefix = 'whpk_';
const maxKeptKeys = 2048;

type RandomBytes = (size: number) => Uint8Array;

export interface SignatureInput {
  /** The id of the event, which is the same on every retry and contains no dot. */
  readonly id: string;
  /** The time of this attempt in Unix seconds. */
  readonly timestamp: number;
  /** The body, exactly as it is sent. */
  readonly body: string | Buffer;
  /**
   * All valid secrets, newest first; there are several only during a rotation. Each is `whsec_…`, or the
   * result of `joinSecrets` with a private key.
   */
  readonly secrets: readonly string[];
  /**
   * The kinds of signatures. `v1a` adds an ed25519 signature for each secret with a private key; `v1` is
   * always made, and is the default.
   */
  readonly versions?: readonly SignatureVersion[];
}

export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** The signing keys of a webhook: the shared secret for `v1`, and the key pair for `v1a`. */
export interface SigningPair {
  /** The shared secret `whsec_…` of sender and receiver. */
  readonly secret: string;
  /** The private key `whsk_…`, only for the sender: base64 of the seed and the public key. */
  readonly privateKey: string;
  /** The public key `whpk_…`: base64 of 32 bytes. */
  readonly publicKey: string;
}

/** Creates a signing secret: `whsec_` and the base64 of 32 random bytes. */
export function createSecret(randomBytes: RandomBytes): string {
  return secretPrefix + Buffer.from(randomBytes(32)).toString('base64');
}

export function createSigningPair(randomBytes: RandomBytes): SigningPair {
  const seed = Buffer.from(randomBytes(32));
  const {x = ''} = createPublicKey(createEd25519Key(seed)).export({format: 'jwk'});
  const publicBytes = Buffer.from(x, 'base64url');
  return {
    secret: createSecret(randomBytes),
    privateKey: privatePrefix + Buffer.concat([seed, publicBytes]).toString('base64'),
    publicKey: publicPrefix + publicBytes.toString('base64'),
  };
}

/** Returns the stored form of a webhook's secret: `<whsec_…> <whsk_…>`. */
export function joinSecrets({secret, privateKey}: Pick<SigningPair, 'secret' | 'privateKey'>): string {
  return `${secret} ${privateKey}`;
}

/**
 * Signs `id.timestamp.body` as in Standard Webhooks (https://www.standardwebhooks.com). There is one `v1,…`
 * (HMAC-SHA256) for each secret and, if requested, one `v1a,…` (ed25519) for each private key. Receivers skip
 * versions that they do not know.
 */
export type Sign = (input: SignatureInput) => SignatureHeaders;

interface Keys {
  /** The key as an object. Node 24 takes 20 µs to convert bytes, six times as long as the signature. */
  readonly hmac: KeyObject;
  /** The private key in its stored form, parsed only when needed: that costs more than all else. */
  readonly privateKey: string;
  ed25519?: KeyObject;
}

/** Creates a signer, which caches a few thousand decoded keys. */
export function createSigner(): Sign {
  const kept = new Map<string, Keys>();

  function findCachedKeys(joined: string): Keys {
    let keys = kept.get(joined);
    if (keys === undefined) {
      keys = decodeSecrets(joined);
      // The cache is cleared completely. Decoding is cheap, while keeping an order would slow down every
      // look-up.
      if (kept.size >= maxKeptKeys) kept.clear();
      kept.set(joined, keys);
    }
    return keys;
  }

  return ({id, timestamp, body, secrets, versions}) => {
    if (secrets.length === 0) throw new Error('A delivery needs at least one secret.');
    const head = `${id}.${timestamp}.`;
    const keys = secrets.map(findCachedKeys);
    let signatures = keys.map(({hmac}) => `v1,${computeHmac(hmac, head, body)}`).join(' ');
    if (versions?.includes('v1a') === true) {
      for (const pair of keys) {
        pair.ed25519 ??= createEd25519Key(decodeKey(pair.privateKey, privatePrefix).subarray(0, 32));
        signatures += ` v1a,${createEd25519Signature(pair.ed25519, head, body)}`;
      }
    }
    return {'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures};
  };
}

function computeHmac(key: KeyObject, head: string, body: string | Buffer): string {
  const hmac = createHmac('sha256', key);
  if (typeof body === 'string') hmac.update(head + body);
  else hmac.update(head).update(body);
  return hmac.digest('base64');
}

function createEd25519Signature(key: KeyObject, head: string, body: string | Buffer): string {
  const content =
    typeof body === 'string' ? Buffer.from(head + body) : Buffer.concat([Buffer.from(head), body]);
  // Ed25519 has its own hashing, so no digest is named.
  return signWith(null, content, key).toString('base64');
}

function decodeSecrets(joined: string): Keys {
  const [secret = '', privateKey = ''] = joined.split(' ');
  return {hmac: createSecretKey(decodeKey(secret, secretPrefix)), privateKey};
}

// RFC 8410 §7: the beginning of PKCS #8 around the 32 bytes of an Ed25519 seed. Node reads no shorter form.
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

function createEd25519Key(seed: Buffer): KeyObject {
  return createPrivateKey({key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8'});
}

/** Decodes a key. Error messages never contain the given text, because it is secret. */
function decodeKey(text: string, prefix: string): Buffer {
  if (!text.startsWith(prefix)) throw new Error(`A webhook's key begins with ${prefix}.`);
  return Buffer.from(text.slice(prefix.length), 'base64');
}
