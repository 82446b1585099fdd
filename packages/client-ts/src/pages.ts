import type {AnswerOf, InitOf, OptionalInit, PathOf, StandupClient} from './client.js';

interface Page {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** The paths of lists. */
export type ListPath = {
  [Path in PathOf<'get'>]: AnswerOf<'get', Path> extends Page ? Path : never;
}[PathOf<'get'>];
/** One row of a list. */
export type RowOf<Path extends ListPath> =
  AnswerOf<'get', Path> extends {data: readonly (infer Row)[]} ? Row : never;

/**
 * Reads a list to its end, page by page, as its rows are needed: `for await (const team of paginate(client,
 * '/v1/teams'))`. `params.query.limit` is the length of a page.
 */
export async function* paginate<Path extends ListPath, Init extends InitOf<'get', Path>>(
  client: StandupClient,
  path: Path,
  ...init: OptionalInit<Init>
): AsyncGenerator<RowOf<Path>, void, undefined> {
  // The types above connect a path with its parameters and its rows. In here all lists are alike.
  const read = client.GET as unknown as (path: string, init: object) => Promise<Page>;
  const given: {params?: {query?: object}} = init[0] ?? {};
  let cursor: string | null | undefined;
  do {
    const query = {...given.params?.query, ...(cursor && {cursor})};
    const page = await read(path, {...given, params: {...given.params, query}});
    yield* page.data as RowOf<Path>[];
    cursor = page.has_more ? page.next_cursor : undefined;
  } while (cursor);
}
