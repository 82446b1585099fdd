import type {Reader} from '../../domain/core/access.js';
import type {IdKind} from '../../domain/core/ids.js';
import type {ListQuery, Page, PageQuery, Row} from '../../domain/core/lists.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {RecordOf} from '../../domain/records.js';
import type {Records} from '../../store/core/records.js';

/** A page of a list as it stands. */
export async function readPage<K extends IdKind>(
  records: Pick<Records, 'list'>,
  {workspace, deadline}: Reader,
  query: ListQuery<K>,
): Promise<Page<WireJson<RecordOf<K>>>> {
  const {rows, next} = await records.list(workspace, query, deadline);
  return {rows: rows.map(({json}) => json), next};
}

/** All of a list, `limit` rows at a time. */
export async function* readPages<K extends IdKind>(
  records: Pick<Records, 'list'>,
  {workspace, deadline}: Reader,
  query: ListQuery<K>,
): AsyncGenerator<readonly Row<RecordOf<K>>[], void, void> {
  let {past} = query;
  do {
    const {rows, next} = await records.list(workspace, {...query, past}, deadline);
    yield rows;
    past = next;
  } while (past !== undefined);
}

/**
 * How many rows are looked at for one page before it is answered with what it has, and how many are read at
 * once when the first page did not suffice.
 */
const scanLimits = {rows: 1_000, atOnce: 100};

/**
 * A page of what `choose` makes of the rows of a list; undefined for those that are not wanted. So a page may
 * have fewer rows than asked for, or none, and still be followed by others. Where it answers for the first of its
 * rows only, the page ends behind them.
 */
export async function scanPages<R extends {readonly place: number}, T>(
  read: (query: PageQuery) => Promise<Page<R>>,
  {past: start, limit}: PageQuery,
  choose: (rows: readonly R[]) => readonly (T | undefined)[] | Promise<readonly (T | undefined)[]>,
  most = scanLimits.rows,
): Promise<Page<T>> {
  const chosen: T[] = [];
  let past = start;
  for (let seen = 0; seen < most; ) {
    const page = await read({past, limit: seen === 0 ? limit : scanLimits.atOnce});
    // A page whose rows have just been deleted counts too.
    seen += Math.max(1, page.rows.length);
    const found = await choose(page.rows);
    for (const [i, {place}] of page.rows.entries()) {
      const one = found[i];
      if (one !== undefined) chosen.push(one);
      const isLast = i === found.length - 1 && found.length < page.rows.length;
      if (chosen.length < limit && !isLast) continue;
      return {rows: chosen, next: i < page.rows.length - 1 ? place : page.next};
    }
    past = page.next;
    if (past === undefined) break;
  }
  return {rows: chosen, next: past};
}
