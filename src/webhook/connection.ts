import type {Socket} from 'node:net';
import {Client} from 'undici';
import type {Dispatcher, buildConnector} from 'undici';
import {type AnswerState, filterAnswers} from './answers.js';

/** One connection, open or being opened, with the time of each stage (ms of the process's own clock). */
export class Connection implements AnswerState {
  readonly startedAt = performance.now();
  resolvedAt: number | undefined;
  connectedAt: number | undefined;
  securedAt: number | undefined;
  /** The time at which the connection could carry a request. */
  readyAt: number | undefined;
  /** The receiver's address without a port, also for a connection through a proxy. */
  remoteAddress: string | undefined;
  requests = 0;
  answer: AnswerState['answer'] = 'passed';
  /** The socket that is being opened, so that it can be closed if the request is given up. */
  socket: Socket | undefined;
}

/** Opens a connection for undici, and records its stages in `connection`. */
export type Connect = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
  connection?: Connection,
) => void;

/** A request that is told which connection will carry it. */
export interface CarriedRequest {
  line: ConnectionClient | undefined;
}

export interface CarriedOptions extends Dispatcher.DispatchOptions {
  readonly carried?: CarriedRequest;
}

/**
 * A client of undici with one connection at a time, which it exposes. undici does not give a request access
 * to its socket, and diagnostics channels would slow down all requests.
 */
export class ConnectionClient extends Client {
  /** The latest connection of this client. While it is being opened, a request waits for it. */
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
