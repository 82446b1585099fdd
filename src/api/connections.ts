import type {Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/** What those who call may hold of one process; see `processBounds`. */
export interface ConnectionBounds {
  /** Open at once. For one more the one that has been idle longest is closed. */
  readonly connections: number;
  /** Requests of one connection that wait for their answers. */
  readonly unansweredRequests: number;
  /** Bytes of answers that nobody has taken yet, over all connections. */
  readonly unreadBytes: number;
}

export interface Connections {
  /**
   * Counts a request until it is answered. Undefined: it is to be served. `refuse`: it is the first beyond the bound, and its answer must be
   * the last of its connection. `ignore`: it came after that one.
   */
  enter(socket: Socket, response: ServerResponse): 'refuse' | 'ignore' | undefined;
}

interface Held {
  readonly unanswered: Set<ServerResponse>;
  isLast: boolean;
}

/** Node has no such bounds: it begins every request that it finds in what it has read, and waits for ever for those who do not read. */
export function boundConnections(server: Server, bounds: ConnectionBounds): Connections {
  /** In the order of their last answer, or of their beginning. */
  const open = new Map<Socket, Held>();

  server.on('connection', (socket: Socket) => {
    if (open.size >= bounds.connections) makeRoom();
    if (open.size >= bounds.connections) return void socket.destroy();
    open.set(socket, {unanswered: new Set(), isLast: false});
    socket.once('close', () => open.delete(socket));
  });
  server.on('listening', () => {
    const looking = setInterval(boundUnread, lookEveryMs).unref();
    server.once('close', () => clearInterval(looking));
  });

  function cut(socket: Socket): void {
    open.delete(socket);
    socket.destroy();
  }

  /** The longest idle goes; if none is, who has not taken what it was sent. */
  function makeRoom(): void {
    let unread: Socket | undefined;
    for (const [socket, {unanswered}] of open) {
      if (unanswered.size === 0) return cut(socket);
      if (socket.writableLength > 0) unread ??= socket;
    }
    if (unread !== undefined) cut(unread);
  }

  /** Who has taken least is cut first, until the rest is within the bound. */
  function boundUnread(): void {
    const all = [...open].map(([socket, held]) => ({socket, bytes: unreadBytes(socket, held)}));
    let left = all.reduce((sum, {bytes}) => sum + bytes, 0);
    if (left <= bounds.unreadBytes) return;
    for (const {socket, bytes} of all.toSorted((a, b) => b.bytes - a.bytes)) {
      if (left <= bounds.unreadBytes) return;
      cut(socket);
      left -= bytes;
    }
  }

  return {
    enter(socket, response) {
      const held = open.get(socket);
      // Cut a moment ago: the rest of what was read from it still comes.
      if (held === undefined) return 'ignore';
      const {unanswered} = held;
      unanswered.add(response);
      response.once('close', () => {
        unanswered.delete(response);
        if (open.delete(socket)) open.set(socket, held);
      });
      if (unanswered.size > 2 * bounds.unansweredRequests) cut(socket);
      if (held.isLast) return 'ignore';
      held.isLast = unanswered.size > bounds.unansweredRequests;
      return held.isLast ? 'refuse' : undefined;
    },
  };
}

const lookEveryMs = 1_000;

/** An answer that waits for its turn on the connection has none yet, and keeps its bytes itself. */
function unreadBytes(socket: Socket, {unanswered}: Held): number {
  let bytes = socket.writableLength;
  for (const response of unanswered) if (response.socket === null) bytes += response.writableLength;
  return bytes;
}
