import type {Call} from '../../domain/core/access.js';
import type {ListQuery} from '../../domain/core/lists.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {Page} from './page.js';
import type {Records} from './stores.js';

/**
 * How many rows are looked at for one page before it is answered with what it has, and how many are read at
 * once.
 */
const scanLimit = 1_000;
const scanPage = 100;

/** Part of a list, as `ListQuery`. */
interface Scan extends Pick<ListQuery, 'list' | 'limit'> {
  readonly from?: number | undefined;
  readonly below?: number | undefined;
}

/**
 * A page of what `show` makes of the rows of a list, newest first; undefined for those that are not wanted.
 * So a page may have fewer rows than asked for, or none, and still be followed by others.
 */
export async function scanList(
  records: Pick<Records, 'list'>,
  {workspace, deadline}: Pick<Call, 'workspace' | 'deadline'>,
  {list, from, limit, below: start}: Scan,
  show: (rows: readonly WireJson[]) => Promise<readonly (WireJson | undefined)[]>,
): Promise<Page> {
  const rows: WireJson[] = [];
  let below = start;
  for (let seen = 0; seen < scanLimit; ) {
    const range = {
      list,
      ...(from !== undefined && {from}),
      ...(below !== undefined && {below}),
      limit: seen === 0 ? limit : scanPage,
    };
    const page = await records.list(workspace, range, deadline);
    // A page whose rows have just been deleted counts too.
    seen += Math.max(1, page.rows.length);
    const shown = await show(page.rows.map(({json}) => json));
    for (const [i, {place}] of page.rows.entries()) {
      below = place;
      const json = shown[i];
      if (json !== undefined) rows.push(json);
      if (rows.length < limit) continue;
      return {rows, next: page.more || i < page.rows.length - 1 ? below : undefined};
    }
    if (!page.more) return {rows, next: undefined};
  }
  return {rows, next: below};
}
