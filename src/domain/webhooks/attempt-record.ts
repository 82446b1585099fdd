import {presentAttemptError, type SendResult} from './attempt.js';
import {toInstant} from '../core/dates.js';
import type {AttemptExchange, AttemptRecord} from './delivery.js';
import type {WebhookHeaders} from './webhook-headers.js';

/** The text that replaces a value that is never shown. */
const hidden = '[hidden]';
/** The minimum length of a hidden value. Hiding a shorter one would damage ordinary text. */
const leastHidden = 8;
/** The minimum length of a cut value that is hidden at an excerpt's end. Fewer characters are harmless. */
const leastCut = 5;

/**
 * Creates the record of an attempt that began at `at` (Unix ms). A forbidden target and a refused connection
 * look the same, so that a webhook's owner cannot explore our network.
 */
export function createAttemptRecord(sent: SendResult, at: number, probe: boolean): AttemptRecord {
  const error = presentAttemptError(sent);
  const way: Partial<SendResult> = error === 'connection_failed' || error === 'proxy_failed' ? {} : sent;
  return {
    at: toInstant(at),
    duration_ms: Math.round(sent.durationMs),
    dns_ms: roundMilliseconds(way.dnsMs),
    tcp_ms: roundMilliseconds(way.tcpMs),
    tls_ms: roundMilliseconds(way.tlsMs),
    connect_ms: roundMilliseconds(way.connectMs),
    first_byte_ms: roundMilliseconds(sent.firstByteMs),
    remote_address: way.remoteAddress ?? null,
    status: sent.status ?? null,
    error,
    probe,
  };
}

/**
 * Records the request and the response of an attempt without secrets. `headers` are all headers of the
 * request, `own` those that the webhook's owner has set. The values of `own` are hidden everywhere, even if a
 * receiver repeats them.
 */
export function createExchangeRecord(
  sent: SendResult,
  {url, own, headers}: {url: string; own: WebhookHeaders; headers: Readonly<Record<string, string>>},
): AttemptExchange {
  const signed = 'webhook-signature' in headers ? {'webhook-signature': hidden} : {};
  const names = Object.keys(own);
  return {
    request: {
      method: 'POST',
      url,
      headers: {...headers, ...signed, ...Object.fromEntries(names.map((name) => [name, hidden]))},
    },
    response: sent.status === undefined ? null : createResponseRecord(sent, listValuesToHide(own)),
  };
}

function createResponseRecord(
  {responseHeaders = {}, responseExcerpt}: SendResult,
  values: readonly string[],
): NonNullable<AttemptExchange['response']> {
  const body = responseExcerpt ?? null;
  if (values.length === 0) return {headers: responseHeaders, body};
  const headers = Object.entries(responseHeaders).map(([name, value]): [string, string] => [
    name,
    hideSecretValues(value, values, value.endsWith('…')),
  ]);
  // `fromEntries` is used because a header may be called __proto__.
  return {
    headers: Object.fromEntries(headers),
    body: body === null ? null : hideSecretValues(body, values, true),
  };
}

/**
 * Returns the values of a webhook's own headers, also without a scheme such as `Bearer`, both plain and as
 * written in JSON. The longest comes first.
 */
function listValuesToHide(own: WebhookHeaders): string[] {
  const values = Object.values(own).flatMap((value) => [value, value.replace(/^[\w-]+ +/, '')]);
  const written = values.flatMap((value) => {
    const json = JSON.stringify(value).slice(1, -1);
    // Some JSON writers escape slashes.
    return [value, json, json.replaceAll('/', '\\/')];
  });
  return [...new Set(written)]
    .filter(({length}) => length >= leastHidden)
    .toSorted((a, b) => b.length - a.length);
}

function hideSecretValues(text: string, values: readonly string[], isCut: boolean): string {
  const end = text.endsWith('…') ? '…' : '';
  const kept = text.slice(0, text.length - end.length);
  return values.reduce((rest, value) => hideSecretValue(rest, value, isCut), kept) + end;
}

/**
 * Hides a value in a text, and the value's beginning at a cut end. The Knuth–Morris–Pratt algorithm needs
 * linear time, even if the webhook's owner and the receiver choose bad texts on purpose.
 */
function hideSecretValue(text: string, value: string, isCut: boolean): string {
  const borders = computePrefixBorders(value);
  let [shown, from, length] = ['', 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    length = extendPrefixMatch(value, borders, length, text.charCodeAt(at));
    if (length < value.length) continue;
    shown += text.slice(from, at + 1 - length) + hidden;
    [from, length] = [at + 1, 0];
  }
  const rest = text.slice(from);
  return shown + (isCut && length >= leastCut ? rest.slice(0, -length) + hidden : rest);
}

/** Returns the length of the prefix of `value` that matches after one more character. */
function extendPrefixMatch(value: string, borders: readonly number[], length: number, next: number): number {
  let met = length;
  while (met > 0 && value.charCodeAt(met) !== next) met = borders[met - 1] ?? 0;
  return value.charCodeAt(met) === next ? met + 1 : 0;
}

/** Returns, for each prefix of a text, the length of the longest shorter prefix with which it ends. */
function computePrefixBorders(value: string): number[] {
  const borders = [0];
  for (let at = 1; at < value.length; at += 1) {
    borders.push(extendPrefixMatch(value, borders, borders[at - 1] ?? 0, value.charCodeAt(at)));
  }
  return borders;
}

function roundMilliseconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms);
}
