import {presentAttemptError, type SendResult} from './attempt.js';
import type {AttemptExchange, AttemptRecord} from './delivery.js';

/** Stands where a value is shown to nobody. */
const hidden = '[hidden]';

/**
 * What is recorded of an attempt that began at `at` (Unix ms). What may not be dialled and what refused the connection leave the same
 * record, without any part of the way there: it would tell the webhook's owner what lies inside our network.
 */
export function recordAttempt(sent: SendResult, at: number, probe: boolean): AttemptRecord {
  const error = presentAttemptError(sent);
  const way: Partial<SendResult> = error === 'connection_failed' || error === 'proxy_failed' ? {} : sent;
  return {
    at: new Date(at).toISOString(),
    duration_ms: Math.round(sent.durationMs),
    dns_ms: rounded(way.dnsMs),
    tcp_ms: rounded(way.tcpMs),
    tls_ms: rounded(way.tlsMs),
    connect_ms: rounded(way.connectMs),
    first_byte_ms: rounded(sent.firstByteMs),
    remote_address: way.remoteAddress ?? null,
    status: sent.status ?? null,
    error,
    probe,
  };
}

/** What an attempt asked and was answered, without what is secret in it. `own`: names of the headers that are the webhook's own. */
export function recordExchange(
  sent: SendResult,
  {url, own, ours}: {url: string; own: readonly string[]; ours: Readonly<Record<string, string>>},
): AttemptExchange {
  const signed = 'webhook-signature' in ours ? {'webhook-signature': hidden} : {};
  return {
    request: {
      method: 'POST',
      url,
      headers: {...ours, ...signed, ...Object.fromEntries(own.map((name) => [name, hidden]))},
    },
    response:
      sent.status === undefined
        ? null
        : {headers: sent.responseHeaders ?? {}, body: sent.responseExcerpt ?? null},
  };
}

function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms);
}
