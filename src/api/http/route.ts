import type {z} from 'zod';
import type {Call, Scope} from '../../domain/core/access.js';
import type {ErrorCode, InputError} from '../../domain/core/errors.js';
import type {LogPosition} from '../../domain/events/event.js';
import {type Id, isId, sequenceOfId} from '../../domain/core/ids.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {OperationExample} from '../examples/example.js';
import type {Cursors} from './cursor.js';
import type {Deprecation} from './deprecation.js';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The input of a handler, after every check that does not need the service. */
export interface HandlerInput<Query = unknown, Body = unknown> {
  readonly call: Call & {readonly token: NonNullable<Call['token']>};
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The revisions that `If-Match` demands. */
  readonly expected: '*' | number[] | undefined;
  readonly ifNoneMatch: string | undefined;
  /** The query as it was sent, without its question mark. */
  readonly search: string;
  /** A header that the route declares in `headers`; undefined when it was not sent, or is empty. */
  readonly header: (name: string) => string | undefined;
  /** Whether `Accept` admits this media type. */
  readonly admits: (mediaType: string) => boolean;
  /** Opens and makes cursors for this list with these filters. */
  readonly cursors: {
    /** The position in a cursor that was sent as `parameter` (default `cursor`). Errors: `invalid_cursor`. */
    open: (cursor: string | undefined, parameter?: string) => number | undefined;
    make: (position: number) => string;
    /** The same for positions in the log of events. */
    openLog: (cursor: string | undefined, parameter?: string) => LogPosition | undefined;
    makeLog: (position: LogPosition) => string;
  };
}

/** The destination of a stream's body. */
export interface Sink {
  /**
   * Sends a chunk; an empty one only checks whether the client is still connected. Resolves when its
   * connection takes more. The first chunk also sends the head of the answer, so a stream that fails before
   * it is answered with a problem. Rejects when the client has disconnected, or has taken nothing for
   * `deadlines.drain`.
   */
  write: (chunk: string) => Promise<void>;
  /** Aborted when the client disconnects and when the service stops: an endless stream ends then. */
  readonly signal: AbortSignal;
}

/**
 * Writes a body of any length, as fast as the client takes it. The body ends when the function returns. If it
 * throws after the first chunk, the connection is cut without the end of the body, so that the client notices
 * that something is missing.
 */
export type Stream = (sink: Sink) => Promise<void>;

/** A handler's answer; `run-request.ts` adds the parts that every answer has. */
export interface HandlerResponse {
  readonly status: number;
  /** A buffer is JSON in UTF-8, or its compressed form. */
  readonly body?: WireJson | Buffer;
  /** Instead of `body`; with a `Content-Type` in `headers`. Not called for HEAD. */
  readonly stream?: Stream;
  readonly headers?: Readonly<Record<string, string>>;
  /** The position of the next page: becomes the `Link` header. */
  readonly next?: string | undefined;
}

/** One operation: everything that checks it, runs it and documents it. */
export interface Route {
  readonly method: HttpMethod;
  /** OpenAPI path template, such as `/v1/teams/{team}`. */
  readonly path: string;
  readonly operation: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Given by the table of all operations. */
  readonly example?: OperationExample | undefined;
  /** The scope that the token needs; undefined: every valid token will do. */
  readonly scope?: Scope;
  readonly query: z.ZodType;
  /** Request headers that only this operation takes. */
  readonly headers?: readonly 'Last-Event-ID'[];
  /** Path of the list whose cursors it takes, if that is another one. */
  readonly cursorsOf?: string;
  /**
   * True when it only reads although it takes a body: it needs no idempotency key, and does not count as a
   * write in the quota.
   */
  readonly onlyReads?: true;
  /** The body's schema; undefined: the operation takes none. */
  readonly body?: z.ZodType;
  /**
   * Errors that only the service finds in a body, reported beside those of the schema. If the schema accepts
   * a body, the service refuses it itself.
   */
  readonly alsoWrong?: (body: unknown) => readonly InputError[];
  /** Status of success and the schema of its body. */
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly schema?: z.ZodType;
    readonly list?: boolean;
    /** Answers one item or, when it was asked for several, a list of them without `Location` and `ETag`. */
    readonly alsoList?: boolean;
    /** Media types of a streamed answer, in place of `schema`. Any other answer is `application/json`. */
    readonly mediaTypes?: readonly string[];
    /** False: a single item without a revision, and so without an `ETag`. True: a list that has one. */
    readonly tagged?: boolean;
    /**
     * Returns in `Location` the address of the progress of the work that it has begun, if it has begun any.
     */
    readonly locates?: boolean;
    /** Answers 201 when it has created the resource that it was to set. */
    readonly creates?: boolean;
  };
  /** Refusals besides those that every operation has. */
  readonly errors: readonly ErrorCode[];
  /**
   * Set when the operation is to be removed: answers announce it, the document marks it, and its sunset ends
   * it.
   */
  readonly deprecated?: Deprecation;
  readonly handle: (input: HandlerInput) => Promise<HandlerResponse>;
}

/** True when it changes nothing, however often it is called. */
export function isReadOnly({method, onlyReads}: Pick<Route, 'method' | 'onlyReads'>): boolean {
  return method === 'GET' || onlyReads === true;
}

/** Gives a handler the types of its own schemas. */
export function defineRoute<Query, Body = undefined>(
  definition: Omit<Route, 'query' | 'body' | 'handle'> & {
    readonly query: z.ZodType<Query>;
    readonly body?: z.ZodType<Body>;
    readonly handle: (input: HandlerInput<Query, Body>) => Promise<HandlerResponse>;
  },
): Route {
  return definition as unknown as Route;
}

/** The cursors of one list: bound to workspace, path and filters. */
export function createListCursors(
  cursors: Cursors,
  workspace: Id<'workspace'>,
  path: string,
  search: string,
): HandlerInput['cursors'] {
  const scope = () => `${workspace} ${path} ${filtersOf(search)}`;
  const open = (cursor: string | undefined, parameter?: string) =>
    cursor === undefined ? undefined : cursors.decode(cursor, scope(), parameter);
  return {
    open(cursor, parameter) {
      const position = open(cursor, parameter);
      return position === undefined ? undefined : Number.parseInt(position, 36);
    },
    make: (position) => cursors.encode(position.toString(36), scope()),
    openLog(cursor, parameter) {
      const position = open(cursor, parameter);
      if (position === undefined) return undefined;
      return isId('event', position)
        ? {sequence: sequenceOfId(position), id: position}
        : {sequence: Number.parseInt(position, 36)};
    },
    makeLog: ({id, sequence}) => cursors.encode(id ?? sequence.toString(36), scope()),
  };
}

/** The query without the parameters that choose a page of the list. */
function filtersOf(search: string): string {
  const filters = new URLSearchParams(search);
  filters.delete('cursor');
  filters.delete('limit');
  filters.sort();
  return filters.toString();
}
