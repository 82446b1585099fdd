import {createHash, randomUUID} from 'node:crypto';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {findLimitViolations} from './slack-limits.js';
import {until} from './until.js';

/**
 * Slack's side of Socket Mode. It returns addresses by `apps.connections.open`, greets, sends envelopes and
 * accepts their answers. It answers a close frame and leaves the connection open, as Slack does. Source:
 * https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export interface SocketSlack {
  readonly url: string;
  /**
   * Number of connections that the emulator has greeted so far. `open`: number of connections that are open
   * now.
   */
  readonly greeted: number;
  readonly open: number;
  /** True: new connections are greeted. False: new connections get neither a greeting nor envelopes. */
  greets: boolean;
  /** Sends an envelope over the youngest connection; resolves with the payload of the answer. */
  deliver(type: EnvelopeType, payload: object, options?: {id?: string}): Promise<Record<string, unknown>>;
  /** Sends an envelope over the youngest connection, without waiting for the answer. */
  send(type: EnvelopeType, payload: object, options?: {id?: string}): void;
  /** Waits until the client has read everything sent over the youngest connection. */
  read(): Promise<void>;
  /** Returns the client's answers to an envelope, oldest first. */
  answersTo(id: string): readonly Record<string, unknown>[];
  /** Asks the client for another connection, as Slack does every few hours. */
  askForAnother(reason?: string): void;
  /** Simulates a network failure: all connections are reset. */
  drop(): void;
  close(): Promise<void>;
}

export type EnvelopeType = 'slash_commands' | 'interactive' | 'events_api';

/** Starts the emulator. Every other call of the Web API is passed on to `target`. */
export async function startSocketSlack(target: () => string): Promise<SocketSlack> {
  const tickets = new Set<string>();
  /**
   * `sockets`: connections over which envelopes may be sent. `existing`: the same, and the connections on
   * which a close frame was sent.
   */
  const sockets = new Set<Duplex>();
  const existing = new Set<Duplex>();
  const answers = new Map<string, Record<string, unknown>[]>();
  const pongs = new Set<string>();
  let greeted = 0;

  const server = createServer((request, response) => {
    if (request.url === '/api/apps.connections.open') return answerSocketUrl(request, response);
    void forward(target(), request, response).catch(() => request.socket.destroy());
  });

  function answerSocketUrl(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const appLevel = request.headers.authorization?.startsWith('Bearer xapp-');
    const ticket = randomUUID();
    tickets.add(ticket);
    const body = appLevel
      ? {ok: true, url: `${address().replace('http', 'ws')}/link/?ticket=${ticket}`}
      : {ok: false, error: 'not_allowed_token_type'};
    response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(body));
  }

  server.on('upgrade', (request, socket: Duplex) => {
    const ticket = new URL(request.url ?? '', 'http://localhost').searchParams.get('ticket') ?? '';
    // An address is valid for one connection only.
    if (!tickets.delete(ticket)) return void socket.destroy();
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    sockets.add(socket);
    existing.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      existing.delete(socket);
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => socket.destroy());
    readFrames(socket, (opcode, payload) => {
      if (opcode === opcodes.text) return recordAnswer(payload.toString('utf8'));
      if (opcode === opcodes.pong) pongs.add(payload.toString('utf8'));
      if (opcode === opcodes.ping) socket.write(createFrame(opcodes.pong, payload));
      if (opcode === opcodes.close) {
        sockets.delete(socket);
        socket.write(createFrame(opcodes.close, payload));
      }
    });
    if (!slack.greets) return;
    greeted++;
    sendMessage(socket, {type: 'hello', num_connections: sockets.size, debug_info: {host: 'applink-1'}});
  });

  function recordAnswer(text: string): void {
    const {envelope_id, payload = {}} = JSON.parse(text) as {
      envelope_id: string;
      payload?: Record<string, unknown>;
    };
    const violations = findLimitViolations(payload);
    if (violations.length > 0) throw new Error(`the answer breaks limits of Slack: ${violations.join(', ')}`);
    answers.set(envelope_id, [...(answers.get(envelope_id) ?? []), payload]);
  }

  function sendMessage(socket: Duplex | undefined, message: object): void {
    if (socket === undefined) throw new Error('there is no connection to send it over');
    socket.write(createFrame(opcodes.text, Buffer.from(JSON.stringify(message))));
  }

  const youngest = () => [...sockets].at(-1);
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const slack: SocketSlack = {
    url: address(),
    greets: true,
    get greeted() {
      return greeted;
    },
    get open() {
      return existing.size;
    },
    send(type, payload, {id = randomUUID()} = {}) {
      sendMessage(youngest(), {
        type,
        envelope_id: id,
        accepts_response_payload: type !== 'events_api',
        payload,
      });
    },
    async deliver(type, payload, {id = randomUUID()} = {}) {
      const before = slack.answersTo(id).length;
      // A busy machine may have missed a heartbeat, which ends the connection. Wait for the next connection.
      if (youngest() === undefined) await until(youngest, {what: 'a connection'});
      slack.send(type, payload, {id});
      return until(() => slack.answersTo(id)[before], {what: 'an answer'});
    },
    async read() {
      const id = randomUUID();
      youngest()?.write(createFrame(opcodes.ping, Buffer.from(id)));
      await until(() => pongs.has(id));
    },
    answersTo: (id) => answers.get(id) ?? [],
    askForAnother: (reason = 'refresh_requested') => sendMessage(youngest(), {type: 'disconnect', reason}),
    drop() {
      for (const socket of sockets) (socket as Socket).resetAndDestroy();
      sockets.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of existing) socket.destroy();
      }),
  };
  return slack;
}

const opcodes = {text: 1, close: 8, ping: 9, pong: 10} as const;

/**
 * Reads the frames of a client, which are masked. Slack's client sends no frame in parts. Source: RFC 6455,
 * section 5.2.
 */
function readFrames(socket: Duplex, take: (opcode: number, payload: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (
      let size = readFrameSize(rest);
      size !== undefined && rest.length >= size.whole;
      size = readFrameSize(rest)
    ) {
      const mask = rest.subarray(size.head - 4, size.head);
      const payload = Buffer.from(rest.subarray(size.head, size.whole)).map(
        (byte, at) => byte ^ (mask[at % 4] ?? 0),
      );
      take((rest[0] ?? 0) & 0x0f, Buffer.from(payload));
      rest = rest.subarray(size.whole);
    }
  });
}

/** Returns the size of a frame; undefined until enough of it has arrived. */
function readFrameSize(bytes: Buffer): {head: number; whole: number} | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + extended) return undefined;
  const length =
    extended === 0 ? short : extended === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const head = 2 + extended + 4;
  return {head, whole: head + length};
}

function createFrame(opcode: number, payload: Buffer): Buffer {
  const first = 0x80 | opcode;
  if (payload.length < 126) return Buffer.concat([Buffer.from([first, payload.length]), payload]);
  const head = Buffer.alloc(4);
  head.writeUInt8(first, 0);
  head.writeUInt8(126, 1);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

async function forward(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const reply = await fetch(`${target}${request.url ?? ''}`, {
    method: 'POST',
    headers: {
      authorization: request.headers.authorization ?? '',
      'content-type': request.headers['content-type'] ?? 'application/x-www-form-urlencoded',
    },
    body: Buffer.concat(chunks),
  });
  response.writeHead(reply.status, {'content-type': 'application/json'}).end(await reply.text());
}
