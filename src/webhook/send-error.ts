import type {SendErrorClass} from '../domain/webhooks/attempt.js';

const classes: Readonly<Record<string, SendErrorClass>> = {
  BLOCKED_TARGET: 'blocked',
  RESOLUTION_FAILED: 'dns',
  PROXY_FAILED: 'proxy',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  EINVAL: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  NO_ANSWER: 'protocol',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_INVALID_ARG: 'protocol',
  UND_ERR_NOT_SUPPORTED: 'protocol',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
};

// Error codes of certificate checks, with Node's names for them, and of the TLS handshake itself.
const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/;

/**
 * Returns the class of an error from undici, TLS or a socket. `answered`: true once there is a status. An
 * unknown error counts as a closed connection (`reset`).
 */
export function classifySendError(error: unknown, answered: boolean): SendErrorClass {
  const code = findErrorCode(error);
  const known = classes[code];
  if (known !== undefined) return known;
  if (tlsCode.test(code)) return 'tls';
  // undici uses this code both for a body that ends early and for headers with two lengths.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return answered ? 'reset' : 'protocol';
  // Parser errors of undici have a name but not always a code. They mean that the answer is not HTTP.
  return error instanceof Error && error.name === 'HTTPParserError' ? 'protocol' : 'reset';
}

function findErrorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
