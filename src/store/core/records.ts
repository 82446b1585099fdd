import {type Id, drawnPart, type IdKind, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import type {NamedKinds, NameSpace} from '../../domain/commit/writes.js';
import type {PrincipalId} from '../../domain/core/access.js';
import type {ListName, ListQuery, Page, Row} from '../../domain/core/lists.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {RecordOf} from '../../domain/records.js';
import type {TeamPlace, TeamRole} from '../../domain/teams/team.js';
import {type Connection, script} from './connection.js';
import {workspaceKeys} from './keys.js';
import {unpackRecord} from './packed-standups.js';
import {applyDifference, isDifference} from './revision-differences.js';

/** One revision of one resource: what events, deliveries and idempotency records hold instead of words. */
export interface RevisionRef<K extends IdKind = IdKind> {
  readonly drawn: IdSuffix<K>;
  readonly revision: number;
}

/**
 * Reads resources of any kind: the id says which record it leads to. Absent means undefined; nothing here
 * throws for what is not there.
 */
export interface Records {
  find: <K extends IdKind>(
    workspace: Id<'workspace'>,
    id: Id<K>,
    deadline: number,
  ) => Promise<RecordOf<K> | undefined>;
  findByDrawn: <K extends IdKind>(
    workspace: Id<'workspace'>,
    drawn: IdSuffix<K>,
    deadline: number,
  ) => Promise<RecordOf<K> | undefined>;
  /** The wire JSON of several things by the drawn halves of their ids, each as it stands now. */
  findLatest: (
    workspace: Id<'workspace'>,
    drawn: readonly IdSuffix[],
    deadline: number,
  ) => Promise<(WireJson | undefined)[]>;
  /** Several at once, in the order of their ids. */
  findMany: <K extends IdKind>(
    workspace: Id<'workspace'>,
    ids: readonly Id<K>[],
    deadline: number,
  ) => Promise<(RecordOf<K> | undefined)[]>;
  /** The wire JSON of each revision asked for, in order; undefined where retention has taken it. */
  findRevisions: <K extends IdKind>(
    workspace: Id<'workspace'>,
    refs: readonly RevisionRef<K>[],
    deadline: number,
  ) => Promise<(WireJson<RecordOf<K>> | undefined)[]>;
  /** One revision; undefined where retention or erasure has taken it. */
  findRevision: <K extends IdKind>(
    workspace: Id<'workspace'>,
    drawn: IdSuffix<K>,
    revision: number,
    deadline: number,
  ) => Promise<RecordOf<K> | undefined>;
  /**
   * Earlier revisions with numbers from `from` up to and including `to`, newest first; those that are gone
   * are left out. Not of runs.
   */
  listRevisions: <K extends IdKind>(
    workspace: Id<'workspace'>,
    drawn: IdSuffix<K>,
    range: {from: number; to: number},
    deadline: number,
  ) => Promise<WireJson<RecordOf<K>>[]>;
  /** Members of a list, whether there are records of them or not; the lowest place first. */
  listEntries: (
    workspace: Id<'workspace'>,
    list: ListName,
    limit: number,
    deadline: number,
  ) => Promise<IdSuffix[]>;
  list: <K extends IdKind>(
    workspace: Id<'workspace'>,
    query: ListQuery<K>,
    deadline: number,
  ) => Promise<Page<Row<RecordOf<K>>>>;
  /** Where a member stands in a list. */
  findPlace: (
    workspace: Id<'workspace'>,
    list: ListName,
    drawn: IdSuffix,
    deadline: number,
  ) => Promise<number | undefined>;
  count: (workspace: Id<'workspace'>, list: ListName, deadline: number) => Promise<number>;
  /** Those of these lists that have something from a place on (inclusive). */
  listFilled: <K extends IdKind>(
    workspace: Id<'workspace'>,
    lists: readonly ListName<K>[],
    from: number,
    deadline: number,
  ) => Promise<Set<ListName<K>>>;
  /** The encrypted headers of a webhook, by the drawn half of its id. */
  findHeaders: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    deadline: number,
  ) => Promise<string | undefined>;
  findName: <N extends NameSpace>(
    workspace: Id<'workspace'>,
    names: N,
    name: string,
    deadline: number,
  ) => Promise<IdSuffix<NamedKinds[N]> | undefined>;
  /** Where a member stands in a team, and the drawn half of that place's id. */
  findTeamPlace: (
    workspace: Id<'workspace'>,
    team: Id<'team'>,
    member: PrincipalId,
    deadline: number,
  ) => Promise<TeamPlace | undefined>;
  /** Those of these members who are in a team and no observers. */
  listExpected: (
    workspace: Id<'workspace'>,
    team: Id<'team'>,
    members: readonly Id<'member'>[],
    deadline: number,
  ) => Promise<Set<Id<'member'>>>;
  /** How often standups of an open run have been posted, changed or deleted. */
  countRunPosts: (workspace: Id<'workspace'>, run: IdSuffix<'run'>, deadline: number) => Promise<number>;
}

