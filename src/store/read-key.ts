import {newJobDeadline} from './core/deadlines.js';
import type {RedisCommand, RedisCommands} from './core/connection.js';
import {type AnyKey, splitKey} from './core/keys.js';
import type {FilePart, KeyType} from './workspace-file.js';

/** The most members in a part of a key. */
const membersAtOnce = 1_000;
/** The number of members that are read first. The next number follows from their size. */
const membersAtFirst = 20;
/** The size (characters) at which a part ends, even if it has fewer members. */
const partSize = 1024 * 1024;

/** The number of texts for each member: a field with its value, a member with its score, an id with its fields. */
const widths: Readonly<Record<KeyType, number>> = {string: 1, hash: 2, set: 1, zset: 2, list: 1, stream: 2};

type Call = RedisCommands['call'];

/** Some members of a key, flat. `next`: the position after them; undefined at the end. */
interface Page {
  readonly flat: string[];
  readonly next: string | undefined;
}

/** Reads the members at a position, which is 0 at first. */
type ReadPage = (call: Call, key: AnyKey, from: string, count: number) => Promise<Page>;

const readPages: Readonly<Record<KeyType, ReadPage>> = {
  async string(call, key) {
    const value = await call<string | null>(newJobDeadline(), ['GET', key]);
    return {flat: value === null ? [] : [value], next: undefined};
  },
  hash: readByScan('HSCAN'),
  set: readByScan('SSCAN'),
  zset: readByRank('ZRANGE', ['WITHSCORES']),
  list: readByRank('LRANGE', []),
  async stream(call, key, from, count) {
    const command: RedisCommand = ['XRANGE', key, `(${from}`, '+', 'COUNT', String(count)];
    const entries = await call<[string, string[]][]>(newJobDeadline(), command);
    const flat = entries.flatMap(([entry, fields]) => [entry, JSON.stringify(fields)]);
    return {flat, next: entries.length < count ? undefined : entries.at(-1)?.[0]};
  },
};

/** Such a read may return a member twice, and in any order. A hash or a set may be written in that way. */
function readByScan(command: 'HSCAN' | 'SSCAN'): ReadPage {
  return async (call, key, from, count) => {
    const [next, flat] = await call<[string, string[]]>(newJobDeadline(), [
      command,
      key,
      from,
      'COUNT',
      String(count),
    ]);
    return {flat, next: next === '0' ? undefined : next};
  };
}

function readByRank(command: 'ZRANGE' | 'LRANGE', options: readonly string[]): ReadPage {
  return async (call, key, from, count) => {
    const next = Number(from) + count;
    const flat = await call<string[]>(newJobDeadline(), [command, key, from, String(next - 1), ...options]);
    return {flat, next: flat.length < count * (1 + options.length) ? undefined : String(next)};
  };
}

/**
 * Reads a key in parts of a limited number and size of members, so that its size does not matter for memory.
 * It yields nothing if the key has expired.
 */
export async function* readKey({call}: Pick<RedisCommands, 'call'>, key: AnyKey): AsyncGenerator<FilePart> {
  const [t, expiry] = await Promise.all([
    call<KeyType | 'none'>(newJobDeadline(), ['TYPE', key]),
    call<number>(newJobDeadline(), ['PEXPIRETIME', key]),
  ]);
  if (t === 'none') return;
  const begin = {k: splitKey(key).name, t, ...(expiry > 0 && {x: expiry})};
  const width = widths[t];
  let [n, count]: [number, number] = [0, membersAtFirst];
  let from: string | undefined = '0';
  while (from !== undefined) {
    const {flat, next}: Page = await readPages[t](call, key, from, count);
    for (const v of splitMembers(flat, width)) {
      yield {...begin, n, v};
      n += v.length / width;
    }
    if (flat.length > 0) count = chooseCount(flat, width);
    from = next;
  }
  if (t === 'stream') yield {...begin, n, v: [], s: await readStreamFacts(call, key)};
}

/** Returns how many members like these make one part. */
function chooseCount(flat: readonly string[], width: number): number {
  const members = flat.length / width;
  return Math.max(1, Math.min(membersAtOnce, Math.floor((members * partSize) / Math.max(1, measure(flat)))));
}

async function readStreamFacts(call: Call, key: AnyKey): Promise<NonNullable<FilePart['s']>> {
  const info = await call<(string | number)[]>(newJobDeadline(), ['XINFO', 'STREAM', key]);
  const find = (name: string) => String(info[info.indexOf(name) + 1]);
  return [find('last-generated-id'), find('entries-added'), find('max-deleted-entry-id')];
}

/** Splits a flat list of members into parts of a limited number and size. */
function* splitMembers(flat: readonly string[], width: number): Generator<string[]> {
  let [v, size]: [string[], number] = [[], 0];
  for (let i = 0; i < flat.length; i += width) {
    const member = flat.slice(i, i + width);
    v.push(...member);
    size += measure(member);
    if (v.length < membersAtOnce * width && size < partSize) continue;
    yield v;
    [v, size] = [[], 0];
  }
  if (v.length > 0) yield v;
}

function measure(texts: readonly string[]): number {
  return texts.reduce((sum, {length}) => sum + length, 0);
}
