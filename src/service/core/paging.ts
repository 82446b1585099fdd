import type {RequestContext} from '../../domain/core/access.js';
import type {IdKind} from '../../domain/core/ids.js';
import {type ListQuery, type Page, type PageQuery, positionOf, type Row} from '../../domain/core/lists.js';
import {dayNumber} from '../../domain/core/dates.js';
import {parseWire, type WireJson} from '../../domain/core/resource.js';
import type {RecordOf} from '../../domain/records.js';
import type {Records} from '../../store/core/records.js';

export async function readPage<K extends IdKind>(
  records: Records,
  {workspace, deadline}: RequestContext,
  query: ListQuery<K>,
): Promise<Page<WireJson<RecordOf<K>>>> {
  const {rows, next} = await records.list(workspace, query, deadline);
  return {rows: rows.map(({json}) => json), next};
}

/** Reads a whole list, `limit` rows at a time. */
export async function* readPages<K extends IdKind>(
  records: Records,
  {workspace, deadline}: RequestContext,
  query: ListQuery<K>,
): AsyncGenerator<readonly Row<RecordOf<K>>[], void, void> {
  let {past} = query;
  do {
    const {rows, next} = await records.list(workspace, {...query, past}, deadline);
    yield rows;
    past = next;
  } while (past !== undefined);
}

/** Reads the records in one range of a list; those after the first `limit` are left out. */
export async function listRecords<K extends IdKind>(
  records: Records,
  {workspace, deadline}: RequestContext,
  query: ListQuery<K>,
): Promise<RecordOf<K>[]> {
  const {rows} = await records.list(workspace, query, deadline);
  return rows.map(({json}) => parseWire(json));
}

/** Reads all records of a list, `limit` rows at a time. */
export async function listAllRecords<K extends IdKind>(
  records: Records,
  call: RequestContext,
  query: ListQuery<K>,
): Promise<RecordOf<K>[]> {
  const found: RecordOf<K>[] = [];
  for await (const rows of readPages(records, call, query))
    found.push(...rows.map(({json}) => parseWire(json)));
  return found;
}

/** Returns the range of a list sorted by day; the first and the last day are included. */
export function createDayRange(first: string, last: string): {readonly from: number; readonly to: number} {
  return {from: positionOf(dayNumber(first), 0), to: positionOf(dayNumber(last) + 1, 0)};
}

/**
 * The limits of a scan for one page. `rows`: after this many rows the page is returned as it is. `atOnce`:
 * the number of rows in each read after the first.
 */
const scanLimits = {rows: 1_000, atOnce: 100};

/**
 * Returns a page of the results of `choose`, which gets the rows of a list; undefined drops a row. A page may
 * have fewer rows than requested, or none, and still be followed by another page. If `choose` returns fewer
 * results than rows, the page ends after these results.
 */
export async function scanPages<R extends {readonly position: number}, T>(
  read: (query: PageQuery) => Promise<Page<R>>,
  {past: start, limit}: PageQuery,
  choose: (rows: readonly R[]) => readonly (T | undefined)[] | Promise<readonly (T | undefined)[]>,
  most = scanLimits.rows,
): Promise<Page<T>> {
  const chosen: T[] = [];
  let past = start;
  for (let seen = 0; seen < most; ) {
    const page = await read({past, limit: seen === 0 ? limit : scanLimits.atOnce});
    // A page whose rows have all just been deleted counts as one row, so that the loop ends.
    seen += Math.max(1, page.rows.length);
    const found = await choose(page.rows);
    for (const [i, {position}] of page.rows.entries()) {
      const one = found[i];
      if (one !== undefined) chosen.push(one);
      const isLast = i === found.length - 1 && found.length < page.rows.length;
      if (chosen.length < limit && !isLast) continue;
      return {rows: chosen, next: i < page.rows.length - 1 ? position : page.next};
    }
    past = page.next;
    if (past === undefined) break;
  }
  return {rows: chosen, next: past};
}