/** KEYS: lists. ARGV: a place. Returns the numbers, from 1, of those that have something from there on. */
const filledScript = script(`#!lua flags=no-writes
local filled = {}
for i, key in ipairs(KEYS) do
  if redis.call('ZCOUNT', key, ARGV[1], '+inf') > 0 then filled[#filled + 1] = i end
end
return filled`);

/** Lists that one script looks into: about a millisecond in which nobody else is served. */
const lookedAtOnce = 500;

export function createRecords({call, run}: Pick<Connection, 'call' | 'run'>): Records {
  async function findByDrawn(
    workspace: Id<'workspace'>,
    drawn: IdSuffix,
    deadline: number,
  ): Promise<WireJson | undefined> {
    return unpacked(await call<string | null>(deadline, ['GET', workspaceKeys(workspace).record(drawn)]));
  }

  /** Revisions of one thing before the latest, by number. */
  async function readEarlier(
    key: string,
    latest: WireJson | undefined,
    wanted: readonly number[],
    deadline: number,
  ): Promise<Map<number, WireJson>> {
    const kept = new Map<number, string>();
    const read = async (numbers: readonly number[]) => {
      if (numbers.length === 0) return;
      const texts = await call<(string | null)[]>(deadline, ['HMGET', key, ...numbers.map(String)]);
      texts.forEach((text, i) => text !== null && kept.set(numbers[i] ?? 0, unpackRecord(text)));
    };
    await read(wanted);
    const lowest = Math.min(...wanted);
    let top = latest === undefined ? Math.max(0, ...kept.keys()) : revisionOf(latest) - 1;
    if ([...kept.values()].some(isDifference)) {
      if (latest === undefined) {
        top = Math.max(...(await call<string[]>(deadline, ['HKEYS', key])).map(Number));
      }
      const between = Array.from({length: top - lowest + 1}, (_, i) => lowest + i);
      await read(between.filter((number) => !kept.has(number)));
    }
    const found = new Map<number, WireJson>();
    let next = latest;
    for (let number = top; number >= lowest; number -= 1) {
      const text = kept.get(number);
      const isWhole = text !== undefined && (next !== undefined || !isDifference(text));
      next = isWhole ? applyDifference(text, next ?? '') : undefined;
      if (next !== undefined) found.set(number, next);
    }
    return found;
  }

  async function findLatest(workspace: Id<'workspace'>, drawn: readonly IdSuffix[], deadline: number) {
    if (drawn.length === 0) return [];
    const keys = drawn.map(workspaceKeys(workspace).record);
    const found = await call<(string | null)[]>(deadline, ['MGET', ...keys]);
    return found.map(unpacked);
  }

  async function findRevisions(workspace: Id<'workspace'>, refs: readonly RevisionRef[], deadline: number) {
    if (refs.length === 0) return [];
    const keys = workspaceKeys(workspace);
    const wanted = new Map<IdSuffix, number[]>();
    for (const {drawn, revision} of refs) {
      const numbers = wanted.get(drawn);
      if (numbers === undefined) wanted.set(drawn, [revision]);
      else numbers.push(revision);
    }
    const latest = await findLatest(workspace, [...wanted.keys()], deadline);
    const found = await Promise.all(
      [...wanted].map(async ([drawn, numbers], i) => {
        const json = latest[i];
        const top = json === undefined ? undefined : revisionOf(json);
        const earlier = numbers.filter((number) => number !== top);
        const known =
          earlier.length === 0
            ? new Map<number, WireJson>()
            : await readEarlier(keys.revisions(drawn), json, earlier, deadline);
        return [drawn, json === undefined || top === undefined ? known : known.set(top, json)] as const;
      }),
    );
    const byDrawn = new Map(found);
    return refs.map(({drawn, revision}) => byDrawn.get(drawn)?.get(revision));
  }

  async function listExpected(
    workspace: Id<'workspace'>,
    team: Id<'team'>,
    members: readonly Id<'member'>[],
    deadline: number,
  ) {
    if (members.length === 0) return new Set<Id<'member'>>();
    const key = workspaceKeys(workspace).teamMembers(team);
    const found = await call<(string | null)[]>(deadline, ['HMGET', key, ...members.map(drawnPart)]);
    return new Set(members.filter((_, i) => found[i]?.startsWith('observer/') === false));
  }

  return {
    async find<K extends IdKind>(workspace: Id<'workspace'>, id: Id<K>, deadline: number) {
      const json = await findByDrawn(workspace, drawnPart(id), deadline);
      // Keys hold half of an id: the other half must fit too.
      return json?.startsWith(`{"id":"${id}"`) ? (JSON.parse(json) as RecordOf<K>) : undefined;
    },
    async findByDrawn<K extends IdKind>(workspace: Id<'workspace'>, drawn: IdSuffix<K>, deadline: number) {
      const json = await findByDrawn(workspace, drawn, deadline);
      return json === undefined ? undefined : (JSON.parse(json) as RecordOf<K>);
    },
    async findMany<K extends IdKind>(workspace: Id<'workspace'>, ids: readonly Id<K>[], deadline: number) {
      if (ids.length === 0) return [];
      const keys = workspaceKeys(workspace);
      const found = await call<(string | null)[]>(deadline, [
        'MGET',
        ...ids.map((id) => keys.record(drawnPart(id))),
      ]);
      return ids.map((id, i) => {
        const json = unpacked(found[i] ?? null);
        return json?.startsWith(`{"id":"${id}"`) ? (JSON.parse(json) as RecordOf<K>) : undefined;
      });
    },
    findLatest,
    findRevisions: <K extends IdKind>(
      workspace: Id<'workspace'>,
      refs: readonly RevisionRef<K>[],
      deadline: number,
    ) => findRevisions(workspace, refs, deadline) as Promise<(WireJson<RecordOf<K>> | undefined)[]>,
    async findRevision<K extends IdKind>(
      workspace: Id<'workspace'>,
      drawn: IdSuffix<K>,
      revision: number,
      deadline: number,
    ) {
      const [json] = await findRevisions(workspace, [{drawn, revision}], deadline);
      return json === undefined ? undefined : (JSON.parse(json) as RecordOf<K>);
    },
    async listRevisions<K extends IdKind>(
      workspace: Id<'workspace'>,
      drawn: IdSuffix<K>,
      {from, to}: {from: number; to: number},
      deadline: number,
    ) {
      const numbers = Array.from({length: Math.max(0, to - from + 1)}, (_, i) => String(to - i));
      if (numbers.length === 0) return [];
      const key = workspaceKeys(workspace).revisions(drawn);
      const found = await call<(string | null)[]>(deadline, ['HMGET', key, ...numbers]);
      return found.filter((text) => text !== null).map((text) => unpackRecord<RecordOf<K>>(text));
    },
    listEntries: (workspace, list, limit, deadline) =>
      call<IdSuffix[]>(deadline, ['ZRANGE', workspaceKeys(workspace).list(list), '0', String(limit - 1)]),
    async list<K extends IdKind>(workspace: Id<'workspace'>, query: ListQuery<K>, deadline: number) {
      const keys = workspaceKeys(workspace);
      const found = await call<string[]>(deadline, [
        'ZRANGE',
        keys.list(query.list),
        ...rangeArgs(query),
        'LIMIT',
        '0',
        String(query.limit + 1),
        'WITHSCORES',
      ]);
      const members = found.filter((_, i) => i % 2 === 0).slice(0, query.limit) as IdSuffix[];
      if (members.length === 0) return {rows: [], next: undefined};
      const records = await call<(string | null)[]>(deadline, ['MGET', ...members.map(keys.record)]);
      const rows = records.flatMap((kept, i) =>
        kept === null ? [] : [{place: Number(found[2 * i + 1]), json: unpackRecord<RecordOf<K>>(kept)}],
      );
      return {rows, next: nextOf(found, query.limit)};
    },
    async findPlace(workspace, list, drawn, deadline) {
      const place = await call<string | null>(deadline, [
        'ZSCORE',
        workspaceKeys(workspace).list(list),
        drawn,
      ]);
      return place === null ? undefined : Number(place);
    },
    count: (workspace, list, deadline) =>
      call<number>(deadline, ['ZCARD', workspaceKeys(workspace).list(list)]),
    async listFilled<K extends IdKind>(
      workspace: Id<'workspace'>,
      asked: readonly ListName<K>[],
      from: number,
      deadline: number,
    ) {
      const keys = workspaceKeys(workspace);
      const filled = new Set<ListName<K>>();
      for (let at = 0; at < asked.length; at += lookedAtOnce) {
        const some = asked.slice(at, at + lookedAtOnce);
        const found = await run<number[]>(deadline, filledScript, some.map(keys.list), [String(from)]);
        for (const number of found) filled.add(some[number - 1] as ListName<K>);
      }
      return filled;
    },
    async findHeaders(workspace, webhook, deadline) {
      const key = workspaceKeys(workspace).webhookHeaders(webhook);
      return (await call<string | null>(deadline, ['GET', key])) ?? undefined;
    },
    async findName<N extends NameSpace>(
      workspace: Id<'workspace'>,
      names: N,
      name: string,
      deadline: number,
    ) {
      return (
        (await call<IdSuffix<NamedKinds[N]> | null>(deadline, [
          'HGET',
          workspaceKeys(workspace).names(names),
          name,
        ])) ?? undefined
      );
    },
    async findTeamPlace(workspace, team, member, deadline) {
      const key = workspaceKeys(workspace).teamMembers(team);
      const found = await call<string | null>(deadline, ['HGET', key, drawnPart(member)]);
      return found === null ? undefined : parsePlace(found);
    },
    listExpected,
    countRunPosts: async (workspace, run, deadline) =>
      Number((await call<string | null>(deadline, ['GET', workspaceKeys(workspace).runPosts(run)])) ?? 0),
  };
}

