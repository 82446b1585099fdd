import {createHmac, timingSafeEqual} from 'node:crypto';

export interface SignedRequest {
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body, exactly as it was received. */
  readonly body: Buffer;
}

const toleranceSeconds = 5 * 60;

/**
 * Returns why a request is rejected, as a short text; undefined when its signature is valid and recent. The
 * rules are those of Standard Webhooks (https://www.standardwebhooks.com): one of its signatures must match,
 * and its time may differ from `now` (Unix ms) by at most 5 minutes.
 */
export function findSignatureError(
  {headers, body}: SignedRequest,
  secret: string,
  now: number,
): string | undefined {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  );
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return 'it is not signed';
  const age = Math.floor(now / 1_000) - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp)) return 'its timestamp cannot be read';
  if (Math.abs(age) > toleranceSeconds)
    return age > 0 ? 'its timestamp is too old' : 'its timestamp is ahead';
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${digest}`);
  let matches = false;
  for (const signature of signatures.split(' ')) {
    const given = Buffer.from(signature);
    if (given.length === expected.length && timingSafeEqual(given, expected)) matches = true;
  }
  return matches ? undefined : 'no signature matches';
}
