import {createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {forwardRequest} from './forward.js';
import {CommandError} from './usage.js';

/** A request with its headers and body exactly as received. */
export interface RawRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RequestReport {
  /** The time of arrival in ISO 8601, by this machine's clock. */
  readonly at: string;
  readonly type: string;
  readonly id: string;
  readonly attempt: number | null;
  /** The reason why the request is not trustworthy; null for a valid signature. */
  readonly fault: string | null;
  readonly verified: boolean;
  /** The status from the program that the request was forwarded to; null without an answer. */
  readonly forwarded: number | null;
  /** The reason why there was no answer from that program. */
  readonly reason: string | null;
  /** The headers that begin with `webhook-` or `standup-`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ListenerParts {
  readonly port: number;
  readonly forward: URL | undefined;
  readonly findSignatureError: (request: RawRequest) => string | undefined;
  /** True for this listener's test event, which it answers, but does not forward or show. */
  readonly isOwn: (event: {type: string; id: string}) => Promise<boolean>;
  readonly onOwn: () => void;
  readonly onArrival: (report: RequestReport) => void;
}

export interface WebhookListener {
  readonly port: number;
  readonly url: string;
  /** Sets the id of this listener's webhook. Other listeners ask for it with GET. */
  identify: (webhook: string) => void;
  close: () => Promise<void>;
}

const maxBytes = 4 * 1024 * 1024;

/** Starts a loopback receiver that verifies, forwards and reports. Errors: `CommandError`, port in use. */
export async function startListener(parts: ListenerParts): Promise<WebhookListener> {
  let webhook: string | undefined;

  async function receiveDelivery(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (webhook !== undefined) response.setHeader('standup-listen', webhook);
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'GET' ? 200 : 405).end();
      return;
    }
    const body = await readBody(request);
    if (body === undefined) {
      response.writeHead(413, {connection: 'close'}).end();
      return;
    }
    const at = new Date().toISOString();
    const {headers} = request;
    const error = parts.findSignatureError({headers, body}) ?? null;
    const about = {
      type: validateIdentifier('-', readEventType(body)),
      id: validateIdentifier('-', headers['webhook-id']),
    };
    if (error === null && (await parts.isOwn(about))) {
      response.writeHead(204).end();
      parts.onOwn();
      return;
    }
    const passed =
      error === null && parts.forward !== undefined
        ? await forwardRequest(parts.forward, {rawHeaders: request.rawHeaders, body})
        : undefined;
    const arrival = {
      at,
      ...about,
      attempt: parseAttemptNumber(headers),
      fault: error,
      verified: error === null,
      forwarded: passed?.status ?? null,
      reason: passed?.reason ?? null,
      headers: readWebhookHeaders(headers),
      body: body.toString(),
    };
    parts.onArrival(arrival);
    if (passed?.status !== undefined) {
      response.writeHead(passed.status, passed.headers).end(passed.body);
    } else if (passed !== undefined) response.writeHead(502).end(passed.reason);
    else response.writeHead(error === null ? 204 : 400).end(error ?? undefined);
  }

  const server = createServer((request, response) => {
    receiveDelivery(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, parts.port)));
    server.listen(parts.port, '127.0.0.1', resolve);
  });
  const {port} = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    identify(id) {
      webhook = id;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function explainListenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error;
  const why = error.code === 'EACCES' ? 'may not be opened by this user' : 'is taken';
  return new CommandError(`Port ${port} ${why}: choose another with --port, or 0 for a free one.`);
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readEventType(body: Buffer): unknown {
  try {
    return (JSON.parse(body.toString()) as {type?: unknown} | null)?.type;
  } catch {
    return undefined;
  }
}

/** Returns a value like one of our types or ids; other text of any program must not reach the terminal. */
function validateIdentifier(instead: string, value: unknown): string {
  return typeof value === 'string' && /^[\w.]{1,40}$/.test(value) ? value : instead;
}

function parseAttemptNumber(headers: IncomingHttpHeaders): number | null {
  const text = headers['standup-attempt'];
  return typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function readWebhookHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const ours = Object.entries(headers).filter(([name]) => /^(?:webhook|standup)-/.test(name));
  return Object.fromEntries(ours.map(([name, value]) => [name, String(value)]));
}
