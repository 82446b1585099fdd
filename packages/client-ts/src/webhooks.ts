import type {AnyEvent, ThinEvent} from './schema.js';

export interface WebhookRequest {
  /** The raw body, before any parser. */
  readonly body: string | Uint8Array;
  /** The headers, as Node or `fetch` gives them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The secret of the webhook (`whsec_…`), for signatures `v1`. */
  readonly secret?: string | undefined;
  /** The public key of the webhook (`whpk_…`), for signatures `v1a`. */
  readonly publicKey?: string | undefined;
  /** The current time (Unix ms). Default: the clock of the machine. */
  readonly now?: number;
}

/** A request is not from the service, or too old. Answer it with 400. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
  }
}

/** How far the time of a request may be from ours (ms), in both directions. */
const toleranceMs = 5 * 60_000;
/** The service sends one for each version and secret. More would only cost time. */
const mostSignatures = 20;

/**
 * Verifies a request to a webhook, as Standard Webhooks defines it, and returns its event, narrowed by `type`.
 * One signature by the secret or by the public key suffices. `payload: 'thin'` returns the type of a webhook
 * with that setting. Throws a `WebhookVerificationError`. Use `id` of the event to drop repeats.
 */
export async function verifyWebhook(request: WebhookRequest & {readonly payload: 'thin'}): Promise<ThinEvent>;
export async function verifyWebhook(request: WebhookRequest): Promise<AnyEvent>;
export async function verifyWebhook({
  body,
  headers,
  secret,
  publicKey,
  now = Date.now(),
}: WebhookRequest): Promise<AnyEvent | ThinEvent> {
  if (secret === undefined && publicKey === undefined)
    throw new TypeError('verifyWebhook needs `secret` or `publicKey`.');
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('The time of the request is missing.');
  if (Math.abs(now - Number(timestamp) * 1_000) > toleranceMs)
    throw new WebhookVerificationError('The request is older than five minutes, or from the future.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joinBytes(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const keys = {
    v1: secret === undefined ? undefined : await importKey('v1', secret),
    v1a: publicKey === undefined ? undefined : await importKey('v1a', publicKey),
  };
  for (const signature of signatures.split(' ', mostSignatures)) {
    const [version = '', value = ''] = signature.split(',');
    const key = version === 'v1' || version === 'v1a' ? keys[version] : undefined;
    const given = decodeBase64(value);
    if (key === undefined || given === undefined) continue;
    // The platform compares in constant time.
    if (await crypto.subtle.verify(key.algorithm.name, key, given, signed)) return parseEvent(bytes);
  }
  throw new WebhookVerificationError('No signature of the request matches.');
}

/** Imports a key for the signatures of one version. */
function importKey(version: 'v1' | 'v1a', key: string) {
  const [prefix, algorithm] =
    version === 'v1'
      ? (['whsec_', {name: 'HMAC', hash: 'SHA-256'}] as const)
      : (['whpk_', {name: 'Ed25519'}] as const);
  const bytes = decodeBase64(key.startsWith(prefix) ? key.slice(prefix.length) : key);
  // A wrong key is a fault of the receiver, not of the request.
  if (!bytes?.length) throw new TypeError(`This is no key of a webhook (${prefix}…).`);
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
}

function readHeader(headers: WebhookRequest['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.join(' ') ?? '');
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

function parseEvent(bytes: Uint8Array): AnyEvent | ThinEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as AnyEvent | ThinEvent;
  } catch {
    throw new WebhookVerificationError('The body of the request is no JSON.');
  }
}
