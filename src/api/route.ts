import type {z} from 'zod';
import type {Call, Scope} from '../domain/access.js';
import type {ErrorCode} from '../domain/errors.js';
import type {WireJson} from '../domain/resource.js';
import type {Cursors} from './cursor.js';

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
  /** Opens and makes cursors for this list with these filters. */
  readonly cursors: {open(cursor: string | undefined): number | undefined; make(place: number): string};
}

/** A handler's answer; `run-request.ts` adds what every answer has. */
export interface Reply {
  readonly status: number;
  readonly body?: WireJson;
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
  /** What the token must be allowed; undefined: every valid token may. */
  readonly scope?: Scope;
  readonly query: z.ZodType;
  /** The body's schema; undefined: the operation takes none. */
  readonly body?: z.ZodType;
  /** Status of success and the schema of its body. */
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly schema?: z.ZodType;
    readonly list?: boolean;
  };
  /** Refusals besides those that every operation has. */
  readonly errors: readonly ErrorCode[];
  readonly handle: (handled: Handled) => Promise<Reply>;
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
  workspace: string,
  path: string,
  search: string,
): Handled['cursors'] {
  const scope = () => `${workspace} ${path} ${filtersOf(search)}`;
  return {
    open: (cursor) => (cursor === undefined ? undefined : cursors.decode(cursor, scope())),
    make: (place) => cursors.encode(place, scope()),
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
