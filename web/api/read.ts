import {infiniteQueryOptions, queryOptions} from '@tanstack/react-query';
import {request, streamed} from './client.ts';
import type {Operations, Paths} from './schema.ts';

interface JsonRead<Found> {
  readonly responses: {readonly 200: {readonly content: {readonly 'application/json': Found}}};
}
interface Page {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly next_cursor?: string | null;
}

type PathOf<Found> = {[P in keyof Paths]: Paths[P]['get'] extends JsonRead<Found> ? P : never}[keyof Paths];
type ReadPath = PathOf<unknown>;
type ListPath = PathOf<Page>;
type Data<P extends ReadPath> = Paths[P]['get'] extends JsonRead<infer Found> ? Found : never;
type PageOf<P extends ReadPath> = Paths[P]['get'] extends JsonRead<infer Found extends Page> ? Found : never;

/** The name of the operation that reads a path. */
type OperationOf<P extends ReadPath> = {
  [O in keyof Operations]: Paths[P]['get'] extends Operations[O] ? O : never;
}[keyof Operations];

/** Paths of all GET operations: those of files too. */
type GetPath = {[P in keyof Paths]: undefined extends Paths[P]['get'] ? never : P}[keyof Paths];
type Sent<P extends GetPath> = NonNullable<Paths[P]['get']>['parameters'];
type QueryOf<P extends GetPath> = NonNullable<Sent<P>['query']>;
/** Parameters of the path and of the query in one object. A parameter that is undefined is not sent. */
type Given<P extends GetPath> = (undefined extends Sent<P>['path'] ? unknown : Sent<P>['path']) & {
  readonly [Name in keyof QueryOf<P>]: QueryOf<P>[Name] | undefined;
};

/** Reads a path of the API. Parameters that the path does not name are sent in the query. */
export function read<P extends ReadPath>(path: P, given: Given<P>, signal?: AbortSignal): Promise<Data<P>> {
  return request('get', path, given, {signal});
}

export async function readStream<P extends GetPath>(
  path: P,
  given: Given<P>,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const stream = await request<ReadableStream | null | undefined>('get', path, given, {...streamed, signal});
  return stream ?? new Blob().stream();
}

/** A query for one response, with the key `[operation, parameters]`. */
export const readQuery = <P extends ReadPath>(operation: OperationOf<P>, path: P, given: Given<P>) =>
  queryOptions({
    queryKey: [operation, given],
    queryFn: ({signal}) => read(path, given, signal),
  });

/** A query for a list, page by page. Its key differs from that of the query for the first page alone. */
export const readPagesQuery = <P extends ListPath>(operation: OperationOf<P>, path: P, given: Given<P>) =>
  infiniteQueryOptions({
    queryKey: [operation, given, 'pages'],
    queryFn: ({pageParam: cursor, signal}) => request<PageOf<P>>('get', path, {...given, cursor}, {signal}),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: findNextCursor,
  });

/** A query for the rows of a list that fits in one page. */
export const readRowsQuery = <P extends ListPath>(operation: OperationOf<P>, path: P, given: Given<P>) =>
  queryOptions({
    queryKey: [operation, given, 'rows'],
    queryFn: async ({signal}): Promise<PageOf<P>['data']> =>
      (await request<PageOf<P>>('get', path, given, {signal})).data,
  });

/** Reads pages until `wanted` rows are found, but at most `mostPages`: filtered pages may be empty. */
export async function readRows<P extends ListPath>(
  path: P,
  given: Given<P>,
  signal: AbortSignal,
  {mostPages = Infinity, wanted = Infinity}: {readonly mostPages?: number; readonly wanted?: number} = {},
): Promise<{rows: PageOf<P>['data'][number][]; next: string | undefined}> {
  const rows: PageOf<P>['data'][number][] = [];
  let sent: object = given;
  for (let pages = 1; ; pages += 1) {
    const page = await request<PageOf<P>>('get', path, sent, {signal});
    rows.push(...page.data);
    const next = findNextCursor(page);
    if (next === undefined || rows.length >= wanted || pages === mostPages) return {rows, next};
    sent = {...given, cursor: next};
  }
}

function findNextCursor({has_more, next_cursor}: Page): string | undefined {
  return has_more ? (next_cursor ?? undefined) : undefined;
}