function unpacked(kept: string | null): WireJson | undefined {
  return kept === null ? undefined : unpackRecord(kept);
}

/** A place as `teamMembers` keeps it. */
export function writePlace({role, drawn, accepted}: TeamPlace): string {
  return `${role}/${drawn}${accepted ? '' : '/put'}`;
}

function parsePlace(kept: string): TeamPlace {
  const [role = '', drawn = '', put] = kept.split('/');
  return {role: role as TeamRole, drawn: storedSuffix(drawn), accepted: put === undefined};
}

/** The part of a list that a query asks for, as `ZRANGE` takes it. */
export function rangeArgs({past, from = -Infinity, to = Infinity, upward = false}: ListQuery): string[] {
  const top = upward ? to : Math.min(past ?? Infinity, to);
  const high = top === Infinity ? '+inf' : `(${top}`;
  const low =
    upward && past !== undefined && past >= from ? `(${past}` : from === -Infinity ? '-inf' : `${from}`;
  return upward ? [low, high, 'BYSCORE'] : [high, low, 'BYSCORE', 'REV'];
}

/** The beginning of the next page, by the members and places of this one and of a row more. */
export function nextOf(found: readonly string[], limit: number): number | undefined {
  return found.length / 2 > limit ? Number(found[2 * limit - 1]) : undefined;
}

/**
 * So long is at most the end of a wire JSON in which stand its revision and its instants; all of it is ASCII.
 */
export const revisionTail = 112;

/** The revision in a wire JSON, read from its end without parsing. */
export function revisionOf(json: WireJson): number {
  const end = json.slice(-revisionTail);
  return Number(/"revision":(\d+),"created_at":"[^"]+","updated_at":"[^"]+"\}$/.exec(end)?.[1]);
}
