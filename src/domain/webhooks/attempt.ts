/**
 * The reason why an attempt got no complete answer. `blocked`: the address may not be dialled; `protocol`:
 * the answer is not HTTP, or the request could not be written as HTTP; `proxy`: our own proxy failed;
 * `aborted`: we gave up. The last two say nothing about the receiver.
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

/**
 * The result of one HTTP request of a delivery. Never an exception: a receiver that misbehaves is an ordinary
 * outcome.
 */
export interface SendResult {
  /** Status of the final response. Present beside `error` when the answer began and did not end. */
  readonly status?: number;
  readonly error?: SendErrorClass;
  /** The wait that the receiver asked for with `Retry-After`, at most 24 h. */
  readonly retryAfterMs?: number;
  /** Response header `webhook-delivery`. */
  readonly directive?: 'disable' | 'abort';
  readonly durationMs: number;
  /**
   * Parts of `connectMs`, each in ms; absent on a connection that was open already, or when it did not get
   * that far.
   */
  readonly dnsMs?: number;
  readonly tcpMs?: number;
  readonly tlsMs?: number;
  /** The address that was connected to, without its port; absent when none was. */
  readonly remoteAddress?: string;
  /**
   * Time until a connection was available (DNS, TCP and TLS; about 0 on a kept-alive one); absent when none
   * was.
   */
  readonly connectMs?: number;
  /** From the start of the attempt until the response's headers. */
  readonly firstByteMs?: number;
  /**
   * Headers of the final response, names in lower case, at most 2 KiB in all, without secrets (`set-cookie`).
   * Absent when none came.
   */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Beginning of the response body: 1 KiB, or 4 KiB for failures. Absent when it was empty. */
  readonly responseExcerpt?: string;
}

/** The error of a failed attempt, as a tenant sees it. */
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

// A refused target and a refused connection share a name: otherwise the attempts of a webhook would map our
// network for its owner.
const presented: Record<SendErrorClass, AttemptError> = {
  blocked: 'connection_failed',
  refused: 'connection_failed',
  dns: 'dns_failed',
  reset: 'connection_closed',
  tls: 'tls_failed',
  timeout: 'timeout',
  protocol: 'invalid_response',
  proxy: 'proxy_failed',
  // Never recorded: an attempt that we aborted says nothing.
  aborted: 'connection_closed',
};

/** The public error of an attempt, or null when it succeeded. `status`: the answer came and was no 2xx. */
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
 * The verdict of an attempt on its receiver: `none` when we caused the failure, or the receiver refused just
 * this one delivery on purpose.
 */
export type Charge = 'success' | 'failure' | 'none';
