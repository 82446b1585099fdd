import type {Socket} from 'node:net';
import {Client} from 'undici';
import type {Dispatcher, buildConnector} from 'undici';
import {type Answering, readAnswers} from './answers.js';

/** One connection, open or on its way: when it came how far, in ms of the process's own clock. */
export class Connection implements Answering {
  readonly startedAt = performance.now();
  resolvedAt: number | undefined;
  connectedAt: number | undefined;
  securedAt: number | undefined;
  /** When it could carry a request. */
  readyAt: number | undefined;
  /** Without a port. Through a proxy it is the receiver's, not the proxy's. */
  remoteAddress: string | undefined;
  requests = 0;
  answer: Answering['answer'] = 'passed';
  /** What is being opened, so that giving up closes it. */
  socket: Socket | undefined;
}

/** Opens a connection as undici asks for it, noting in `connection` how far it came. */
export type Connect = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
  connection?: Connection,
) => void;

/** A request that wants to know which connection carries it. */
export interface Carried {
  line: Line | undefined;
}

export interface CarriedOptions extends Dispatcher.DispatchOptions {
  readonly carried?: Carried;
}

/**
 * undici's client, which has one connection at a time, saying which. undici tells a request's handler nothing of its socket, and asking each
 * socket by diagnostics channels costs every request of the process.
 */
export class Line extends Client {
  /** The latest that was begun; before it stands, the one that a waiting request waits for. */
  connection: Connection | undefined;

  constructor(origin: string | URL, options: Client.Options, connect: Connect) {
    const open: buildConnector.connector = (target, callback) => {
      const connection = new Connection();
      this.connection = connection;
      const ready: buildConnector.Callback = (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        connection.readyAt = performance.now();
        readAnswers(socket, connection);
        callback(null, socket);
      };
      connect(target, ready, connection);
    };
    super(origin, {...options, connect: open});
  }

  override dispatch(options: CarriedOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (options.carried !== undefined) options.carried.line = this;
    return super.dispatch(options, handler);
  }
}
