import type {z} from 'zod';
import type {Call, Scope} from '../../domain/core/access.js';
import type {ErrorCode, Fault} from '../../domain/core/errors.js';
import type {LogPlace} from '../../domain/events/event.js';
import {type Id, isId, sequenceOfId} from '../../domain/core/ids.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {OperationExample} from '../examples/example.js';
import type {Cursors} from './cursor.js';
import type {Deprecation} from './deprecation.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler gets, after every check that does not need the service. */
export interface Handled<Query = unknown, Body = unknown> {
  readonly call: Call & {readonly token: NonNullable<Call['token']>};
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** What `If-Match` demands. */
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
    /** The place of a cursor that was sent as `parameter` (default `cursor`). Errors: `invalid_cursor`. */
    open: (cursor: string | undefined, parameter?: string) => number | undefined;
    make: (place: number) => string;
    /** The same for places in the log of events. */
    openLog: (cursor: string | undefined, parameter?: string) => LogPlace | undefined;
    makeLog: (place: LogPlace) => string;
  };
}

/** Where a stream writes its body. */
export interface Sink {
  /**
   * Sends a chunk, or with an empty one only asks whether the reader is still there; resolves when the
   * reader's connection takes more. The first one sends the head of the answer too, so a stream that fails
   * before it is answered with a problem. Rejects when the reader has gone, or has taken nothing for
   * `deadlines.drain`.
   */
  write: (chunk: string) => Promise<void>;
  /**
   * Aborted when the reader has gone and when the service stops: a stream without an end of its own ends
   * now.
   */
  readonly signal: AbortSignal;
}

/**
 * Writes a body of any length, as fast as the reader takes it. It ends where the function returns; when it
 * throws after the first chunk, the connection is cut without the end of the body, so that the reader sees
 * that something is missing.
 */
export type Stream = (sink: Sink) => Promise<void>;

/** A handler's answer; `run-request.ts` adds what every answer has. */
export interface Reply {
  readonly status: number;
  /** A buffer is JSON in UTF-8, or that packed. */
  readonly body?: WireJson | Buffer;
  /** Instead of `body`; with a `Content-Type` in `headers`. Not called for HEAD. */
  readonly stream?: Stream;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the next page begins: becomes the `Link` header. */
  readonly next?: string | undefined;
}

/** One operation: everything that checks it, runs it and documents it. */
export interface Route {
  readonly method: Method;
  /** OpenAPI path template, such as `/v1/teams/{team}`. */
  readonly path: string;
  readonly operation: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Given by the table of all operations. */
  readonly example?: OperationExample | undefined;
  /** What the token must be allowed; undefined: every valid token may. */
  readonly scope?: Scope;
  readonly query: z.ZodType;
  /** Request headers that only this operation takes. */
  readonly headers?: readonly 'Last-Event-ID'[];
  /** Path of the list whose cursors it takes, when that is not its own. */
  readonly cursorsOf?: string;
  /**
   * True of what only reads though it takes a body: it needs no idempotency key, and is no write to the
   * quota.
   */
  readonly onlyReads?: true;
  /** The body's schema; undefined: the operation takes none. */
  readonly body?: z.ZodType;
  /**
   * Faults that the service alone finds in a body, told beside those of the schema. A body that is right by its
   * schema the service refuses itself.
   */
  readonly alsoWrong?: (body: unknown) => readonly Fault[];
  /** Status of success and the schema of its body. */
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly schema?: z.ZodType;
    readonly list?: boolean;
    /** Answers one item or, when it was asked for several, a list of them without `Location` and `ETag`. */
    readonly alsoList?: boolean;
    /** What a streamed answer may be, in place of `schema`. Any other answer is `application/json`. */
    readonly mediaTypes?: readonly string[];
    /** False: a single item without a revision, and so without an `ETag`. True: a list that has one. */
    readonly tagged?: boolean;
    /** Says in `Location` where to read how what it has begun gets on, where it has begun something. */
    readonly locates?: boolean;
    /** Answers 201 when it has made what it was to set. */
    readonly creates?: boolean;
  };
  /** Refusals besides those that every operation has. */
  readonly errors: readonly ErrorCode[];
  /**
   * Set when the operation is on its way out: answers announce it, the document marks it, and its sunset
   * ends it.
   */
  readonly deprecated?: Deprecation;
  readonly handle: (handled: Handled) => Promise<Reply>;
}

/** Whether it changes nothing, however often it is asked. */
export function isRead({method, onlyReads}: Pick<Route, 'method' | 'onlyReads'>): boolean {
  return method === 'GET' || onlyReads === true;
}

/** Gives a handler the types of its own schemas. */
export function route<Query, Body = undefined>(
  definition: Omit<Route, 'query' | 'body' | 'handle'> & {
    readonly query: z.ZodType<Query>;
    readonly body?: z.ZodType<Body>;
    readonly handle: (handled: Handled<Query, Body>) => Promise<Reply>;
  },
): Route {
  return definition as unknown as Route;
}

/** The cursors of one list: bound to workspace, path and filters. */
export function boundCursors(
  cursors: Cursors,
  workspace: Id<'workspace'>,
  path: string,
  search: string,
): Handled['cursors'] {
  const scope = () => `${workspace} ${path} ${filtersOf(search)}`;
  const open = (cursor: string | undefined, parameter?: string) =>
    cursor === undefined ? undefined : cursors.decode(cursor, scope(), parameter);
  return {
    open(cursor, parameter) {
      const place = open(cursor, parameter);
      return place === undefined ? undefined : Number.parseInt(place, 36);
    },
    make: (place) => cursors.encode(place.toString(36), scope()),
    openLog(cursor, parameter) {
      const place = open(cursor, parameter);
      if (place === undefined) return undefined;
      return isId('event', place)
        ? {sequence: sequenceOfId(place), id: place}
        : {sequence: Number.parseInt(place, 36)};
    },
    makeLog: ({id, sequence}) => cursors.encode(id ?? sequence.toString(36), scope()),
  };
}

/** The query without what says which page of the list is wanted. */
function filtersOf(search: string): string {
  const filters = new URLSearchParams(search);
  filters.delete('cursor');
  filters.delete('limit');
  filters.sort();
  return filters.toString();
}
