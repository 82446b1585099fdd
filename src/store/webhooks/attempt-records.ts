import type {AttemptError} from '../../domain/webhooks/attempt.js';
import {
  type AttemptExchange,
  createAttemptId,
  type AttemptRecord,
  type AttemptSummary,
} from '../../domain/webhooks/delivery.js';
import type {IdSuffix} from '../../domain/core/ids.js';

/*
 * The stored form of attempts. It must be short, because each of millions of deliveries has an attempt. A
 * delivery with few attempts stays in Redis's compact form if no field has more than 64 bytes. An attempt has
 * at most 62.
 */

const base = 36;

/** The stored codes of errors, which never change. The next one is 9, since 8 had another meaning. */
const errorCodes: Readonly<Record<AttemptError, number>> = {
  status: 0,
  timeout: 1,
  dns_failed: 2,
  connection_failed: 3,
  connection_closed: 4,
  tls_failed: 5,
  invalid_response: 6,
  proxy_failed: 7,
};
const errorsByCode = new Map(
  Object.entries(errorCodes).map(([error, code]) => [code, error as AttemptError]),
);

/** The last encoded time, because attempts that were claimed together begin at the same instant. */
let [knownInstant, knownTime] = ['', ''];

function encodeInstant(at: string): string {
  if (at !== knownInstant) [knownInstant, knownTime] = [at, Date.parse(at).toString(base)];
  return knownTime;
}

/** Encodes an attempt. Numbers are in base 36, errors have codes, and a missing value is empty. */
export function encodeAttempt(attempt: AttemptRecord): string {
  return [
    encodeInstant(attempt.at),
    encodeNumber(attempt.duration_ms),
    encodeNumber(attempt.status),
    attempt.error === null ? '' : encodeNumber(errorCodes[attempt.error]),
    encodeNumber(attempt.connect_ms),
    encodeNumber(attempt.first_byte_ms),
    encodeNumber(attempt.dns_ms),
    encodeNumber(attempt.tcp_ms),
    encodeNumber(attempt.tls_ms),
    attempt.probe ? '1' : '',
    encodeAddress(attempt.remote_address ?? ''),
  ].join();
}

/** Decodes an attempt. `suffix` is the delivery's id suffix. */
export function decodeAttempt(suffix: IdSuffix<'delivery'>, number: number, text: string): AttemptSummary {
  const [at, duration, status, error, connect, firstByte, dns, tcp, tls, probe, address] = text.split(',');
  const began = decodeNumber(at) ?? 0;
  const failure = decodeNumber(error);
  return {
    id: createAttemptId(suffix, number, began),
    object: 'attempt',
    number,
    at: new Date(began).toISOString(),
    duration_ms: decodeNumber(duration) ?? 0,
    dns_ms: decodeNumber(dns),
    tcp_ms: decodeNumber(tcp),
    tls_ms: decodeNumber(tls),
    connect_ms: decodeNumber(connect),
    first_byte_ms: decodeNumber(firstByte),
    remote_address: address === undefined || address === '' ? null : decodeAddress(address),
    status: decodeNumber(status),
    error: failure === null ? null : (errorsByCode.get(failure) ?? 'status'),
    probe: probe === '1',
  };
}

/** Encodes one line, then the body as received, which escaped as JSON could become six times as long. */
export function encodeExchange({request, response}: AttemptExchange): string {
  const line = JSON.stringify([
    request.url,
    request.headers,
    ...(response === null ? [] : [response.headers]),
  ]);
  return `${line}\n${response?.body ?? ''}`;
}

export function decodeExchange(text: string): AttemptExchange {
  const end = text.indexOf('\n');
  const [url, headers, answered] = JSON.parse(text.slice(0, end)) as [
    string,
    Record<string, string>,
    Record<string, string>?,
  ];
  const body = text.slice(end + 1);
  return {
    request: {method: 'POST', url, headers},
    response: answered === undefined ? null : {headers: answered, body: body === '' ? null : body},
  };
}

/** Encodes an IPv6 address as 22 characters instead of up to 39. Any other address stays unchanged. */
function encodeAddress(address: string): string {
  if (!address.includes(':') || /[^0-9a-f:]/i.test(address)) return address;
  const [head = '', tail] = address.split('::');
  const [before, after] = [splitAtColons(head), splitAtColons(tail ?? '')];
  const between = tail === undefined ? [] : Array.from({length: 8 - before.length - after.length}, () => '');
  const hex = [...before, ...between, ...after].map((group) => group.padStart(4, '0')).join('');
  return hex.length === 32 ? Buffer.from(hex, 'hex').toString('base64url') : address;
}

function decodeAddress(text: string): string {
  if (!/^[\w-]{22}$/.test(text)) return text;
  const groups = Buffer.from(text, 'base64url').toString('hex').match(/.{4}/g) ?? [];
  // The URL parser writes the shortest form of an address (RFC 5952).
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

function splitAtColons(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

function encodeNumber(value: number | null): string {
  return value === null ? '' : Math.max(0, value).toString(base);
}

function decodeNumber(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number.parseInt(text, base);
}
