import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/** Bounds of what callers hold of one process; see `processBounds`. */
export interface ConnectionBounds {
  /** Open at once. For one more the one that has been idle longest is closed. */
  readonly connections: number;
  /** Requests of one connection that wait for their answers. */
  readonly unansweredRequests: number;
  /** Bytes of answers that nobody has taken yet, over all connections. */
  readonly unreadBytes: number;
  /** Pieces in which a body may come, besides those that are not small: each chunk, and what is read of it at once. */
  readonly bodyPieces: number;
  /** Bytes of bodies that have not come whole, over all connections. */
  readonly arrivingBytes: number;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface Answers {
  /** Runs when all earlier requests of the connection have been answered. */
  readonly serve: Answer;
  /**
   * For the first request beyond the bound, whose answer must be the last of the connection; what comes after
   * it gets nothing.
   */
  readonly refuse: Answer;
}

interface Held {
  unanswered: number;
  /** The last request: only it can be incomplete. */
  request: IncomingMessage | undefined;
  readonly waiting: (() => void)[];
  isLast: boolean;
  /** Of the body that is arriving. */
  pieces: number;
  sent: number;
  /** Kept of it. */
  bytes: number;
  /** One function for all answers of a connection. */
  readonly answered: () => void;
}

/**
 * Node has no such bounds: it begins every request that it finds in what it has read, and waits for ever for
 * those who do not read.
 */
export function boundConnections(server: Server, bounds: ConnectionBounds, {serve, refuse}: Answers): Answer {
  /** In the order of their last answer, or of their beginning. */
  const open = new Map<Socket, Held>();
  let arriving = 0;

  server.on('connection', (socket: Socket) => {
    if (open.size >= bounds.connections) makeRoom();
    if (open.size >= bounds.connections) return void socket.destroy();
    const held: Held = {
      unanswered: 0,
      request: undefined,
      waiting: [],
      isLast: false,
      pieces: 0,
      sent: 0,
      bytes: 0,
      answered: () => {
        held.unanswered -= 1;
        if (held.unanswered === 0) held.request = undefined;
        if (!open.delete(socket)) return;
        open.set(socket, held);
        held.waiting.shift()?.();
      },
    };
    open.set(socket, held);
    socket.once('close', () => {
      open.delete(socket);
      hasArrived(held);
    });
  });
  server.on('listening', () => {
    const looking = setInterval(boundUnread, lookEveryMs).unref();
    server.once('close', () => clearInterval(looking));
  });

  function cut(socket: Socket): void {
    const held = open.get(socket);
    open.delete(socket);
    if (held !== undefined) hasArrived(held);
    socket.destroy();
  }

  /** Nothing more of the body is kept for its connection, or it is somebody's who reads it. */
  function hasArrived(held: Held): void {
    arriving -= held.bytes;
    held.pieces = 0;
    held.sent = 0;
    held.bytes = 0;
  }

  /**
   * Counts a body as the parser hands it over, before anybody reads it. A piece costs as much however small it
   * is, and one read of a connection may have thousands of them; what is cut gets no more.
   */
  function countBody(request: IncomingMessage, held: Held): void {
    const {socket} = request;
    const push = request.push.bind(request);
    request.push = (piece: Buffer | null) => {
      if (!open.has(socket)) return false;
      if (piece === null) hasArrived(held);
      else {
        held.pieces += 1;
        held.sent += piece.length;
        const kept = Math.min(piece.length, mostKept - held.bytes);
        held.bytes += kept;
        arriving += kept;
        if (held.pieces > bounds.bodyPieces + held.sent / smallBytes) cut(socket);
        if (arriving > bounds.arrivingBytes) cutLargest();
        if (!open.has(socket)) return false;
      }
      return push(piece);
    };
  }

  /** Of those whose bodies are arriving. */
  function cutLargest(): void {
    let largest: Socket | undefined;
    let most = 0;
    for (const [socket, {bytes}] of open) {
      if (bytes <= most) continue;
      largest = socket;
      most = bytes;
    }
    if (largest !== undefined) cut(largest);
  }

  /** The longest idle goes; if none is, who has not taken what it was sent, or else not sent all that it asks. */
  function makeRoom(): void {
    let unread: Socket | undefined;
    let unsent: Socket | undefined;
    for (const [socket, {unanswered, request}] of open) {
      if (unanswered === 0) return cut(socket);
      if (socket.writableLength > 0) unread ??= socket;
      if (request?.complete === false) unsent ??= socket;
    }
    const going = unread ?? unsent;
    if (going !== undefined) cut(going);
  }

  /** Who has taken least is cut first, until the rest is within the bound. */
  function boundUnread(): void {
    const all = [...open.keys()].map((socket) => ({socket, bytes: socket.writableLength}));
    let left = all.reduce((sum, {bytes}) => sum + bytes, 0);
    if (left <= bounds.unreadBytes) return;
    for (const {socket, bytes} of all.toSorted((a, b) => b.bytes - a.bytes)) {
      if (left <= bounds.unreadBytes) return;
      cut(socket);
      left -= bytes;
    }
  }

  return function enter(request, response) {
    const {socket} = request;
    const held = open.get(socket);
    // Cut a moment ago: the rest of what was read from it still comes.
    if (held === undefined) return;
    held.unanswered += 1;
    held.request = request;
    response.on('close', held.answered);
    if (held.unanswered > 2 * bounds.unansweredRequests) return cut(socket);
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
/** No network's packets are as small, but for the last of a body. */
const smallBytes = 256;
/** Slack's door keeps so much of one body, and none more; what is beyond is read and forgotten. */
const mostKept = 512 * 1024;
