import {type IncomingHttpHeaders, request as requestHttp} from 'node:http';
import {request as requestHttps} from 'node:https';

/** The answer of the local program to a forwarded delivery. Without one, `status` is absent. */
export interface ForwardResult {
  readonly status?: number;
  /** The headers of the answer that the service reads. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The reason why there was no answer. */
  readonly reason?: string;
}

/** The local program's time limit, below the service's own, so that the service still gets a result. */
export const forwardTimeoutMs = 12_000;
/** The maximum size of an answer in bytes, the same as for the service. */
const maxBytes = 16 * 1024;
const passedBack = ['retry-after', 'webhook-delivery', 'content-type'] as const;
/** Headers of one connection only (RFC 9110 section 7.6.1), or with the listener's own address. */
const ownToConnection = /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect)$/i;

/** Sends the same bytes with the same headers by POST. It never rejects, and follows no redirects. */
export function forwardRequest(
  url: URL,
  {rawHeaders, body}: {readonly rawHeaders: readonly string[]; readonly body: Buffer},
  timeoutMs = forwardTimeoutMs,
): Promise<ForwardResult> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    if (!ownToConnection.test(name)) headers[name] = value;
  }
  headers['content-length'] = String(body.length);
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const signal = AbortSignal.timeout(timeoutMs);
    const fail = (error: Error): void => {
      const late = `${url.origin} did not answer in ${timeoutMs / 1_000} seconds`;
      resolve({
        headers: {},
        body: Buffer.alloc(0),
        reason: signal.aborted ? late : describeForwardError(error, url),
      });
    };
    const sent = send(url, {method: 'POST', headers, agent: false, signal}, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = (): void => {
        const answer = Buffer.concat(chunks).subarray(0, maxBytes);
        resolve({
          status: response.statusCode ?? 502,
          headers: keepForwardableHeaders(response.headers),
          body: answer,
        });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length < maxBytes) return;
        finish();
        response.destroy();
      });
      response.once('end', finish);
      response.once('error', fail);
    });
    sent.once('error', fail);
    sent.end(body);
  });
}

function keepForwardableHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of passedBack) {
    const value = headers[name];
    if (typeof value === 'string') kept[name] = value;
  }
  return kept;
}

function describeForwardError(error: NodeJS.ErrnoException, {origin}: URL): string {
  if (error.code === 'ECONNREFUSED') return `nothing listens on ${origin}`;
  return `${origin} did not answer (${error.code ?? error.message})`;
}
