import {createCipheriv, createDecipheriv, hkdfSync, randomBytes} from 'node:crypto';

/** The kinds of texts that services encrypt. */
export type EncryptedPurpose =
  | 'webhook-secret'
  | 'webhook-headers'
  | 'shown-once'
  | 'slack-installation'
  | 'mail'
  | 'mail-link'
  | 'sign-in'
  | 'passkey';

/** The purposes for which SECRET_KEY is used. Each has its own key, which is derived from SECRET_KEY. */
export type Purpose =
  | EncryptedPurpose
  | 'check'
  | 'signing-key'
  | 'cursor'
  | 'client-address'
  | 'invited-address'
  | 'sign-in-code'
  | 'device-login';

export type Cipher = ReturnType<typeof createCipher>;

const ivLength = 12;
const tagLength = 16;

/** AES-256-GCM with keys derived by HKDF-SHA-256. With a previous key, it can still decrypt older texts. */
export function createCipher(secretKey: string, previous?: string) {
  const rings = [secretKey, ...(previous === undefined ? [] : [previous])].map((secret) =>
    deriveKeyRing(secret),
  );
  const current = rings[0] as KeyRing;

  /** Encrypts a text. Decryption needs the same `context` (an id), so that texts cannot be exchanged. */
  function encrypt(purpose: Purpose, context: string, text: string): string {
    const iv = randomBytes(ivLength);
    const cipher = createCipheriv('aes-256-gcm', current(purpose), iv).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url');
  }

  function decryptWithAnyKey(
    purpose: Purpose,
    context: string,
    encrypted: string,
  ): {text: string; ring: KeyRing} {
    let failure: unknown;
    for (const ring of rings) {
      try {
        return {text: decrypt(ring(purpose), context, Buffer.from(encrypted, 'base64url')), ring};
      } catch (error) {
        failure = error;
      }
    }
    throw new Error(`a ${purpose} does not open with this SECRET_KEY`, {cause: failure});
  }

  return {
    encrypt,
    /** Decrypts a text. Errors: `Error` when it was encrypted with another SECRET_KEY, purpose or context. */
    decrypt: (purpose: Purpose, context: string, encrypted: string): string =>
      decryptWithAnyKey(purpose, context, encrypted).text,
    /** Encrypts again with the current key; undefined when unnecessary. Errors: those of `decrypt`. */
    reencrypt(purpose: Purpose, context: string, encrypted: string): string | undefined {
      const {text, ring} = decryptWithAnyKey(purpose, context, encrypted);
      return ring === current ? undefined : encrypt(purpose, context, text);
    },
    /** Derives a key for signatures within the installation, such as those of cursors. */
    derive: (purpose: Purpose): Buffer => current(purpose),
  };
}

type KeyRing = (purpose: Purpose) => Buffer;

function deriveKeyRing(secret: string): KeyRing {
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

function decrypt(key: Buffer, context: string, encrypted: Buffer): string {
  const tagAt = encrypted.length - tagLength;
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, ivLength))
    .setAAD(Buffer.from(context))
    .setAuthTag(encrypted.subarray(tagAt));
  return Buffer.concat([decipher.update(encrypted.subarray(ivLength, tagAt)), decipher.final()]).toString(
    'utf8',
  );
}
