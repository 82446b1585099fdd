import {createCipheriv, createDecipheriv, hkdfSync, randomBytes} from 'node:crypto';

/** Purposes of the texts that services keep encrypted. */
export type SealedPurpose =
  | 'webhook-secret'
  | 'webhook-headers'
  | 'shown-once'
  | 'slack-installation'
  | 'sign-in';

/** The purposes of encrypted texts: each has its own key, derived from SECRET_KEY. */
export type Purpose = SealedPurpose | 'check' | 'signing-key' | 'cursor' | 'client-address';

export interface Sealer {
  /**
   * Encrypts and authenticates; `context` (an id) must be given again to open it, so that texts cannot be
   * swapped.
   */
  seal: (purpose: Purpose, context: string, text: string) => string;
  /** Errors: `Error` when the text was encrypted with another SECRET_KEY, purpose or context. */
  open: (purpose: Purpose, context: string, sealed: string) => string;
  /** The same text under the current key; undefined when it already is. Errors as `open`. */
  reseal: (purpose: Purpose, context: string, sealed: string) => string | undefined;
  /** A key for signing within the installation (cursors, client addresses). */
  derive: (purpose: Purpose) => Buffer;
}

const ivLength = 12;
const tagLength = 16;

/**
 * AES-256-GCM with keys derived by HKDF-SHA-256. With a previous key, texts encrypted before the change still
 * open.
 */
export function createSealer(secretKey: string, previous?: string): Sealer {
  const rings = [secretKey, ...(previous === undefined ? [] : [previous])].map((secret) => keyRing(secret));
  const current = rings[0] as KeyRing;

  function seal(purpose: Purpose, context: string, text: string): string {
    const iv = randomBytes(ivLength);
    const cipher = createCipheriv('aes-256-gcm', current(purpose), iv).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url');
  }

  function openWithAny(purpose: Purpose, context: string, sealed: string): {text: string; ring: KeyRing} {
    let failure: unknown;
    for (const ring of rings) {
      try {
        return {text: decrypt(ring(purpose), context, Buffer.from(sealed, 'base64url')), ring};
      } catch (error) {
        failure = error;
      }
    }
    throw new Error(`a ${purpose} does not open with this SECRET_KEY`, {cause: failure});
  }

  return {
    seal,
    open: (purpose, context, sealed) => openWithAny(purpose, context, sealed).text,
    reseal(purpose, context, sealed) {
      const {text, ring} = openWithAny(purpose, context, sealed);
      return ring === current ? undefined : seal(purpose, context, text);
    },
    derive: (purpose) => current(purpose),
  };
}

type KeyRing = (purpose: Purpose) => Buffer;

function keyRing(secret: string): KeyRing {
  const keys = new Map<Purpose, Buffer>();
  return (purpose) => {
    let key = keys.get(purpose);
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', secret, 'team-standup-service', purpose, 32));
      keys.set(purpose, key);
    }
    return key;
  };
}

function decrypt(key: Buffer, context: string, sealed: Buffer): string {
  const tagAt = sealed.length - tagLength;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivLength))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(tagAt));
  return Buffer.concat([decipher.update(sealed.subarray(ivLength, tagAt)), decipher.final()]).toString(
    'utf8',
  );
}
