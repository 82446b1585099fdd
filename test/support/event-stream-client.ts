import {type ClientRequest, get, type IncomingHttpHeaders, type IncomingMessage} from 'node:http';
import type {Json} from './service.js';

export interface SentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** A client of Server-Sent Events that follows the HTML standard. */
export interface EventStreamClient {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: readonly SentEvent[];
  /** The header `Last-Event-ID` that the client would send when it reconnects. */
  readonly lastId: () => string | undefined;
  readonly comments: readonly string[];
  /** The body of the answer when the service refuses the stream. */
  readonly problem: () => Json;
  /** How the answer ended: complete, or cut off. */
  readonly ended: Promise<'end' | 'cut'>;
  /** Cuts the connection to the service. */
  cut(): void;
}

export interface EventStreamOptions {
  readonly token: string;
  readonly query?: string;
  readonly lastEventId?: string | undefined;
  /** Path of the stream; by default that of the events themselves. */
  readonly path?: string;
}

/** Opens a stream of events; resolves with the status and headers of the answer. */
export function openEvents(
  url: string,
  {token, query = '', lastEventId, path = '/v1/events/stream'}: EventStreamOptions,
): Promise<EventStreamClient> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && {'last-event-id': lastEventId}),
    };
    const request: ClientRequest = get(`${url}${path}${query}`, {headers, agent: false});
    request.once('error', reject);
    request.once('response', (response) => resolve(readEvents(request, response)));
  });
}

function readEvents(request: ClientRequest, response: IncomingMessage): EventStreamClient {
  const events: SentEvent[] = [];
  const comments: string[] = [];
  let rest = '';
  let id: string | undefined;
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    rest += text;
    if (response.statusCode !== 200) return;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      takeEventBlock(rest.slice(0, end));
      rest = rest.slice(end + 2);
    }
  });

  function takeEventBlock(block: string): void {
    const fields: Record<string, string> = {};
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      if (colon === 0) comments.push(line.slice(1).trim());
      else fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, '');
    }
    id = fields['id'] ?? id;
    if (fields['data'] !== undefined)
      events.push({id: id ?? '', event: fields['event'] ?? 'message', data: fields['data']});
  }

  const ended = new Promise<'end' | 'cut'>((resolve) => {
    response.once('end', () => resolve('end'));
    response.once('close', () => resolve('cut'));
  });
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    lastId: () => id,
    comments,
    problem: () => JSON.parse(rest),
    ended,
    cut: () => request.destroy(),
  };
}
