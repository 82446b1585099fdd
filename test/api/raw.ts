import net from 'node:net';
import {checkExchange} from '../support/contract.js';
import type {Json} from '../support/service.js';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly body: Json;
}

/** Writes raw bytes to the service and reads until the connection ends. */
export function sendRaw(
  url: string,
  parts: string | Buffer | readonly (string | Buffer)[],
): Promise<RawAnswer> {
  const {hostname, port} = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject);
    socket.once('close', () => {
      try {
        resolve(checked(parts, parse(Buffer.concat(chunks).toString())));
      } catch (error) {
        reject(error);
      }
    });
    for (const part of Array.isArray(parts) ? parts : [parts]) socket.write(part as string | Buffer);
  });
}

/** Checks an answer against the document if the request line names an operation. */
function checked(parts: string | Buffer | readonly (string | Buffer)[], answer: RawAnswer): RawAnswer {
  if (Number.isNaN(answer.status)) return answer;
  const begin = (Array.isArray(parts) ? parts : [parts]).map(String).join('').slice(0, 40_000);
  const [, method = 'GET', path = '/'] = /^([A-Z]+) (?:https?:\/\/[^/\s]*)?(\/\S*) HTTP/.exec(begin) ?? [];
  const {status, headers} = answer;
  // Further answers may follow on the same connection.
  const text = Buffer.from(answer.text).toString('utf8', 0, Number(headers.get('content-length') ?? 0));
  checkExchange({method, path, status, text, headers: {get: (name) => headers.get(name.toLowerCase())}});
  return answer;
}

function parse(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const content = text.slice(end + 4);
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    ),
    text: content,
    body: content.startsWith('{') ? JSON.parse(Buffer.from(content).toString('utf8', 0, length)) : undefined,
  };
}
