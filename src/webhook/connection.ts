import type {Socket} from 'node:net';
import {Client} from 'undici';
import type {Dispatcher, buildConnector} from 'undici';
import {type AnswerState, filterAnswers} from './answers.js';

/** One connection, open or being opened, with the time of each stage, in ms of the process's own clock. */
export class Connection implements AnswerState {
  readonly startedAt = performance.now();
  resolvedAt: number | undefined;
  connectedAt: number | undefined;
  securedAt: number | undefined;
  /** The time at which it could carry a request. */
  readyAt: number | undefined;
  /** Without a port. Through a proxy it is the receiver's, not the proxy's. */
  remoteAddress: string | undefined;
  requests = 0;
  answer: AnswerState['answer'] = 'passed';
  /** The socket being opened, so that giving up closes it. */
  socket: Socket | undefined;
}

/** Opens a connection for undici and records its stages in `connection`. */
export type Connect = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
  connection?: Connection,
) => void;

/** A request that needs to know which connection carries it. */
export interface CarriedRequest {
  line: ConnectionClient | undefined;
}

export interface CarriedOptions extends Dispatcher.DispatchOptions {
  readonly carried?: CarriedRequest;
}

/**
 * undici's client, which has one connection at a time, and exposes it. undici gives a request's handler no
 * access to its socket, and diagnostics channels for each socket would slow every request of the process.
 */
export class ConnectionClient extends Client {
  /** The latest connection started; until it is open, the one for which a waiting request waits. */
  connection: Connection | undefined;

  constructor(origin: string | URL, options: Client.Options, connect: Connect) {
    const open: buildConnector.connector = (target, callback) => {
      const connection = new Connection();
      this.connection = connection;
      const ready: buildConnector.Callback = (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        connection.readyAt = performance.now();
        filterAnswers(socket, connection);
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
