import {Agent, request as startRequest} from 'node:http';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The time (`performance.now()`) at which the request was due, if that is earlier than now. */
  readonly due?: number | undefined;
}

export interface Answer {
  readonly status: number;
  readonly cookie: string | undefined;
  readonly body: string;
}

/** The outcome of a request: its time in ms from the moment at which it was due, and its status or 0. */
export type Observe = (ms: number, status: number, sent: SentRequest, body: string) => void;

export type Client = ReturnType<typeof createClient>;

/** Sends requests to a port over connections that are kept alive. A request without an answer has status 0. */
export function createClient(port: number, observe: Observe) {
  const agent = new Agent({keepAlive: true, maxSockets: 64});
  return {
    send(sent: SentRequest): Promise<Answer> {
      const {method, path, token, body, headers, due = performance.now()} = sent;
      const text = typeof body === 'object' ? JSON.stringify(body) : body;
      return new Promise((resolve) => {
        function finish(status: number, cookie: string | undefined, answer: string): void {
          observe(performance.now() - due, status, sent, answer);
          resolve({status, cookie, body: answer});
        }
        const request = startRequest({
          agent,
          port,
          host: '127.0.0.1',
          method,
          path,
          headers: {
            ...(token !== undefined && {Authorization: `Bearer ${token}`}),
            ...(text !== undefined && {
              'Content-Type': 'application/json',
              'Content-Length': Buffer.byteLength(text),
            }),
            ...headers,
          },
        });
        request.once('error', ({message}) => finish(0, undefined, message));
        request.once('response', (response) => {
          let answer = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            answer += chunk;
          });
          response.once('error', ({message}) => finish(0, undefined, message));
          response.once('end', () =>
            finish(response.statusCode ?? 0, response.headers['set-cookie']?.[0]?.split(';')[0], answer),
          );
        });
        request.end(text);
      });
    },
    close: () => agent.destroy(),
  };
}
