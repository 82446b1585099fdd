import type {Id, IdKind, IdSuffix} from '../../domain/core/ids.js';
import type {ListName, ListQuery, Page, Row} from '../../domain/core/lists.js';
import type {RecordOf} from '../../domain/records.js';
import {findFilledListsScript, mergeListsScript} from './compiled/lua.js';
import {readValues, type RedisCommands} from './connection.js';
import {workspaceKeys} from './keys.js';
import {addMissingFieldsToRecord} from './earlier-records.js';

/** Reads lists of resources. Each entry has a position (a number), used for the order and the pages. */
export type RecordLists = ReturnType<typeof createRecordLists>;

type PageRange = Omit<ListQuery, 'list'>;

/** The number of lists that one script checks, which blocks Redis for about a millisecond. */
const lookedAtOnce = 500;

export function createRecordLists({call, run}: RedisCommands) {
  return {
    /** Returns the entries of a list in ascending order, even if their records are gone. */
    listEntries: (
      workspace: Id<'workspace'>,
      list: ListName,
      limit: number,
      deadline: number,
    ): Promise<IdSuffix[]> =>
      call<IdSuffix[]>(deadline, ['ZRANGE', workspaceKeys(workspace).list(list), '0', String(limit - 1)]),
    async list<K extends IdKind>(
      workspace: Id<'workspace'>,
      query: ListQuery<K>,
      deadline: number,
    ): Promise<Page<Row<RecordOf<K>>>> {
      const keys = workspaceKeys(workspace);
      const found = await readEntries({call, run}, [query.list].flat().map(keys.list), query, deadline);
      const {entries, positions, next} = splitPage<IdSuffix>(found, query);
      if (entries.length === 0) return {rows: [], next: undefined};
      const records = await readValues({call}, entries.map(keys.record), deadline);
      const rows = records.flatMap((kept, i) => {
        const position = positions[i];
        return kept === null || position === undefined
          ? []
          : [{position, json: addMissingFieldsToRecord<RecordOf<K>>(kept)}];
      });
      return {rows, next};
    },
    /** Returns the position of an entry in a list. */
    async findPosition(
      workspace: Id<'workspace'>,
      list: ListName,
      suffix: IdSuffix,
      deadline: number,
    ): Promise<number | undefined> {
      const position = await call<string | null>(deadline, [
        'ZSCORE',
        workspaceKeys(workspace).list(list),
        suffix,
      ]);
      return position === null ? undefined : Number(position);
    },
    count: (workspace: Id<'workspace'>, list: ListName, deadline: number): Promise<number> =>
      call<number>(deadline, ['ZCARD', workspaceKeys(workspace).list(list)]),
    /** Returns those of the given lists that have entries at or after a position. */
    async listFilled<K extends IdKind>(
      workspace: Id<'workspace'>,
      asked: readonly ListName<K>[],
      from: number,
      deadline: number,
    ): Promise<Set<ListName<K>>> {
      const keys = workspaceKeys(workspace);
      const filled = new Set<ListName<K>>();
      for (let at = 0; at < asked.length; at += lookedAtOnce) {
        const some = asked.slice(at, at + lookedAtOnce);
        const found = await run<number[]>(deadline, findFilledListsScript, some.map(keys.list), [
          String(from),
        ]);
        for (const number of found) filled.add(some[number - 1] as ListName<K>);
      }
      return filled;
    },
  };
}

/** Reads a page of a sorted set, with the highest positions first unless `upward`. */
export async function readPage<Entry extends string>(
  call: RedisCommands['call'],
  key: string,
  query: PageRange,
  deadline: number,
): Promise<{entries: Entry[]; positions: number[]; next: number | undefined}> {
  return splitPage(await call<string[]>(deadline, ['ZRANGE', key, ...createPageArgs(query)]), query);
}

/**
 * Reads the entries of a page, each with its position, and one entry more than the page has. Several sorted
 * sets are read as if they were one, all at the same instant.
 */
export function readEntries(
  {call, run}: Pick<RedisCommands, 'call' | 'run'>,
  keys: readonly string[],
  query: PageRange,
  deadline: number,
): Promise<string[]> {
  const [key = '', ...others] = keys;
  const args = createPageArgs(query);
  return others.length === 0
    ? call(deadline, ['ZRANGE', key, ...args])
    : run(deadline, mergeListsScript, keys, args);
}

/** Returns the arguments of `ZRANGE` for the entries of a page and the one after it. */
export function createPageArgs(query: PageRange): string[] {
  return [...createRangeArgs(query), 'LIMIT', '0', String(query.limit + 1), 'WITHSCORES'];
}

function splitPage<Entry extends string>(found: readonly string[], {limit}: PageRange) {
  return {
    entries: found.filter((_, i) => i % 2 === 0).slice(0, limit) as Entry[],
    positions: found.filter((_, i) => i % 2 === 1).map(Number),
    next: findNextPageStart(found, limit),
  };
}

/** Returns the arguments of `ZRANGE` for a part of a list. */
function createRangeArgs({past, from = -Infinity, to = Infinity, upward = false}: PageRange): string[] {
  const top = upward ? to : Math.min(past ?? Infinity, to);
  const high = top === Infinity ? '+inf' : `(${top}`;
  const low =
    upward && past !== undefined && past >= from ? `(${past}` : from === -Infinity ? '-inf' : `${from}`;
  return upward ? [low, high, 'BYSCORE'] : [high, low, 'BYSCORE', 'REV'];
}

/** Returns the position at which the next page starts: `found` has one row more than the page. */
export function findNextPageStart(found: readonly string[], limit: number): number | undefined {
  return found.length / 2 > limit ? Number(found[2 * limit - 1]) : undefined;
}
