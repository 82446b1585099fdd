import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/** Bounds on resources of one process that callers can hold; see `processBounds`. */
export interface ConnectionBounds {
  /** Open at once. To admit one more, the one that has been idle longest is closed. */
  readonly connections: number;
  /** Requests of one connection that wait for their answers. */
  readonly unansweredRequests: number;
  /** Bytes of answers that no caller has taken yet, over all connections. */
  readonly unreadBytes: number;
  /**
   * Pieces in which a body may arrive, besides one for every 256 bytes: each chunk, and each part of it that
   * is read at once, is one.
   */
  readonly bodyPieces: number;
  /** Bytes of bodies that have not arrived in full, over all connections. */
  readonly arrivingBytes: number;
}

type ConnectionHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ConnectionHandlers {
  /** Runs when all earlier requests of the connection have been answered. */
  readonly serve: ConnectionHandler;
  /**
   * Answers the first request beyond the bound, which must be the last of the connection: later ones get no
   * answer.
   */
  readonly refuse: ConnectionHandler;
}

interface ConnectionState {
  unanswered: number;
  /** The last request: only it can be incomplete. */
  request: IncomingMessage | undefined;
  readonly waiting: (() => void)[];
  isLast: boolean;
  /** Pieces of the body that is arriving. */
  pieces: number;
  sent: number;
  /** Bytes kept of it. */
  bytes: number;
  /** The same function for all answers of a connection. */
  readonly answered: () => void;
}

/**
 * Adds bounds that Node lacks: it begins every request that it finds in the data it has read, and waits for
 * ever for callers who do not read.
 */
export function limitConnections(
  server: Server,
  bounds: ConnectionBounds,
  {serve, refuse}: ConnectionHandlers,
): ConnectionHandler {
  /** In the order of their last answer, or of their beginning. */
  const open = new Map<Socket, ConnectionState>();
  let arriving = 0;

  server.on('connection', (socket: Socket) => {
    if (open.size >= bounds.connections) closeIdleConnection();
    if (open.size >= bounds.connections) return void socket.destroy();
    const state: ConnectionState = {
      unanswered: 0,
      request: undefined,
      waiting: [],
      isLast: false,
      pieces: 0,
      sent: 0,
      bytes: 0,
      answered: () => {
        state.unanswered -= 1;
        if (state.unanswered === 0) state.request = undefined;
        if (!open.delete(socket)) return;
        open.set(socket, state);
        state.waiting.shift()?.();
      },
    };
    open.set(socket, state);
    socket.once('close', () => {
      open.delete(socket);
      releaseBody(state);
    });
  });
  server.on('listening', () => {
    const looking = setInterval(limitUnreadBytes, lookEveryMs).unref();
    server.once('close', () => clearInterval(looking));
  });

  function cutConnection(socket: Socket): void {
    const held = open.get(socket);
    open.delete(socket);
    if (held !== undefined) releaseBody(held);
    socket.destroy();
  }

  /** Nothing more of the body is kept for its connection, or a handler is reading it. */
  function releaseBody(state: ConnectionState): void {
    arriving -= state.bytes;
    state.pieces = 0;
    state.sent = 0;
    state.bytes = 0;
  }

  /**
   * Counts a body as the parser hands it over, before any handler reads it. A piece costs the same however
   * small it is, and one read of a connection may have thousands of them. A connection that is cut gets no
   * more.
   */
  function countBody(request: IncomingMessage, state: ConnectionState): void {
    const {socket} = request;
    const push = request.push.bind(request);
    request.push = (piece: Buffer | null) => {
      if (!open.has(socket)) return false;
      if (piece === null) releaseBody(state);
      else {
        state.pieces += 1;
        state.sent += piece.length;
        const kept = Math.min(piece.length, mostKept - state.bytes);
        state.bytes += kept;
        arriving += kept;
        if (state.pieces > bounds.bodyPieces + state.sent / smallBytes) cutConnection(socket);
        if (arriving > bounds.arrivingBytes) cutLargest();
        if (!open.has(socket)) return false;
      }
      return push(piece);
    };
  }

  /** Cuts the connection with the largest arriving body. */
  function cutLargest(): void {
    let largest: Socket | undefined;
    let most = 0;
    for (const [socket, {bytes}] of open) {
      if (bytes <= most) continue;
      largest = socket;
      most = bytes;
    }
    if (largest !== undefined) cutConnection(largest);
  }

  /**
   * Closes the connection that has been idle longest; if none is idle, one that has not taken its answer, or
   * else one that has not sent its whole request.
   */
  function closeIdleConnection(): void {
    let unread: Socket | undefined;
    let unsent: Socket | undefined;
    for (const [socket, {unanswered, request}] of open) {
      if (unanswered === 0) return cutConnection(socket);
      if (socket.writableLength > 0) unread ??= socket;
      if (request?.complete === false) unsent ??= socket;
    }
    const going = unread ?? unsent;
    if (going !== undefined) cutConnection(going);
  }

  /** Cuts the connections with the most unread bytes first, until the rest is within the bound. */
  function limitUnreadBytes(): void {
    const all = [...open.keys()].map((socket) => ({socket, bytes: socket.writableLength}));
    let left = all.reduce((sum, {bytes}) => sum + bytes, 0);
    if (left <= bounds.unreadBytes) return;
    for (const {socket, bytes} of all.toSorted((a, b) => b.bytes - a.bytes)) {
      if (left <= bounds.unreadBytes) return;
      cutConnection(socket);
      left -= bytes;
    }
  }

  return function enter(request, response) {
    const {socket} = request;
    const held = open.get(socket);
    // Cut a moment ago: requests in data that was already read from it still arrive.
    if (held === undefined) return;
    held.unanswered += 1;
    held.request = request;
    response.on('close', held.answered);
    if (held.unanswered > 2 * bounds.unansweredRequests) return cutConnection(socket);
    if (hasBody(request)) countBody(request, held);
    if (held.isLast) return;
    held.isLast = held.unanswered > bounds.unansweredRequests;
    const answer = held.isLast ? refuse : serve;
    if (held.unanswered === 1) answer(request, response);
    else held.waiting.push(() => answer(request, response));
  };
}

function hasBody({headers}: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

const lookEveryMs = 1_000;
/** No network has packets this small, except for the last of a body. */
const smallBytes = 256;
/** The Slack entry point keeps this much of one body, and no more; the rest is read and dropped. */
const mostKept = 512 * 1024;
