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

/** The input of a handler. All checks that need no service have already passed. */
export interface HandlerInput<Query = unknown, Body = unknown> {
  readonly call: Call & {readonly token: NonNullable<Call['token']>};
  /** The parameters in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The revisions that the request's `If-Match` header allows. */
  readonly expected: '*' | number[] | undefined;
  readonly ifNoneMatch: string | undefined;
  /** The client's network address, as reported by trusted proxies. */
  readonly address: string | undefined;
  /** The query as it was sent, without the question mark. */
  readonly search: string;
  /** Returns a header that the route declares in `headers`; undefined when it is missing or empty. */
  readonly header: (name: string) => string | undefined;
  /** True if the request's `Accept` header allows this media type. */
  readonly admits: (mediaType: string) => boolean;
  /** Opens and makes cursors for this list with these filters. */
  readonly cursors: {
    /** Returns the position in the cursor `parameter` (default `cursor`). Errors: `invalid_cursor`. */
    open: (cursor: string | undefined, parameter?: string) => number | undefined;
    make: (position: number) => string;
    /** Opens a cursor for a position in the event log. */
    openLog: (cursor: string | undefined, parameter?: string) => LogPosition | undefined;
    makeLog: (position: LogPosition) => string;
  };
}

/** The receiver of a streamed body. */
export interface Sink {
  /**
   * Sends a chunk; an empty one only checks whether the client is still connected. Resolves when the
   * connection can take more. The first chunk also sends the status and headers, so an earlier error can
   * still be answered. Rejects when the client has disconnected, or has read nothing for `deadlines.drain`.
   */
  write: (chunk: string) => Promise<void>;
  /** Aborted when the client disconnects or the service stops, so that an endless stream ends. */
  readonly signal: AbortSignal;
}

/** Writes a body as fast as the client reads it. A throw after the first chunk cuts the connection. */
export type Stream = (sink: Sink) => Promise<void>;

/** The answer of a handler. `run-request.ts` adds the headers that every answer has. */
export interface HandlerResponse {
  readonly status: number;
  /** The body. A buffer holds JSON in UTF-8, possibly compressed. */
  readonly body?: WireJson | Buffer;
  /**
   * Waits, and returns the answer itself. `signal` is aborted when the client disconnects or the service stops:
   * the wait then ends. It holds no slot of the process meanwhile.
   */
  readonly later?: (signal: AbortSignal) => Promise<HandlerResponse>;
  /** A stream instead of `body`; its `Content-Type` is in `headers`. It is not called for HEAD requests. */
  readonly stream?: Stream;
  readonly headers?: Readonly<Record<string, string>>;
  /** The position of the next page, which becomes the `Link` header. */
  readonly next?: string | undefined;
}

/** One operation, with everything needed to check, run and document it. */
export interface Route {
  readonly method: HttpMethod;
  /** The OpenAPI path template, such as `/v1/teams/{team}`. */
  readonly path: string;
  readonly operation: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The example, which is added by the table of all operations. */
  readonly example?: OperationExample | undefined;
  /** The scope that a token needs. Undefined: every valid token is accepted. */
  readonly scope?: Scope;
  readonly query: z.ZodType;
  /** Request headers that only this operation accepts. */
  readonly headers?: readonly 'Last-Event-ID'[];
  /** The path of the list whose cursors this operation accepts, if that is another list. */
  readonly cursorsOf?: string;
  /** True for an operation that reads although it has a body: no idempotency key, and no count as a write. */
  readonly onlyReads?: true;
  /** The schema of the body. Undefined: the operation takes none. */
  readonly body?: z.ZodType;
  /**
   * Returns errors in a body that only the service can find, to be reported together with the schema's
   * errors. It is not called for a body that the schema accepts, because the service itself then refuses it.
   */
  readonly alsoWrong?: (body: unknown) => readonly InputError[];
  /** The status of a success, and the schema of the answer's body. */
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly schema?: z.ZodType;
    readonly list?: boolean;
    /** True when the answer to a request for several items is a list, without `Location` and `ETag`. */
    readonly alsoList?: boolean;
    /** The media types of a streamed answer, instead of `schema`. All others are `application/json`. */
    readonly mediaTypes?: readonly string[];
    /** False for an item without a revision and `ETag`; true for one of the few lists that have an `ETag`. */
    readonly tagged?: boolean;
    /** True when the `Location` header is the URL of the started work's progress. */
    readonly locates?: boolean;
    /** True when the answer may be 201, because the operation has created the resource that it sets. */
    readonly creates?: boolean;
  };
  /** True for an answer in which a caller's text is beside text that this caller may not read. */
  readonly neverCompressed?: true;
  /** The error codes of this operation, besides the codes of every operation. */
  readonly errors: readonly ErrorCode[];
  /** The announced end, shown in answers and the document. From then on, the operation does not work. */
  readonly deprecated?: Deprecation;
  readonly handle: (input: HandlerInput) => Promise<HandlerResponse>;
}

/** True when the operation never changes anything. */
export function isReadOnly({method, onlyReads}: Pick<Route, 'method' | 'onlyReads'>): boolean {
  return method === 'GET' || onlyReads === true;
}

/** Gives a handler the types of its route's schemas. */
export function defineRoute<Query, Body = undefined>(
  definition: Omit<Route, 'query' | 'body' | 'handle'> & {
    readonly query: z.ZodType<Query>;
    readonly body?: z.ZodType<Body>;
    readonly handle: (input: HandlerInput<Query, Body>) => Promise<HandlerResponse>;
  },
): Route {
  return definition as unknown as Route;
}

/** Creates the cursors of one list, which are bound to the workspace, the path and the filters. */
export function createListCursors(
  cursors: Cursors,
  workspace: Id<'workspace'>,
  path: string,
  search: string,
): HandlerInput['cursors'] {
  const scope = () => `${workspace} ${path} ${readFilters(search)}`;
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

/** Returns the query without the parameters that choose a page of the list, or when it is answered. */
function readFilters(search: string): string {
  const filters = new URLSearchParams(search);
  filters.delete('cursor');
  filters.delete('limit');
  filters.delete('wait');
  filters.sort();
  return filters.toString();
}
