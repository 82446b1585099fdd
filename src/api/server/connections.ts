import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/** Limits on what callers can occupy in one process; see `processBounds`. */
export interface ConnectionBounds {
  /** The most open connections. Above it, the one that has been idle longest is closed. */
  readonly connections: number;
  /** The maximum number of requests on one connection that wait for answers. */
  readonly unansweredRequests: number;
  /** The maximum size of all answers that callers have not read yet (bytes), over all connections. */
  readonly unreadBytes: number;
  /** The most pieces of a body; one more is allowed for every 256 bytes. */
  readonly bodyPieces: number;
  /** The maximum size of all bodies that have not arrived completely (bytes), over all connections. */
  readonly arrivingBytes: number;
}

type ConnectionHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ConnectionHandlers {
  /** Handles a request when all earlier requests of the connection have been answered. */
  readonly serve: ConnectionHandler;
  /** Refuses the first request above the limit. Later requests of the connection get no answer. */
  readonly refuse: ConnectionHandler;
}

interface ConnectionState {
  unanswered: number;
  /** The last request of the connection, the only one that can be incomplete. */
  request: IncomingMessage | undefined;
  readonly waiting: (() => void)[];
  isLast: boolean;
  /** The number of pieces of the arriving body. */
  pieces: number;
  sent: number;
  /** The bytes of the arriving body that are in memory. */
  bytes: number;
  /** Called after each answer. All answers of a connection share one function. */
  readonly answered: () => void;
}

/** Limits an HTTP server: Node starts every request, and waits forever for callers who do not read. */
export function limitConnections(
  server: Server,
  bounds: ConnectionBounds,
  {serve, refuse}: ConnectionHandlers,
): ConnectionHandler {
  /** Open connections, in the order of their last answers, or of their starts. */
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
      stopCountingBody(state);
    });
  });
  server.on('listening', () => {
    const looking = setInterval(limitUnreadBytes, lookEveryMs).unref();
    server.once('close', () => clearInterval(looking));
  });

  function cutConnection(socket: Socket): void {
    const held = open.get(socket);
    open.delete(socket);
    if (held !== undefined) stopCountingBody(held);
    socket.destroy();
  }

  /** Stops counting the bytes of a body, because from now on a handler reads them or they are discarded. */
  function stopCountingBody(state: ConnectionState): void {
    arriving -= state.bytes;
    state.pieces = 0;
    state.sent = 0;
    state.bytes = 0;
  }

  /** Counts a body as it arrives. Small pieces cost as much as large ones; too many cut the connection. */
  function countArrivingBody(request: IncomingMessage, state: ConnectionState): void {
    const {socket} = request;
    const push = request.push.bind(request);
    request.push = (piece: Buffer | null) => {
      if (!open.has(socket)) return false;
      if (piece === null) stopCountingBody(state);
      else {
        state.pieces += 1;
        state.sent += piece.length;
        const kept = Math.min(piece.length, mostKept - state.bytes);
        state.bytes += kept;
        arriving += kept;
        if (state.pieces > bounds.bodyPieces + state.sent / smallBytes) cutConnection(socket);
        if (arriving > bounds.arrivingBytes) cutConnectionWithLargestBody();
        if (!open.has(socket)) return false;
      }
      return push(piece);
    };
  }

  /** Cuts the connection with the largest incomplete body. */
  function cutConnectionWithLargestBody(): void {
    let largest: Socket | undefined;
    let most = 0;
    for (const [socket, {bytes}] of open) {
      if (bytes <= most) continue;
      largest = socket;
      most = bytes;
    }
    if (largest !== undefined) cutConnection(largest);
  }

  /** Closes the longest idle connection, else one that does not read its answer, else an incomplete one. */
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

  /** Cuts connections, those with the most unread bytes first, until the rest is within the limit. */
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
    // The connection was just cut, but requests in the data that was already read still arrive.
    if (held === undefined) return;
    held.unanswered += 1;
    held.request = request;
    response.on('close', held.answered);
    if (held.unanswered > 2 * bounds.unansweredRequests) return cutConnection(socket);
    if (hasBody(request)) countArrivingBody(request, held);
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
/** The smallest size of a body's packet. Only the last one is smaller in a real network. */
const smallBytes = 256;
/** The most bytes of a body that the Slack entry point keeps. It reads and discards the rest. */
const mostKept = 512 * 1024;
