import {createHmac} from 'node:crypto';

const prefix = 'whsec_';
const maxKeptKeys = 2048;

export interface SignatureInput {
  /** The event's id: the same on every retry. Holds no dot. */
  readonly id: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  /** Exactly the bytes that are sent. */
  readonly body: string | Buffer;
  /** Every secret valid now, newest first; more than one only during a rotation. */
  readonly secrets: readonly string[];
}

export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** A new signing secret: `whsec_` and the base64 of 32 random bytes. */
export function createSecret(randomBytes: (size: number) => Uint8Array): string {
  return prefix + Buffer.from(randomBytes(32)).toString('base64');
}

/** Signs as Standard Webhooks says (https://www.standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`, one `v1,…` per secret. */
export type Sign = (input: SignatureInput) => SignatureHeaders;

/** A signer that keeps decoded keys, at most a few thousand. */
export function createSigner(): Sign {
  const keys = new Map<string, Buffer>();

  function keyOf(secret: string): Buffer {
    let key = keys.get(secret);
    if (key === undefined) {
      key = decodeSecret(secret);
      // Emptied as a whole: decoding again is cheap, and keeping an order would cost every look-up.
      if (keys.size >= maxKeptKeys) keys.clear();
      keys.set(secret, key);
    }
    return key;
  }

  return ({id, timestamp, body, secrets}) => {
    if (secrets.length === 0) throw new Error('A delivery needs at least one secret.');
    const head = `${id}.${timestamp}.`;
    let signatures = '';
    for (const secret of secrets) {
      const hmac = createHmac('sha256', keyOf(secret));
      if (typeof body === 'string') hmac.update(head + body);
      else hmac.update(head).update(body);
      signatures += `${signatures === '' ? '' : ' '}v1,${hmac.digest('base64')}`;
    }
    return {'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures};
  };
}

function decodeSecret(secret: string): Buffer {
  if (!secret.startsWith(prefix)) throw new Error('A webhook secret begins with whsec_.');
  return Buffer.from(secret.slice(prefix.length), 'base64');
}
