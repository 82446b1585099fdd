/**
 * The reason why an attempt got no complete answer. `blocked`: the target is forbidden. `protocol`: the
 * answer is not HTTP, or the request could not be written as HTTP. `proxy`: our own proxy failed. `aborted`:
 * we stopped the attempt. The last two say nothing about the receiver.
 */
export type SendErrorClass =
  | 'blocked'
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'protocol'
  | 'proxy'
  | 'aborted';

/** The result of one HTTP request of a delivery. Errors of the receiver are results, not exceptions. */
export interface SendResult {
  /** The status of the final response. If `error` is present too, the response was incomplete. */
  readonly status?: number;
  readonly error?: SendErrorClass;
  /** The wait that the receiver requested with `Retry-After`, at most 24 h. */
  readonly retryAfterMs?: number;
  /** The value of the response header `webhook-delivery`. */
  readonly directive?: 'disable' | 'abort';
  readonly durationMs: number;
  /** The parts of `connectMs`, in ms; absent for an existing connection, or after an earlier failure. */
  readonly dnsMs?: number;
  readonly tcpMs?: number;
  readonly tlsMs?: number;
  /** The IP address of the connection, without its port; absent without a connection. */
  readonly remoteAddress?: string;
  /**
   * The time until a connection was available (DNS, TCP and TLS). It is about 0 for an existing connection,
   * and absent without a connection.
   */
  readonly connectMs?: number;
  /** The time from the start of the attempt to the response's headers. */
  readonly firstByteMs?: number;
  /**
   * The headers of the final response, with names in lower case, at most 2 KiB and without secrets
   * (`set-cookie`). Absent without a response.
   */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** The beginning of the response body: 1 KiB, or 4 KiB for a failure. Absent for an empty body. */
  readonly responseExcerpt?: string;
}

/** The error of a failed attempt, as the webhook's owner sees it. */
export const attemptErrors = [
  'status',
  'timeout',
  'dns_failed',
  'connection_failed',
  'connection_closed',
  'tls_failed',
  'invalid_response',
  'proxy_failed',
] as const;

export type AttemptError = (typeof attemptErrors)[number];

// A forbidden target and a refused connection have the same name. Otherwise a webhook's owner could explore
// our network.
const presented: Record<SendErrorClass, AttemptError> = {
  blocked: 'connection_failed',
  refused: 'connection_failed',
  dns: 'dns_failed',
  reset: 'connection_closed',
  tls: 'tls_failed',
  timeout: 'timeout',
  protocol: 'invalid_response',
  proxy: 'proxy_failed',
  // An aborted attempt says nothing about the receiver, so its error is never stored.
  aborted: 'connection_closed',
};

/** Returns the public error of an attempt; null for a success. `status`: a complete answer, no 2xx. */
export function presentAttemptError(result: SendResult): AttemptError | null {
  if (result.error !== undefined) return presented[result.error];
  return isDelivered(result) ? null : 'status';
}

/** True only for a complete 2xx answer. */
export function isDelivered(result: SendResult): boolean {
  const {status, error} = result;
  return error === undefined && status !== undefined && status >= 200 && status < 300;
}

/**
 * The effect of an attempt on the receiver's health. `none`: the failure was ours, or the receiver refused
 * only this delivery on purpose.
 */
export type Charge = 'success' | 'failure' | 'none';
