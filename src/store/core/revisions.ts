import type {Id, IdKind, IdSuffix} from '../../domain/core/ids.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {RecordOf} from '../../domain/records.js';
import type {RedisCommands} from './connection.js';
import {workspaceKeys} from './keys.js';
import {revisionTail} from './lua-constants.js';
import {addMissingFieldsToRecord} from './earlier-records.js';

/** Refers to one revision of a resource. Events, deliveries and idempotency records store it, not content. */
export interface RevisionRef<K extends IdKind = IdKind> {
  readonly suffix: IdSuffix<K>;
  readonly revision: number;
}

export type Revisions = ReturnType<typeof createRevisions>;

/** Returns the latest JSON of several resources, by their id suffixes. */
type FindLatest = (
  workspace: Id<'workspace'>,
  suffixes: readonly IdSuffix[],
  deadline: number,
) => Promise<(WireJson | undefined)[]>;

export function createRevisions({call}: RedisCommands, findLatest: FindLatest) {
  /** Reads the stored earlier revisions of one resource, in the order of their numbers. */
  async function readEarlierRevisions<R>(key: string, numbers: readonly number[], deadline: number) {
    if (numbers.length === 0) return [];
    const found = await call<(string | null)[]>(deadline, ['HMGET', key, ...numbers.map(String)]);
    return found.map((text) => (text === null ? undefined : addMissingFieldsToRecord<R>(text)));
  }

  async function findRevisions(workspace: Id<'workspace'>, refs: readonly RevisionRef[], deadline: number) {
    if (refs.length === 0) return [];
    const keys = workspaceKeys(workspace);
    const wanted = new Map<IdSuffix, number[]>();
    for (const {suffix, revision} of refs) {
      const numbers = wanted.get(suffix);
      if (numbers === undefined) wanted.set(suffix, [revision]);
      else numbers.push(revision);
    }
    const latest = await findLatest(workspace, [...wanted.keys()], deadline);
    const found = await Promise.all(
      [...wanted].map(async ([suffix, numbers], i) => {
        const json = latest[i];
        const top = json === undefined ? undefined : parseRevisionNumber(json);
        const earlier = numbers.filter((number) => number !== top);
        const known = await readEarlierRevisions<unknown>(keys.revisions(suffix), earlier, deadline);
        const byNumber = new Map(earlier.map((number, at) => [number, known[at]]));
        if (top !== undefined) byNumber.set(top, json);
        return [suffix, byNumber] as const;
      }),
    );
    const bySuffix = new Map(found);
    return refs.map(({suffix, revision}) => bySuffix.get(suffix)?.get(revision));
  }

  return {
    /** Returns the JSON of each requested revision in order; undefined for one that retention has removed. */
    findRevisions: <K extends IdKind>(
      workspace: Id<'workspace'>,
      refs: readonly RevisionRef<K>[],
      deadline: number,
    ): Promise<(WireJson<RecordOf<K>> | undefined)[]> =>
      findRevisions(workspace, refs, deadline) as Promise<(WireJson<RecordOf<K>> | undefined)[]>,
    /** Returns one revision; undefined when retention or erasure has removed it. */
    async findRevision<K extends IdKind>(
      workspace: Id<'workspace'>,
      suffix: IdSuffix<K>,
      revision: number,
      deadline: number,
    ): Promise<RecordOf<K> | undefined> {
      const [json] = await findRevisions(workspace, [{suffix, revision}], deadline);
      return json === undefined ? undefined : (JSON.parse(json) as RecordOf<K>);
    },
    /**
     * Returns the last revision of a resource, also of a removed one for as long as events refer to it.
     * `isCurrent`: the resource exists.
     */
    async findLastRevision<K extends IdKind>(
      workspace: Id<'workspace'>,
      suffix: IdSuffix<K>,
      deadline: number,
    ): Promise<{readonly record: RecordOf<K>; readonly isCurrent: boolean} | undefined> {
      const [current] = await findLatest(workspace, [suffix], deadline);
      if (current !== undefined) return {record: JSON.parse(current) as RecordOf<K>, isCurrent: true};
      const key = workspaceKeys(workspace).revisions(suffix);
      const numbers = (await call<string[]>(deadline, ['HKEYS', key])).map(Number);
      if (numbers.length === 0) return undefined;
      const [last] = await readEarlierRevisions<RecordOf<K>>(key, [Math.max(...numbers)], deadline);
      return last === undefined ? undefined : {record: JSON.parse(last) as RecordOf<K>, isCurrent: false};
    },
    /** Returns the earlier revisions from number `from` to `to`, newest first and without missing ones. */
    async listRevisions<K extends IdKind>(
      workspace: Id<'workspace'>,
      suffix: IdSuffix<K>,
      {from, to}: {from: number; to: number},
      deadline: number,
    ): Promise<WireJson<RecordOf<K>>[]> {
      const numbers = Array.from({length: Math.max(0, to - from + 1)}, (_, i) => to - i);
      const key = workspaceKeys(workspace).revisions(suffix);
      const found = await readEarlierRevisions<RecordOf<K>>(key, numbers, deadline);
      return found.filter((json) => json !== undefined);
    },
  };
}

/** Reads the revision number at the end of a resource's JSON without parsing it. */
export function parseRevisionNumber(json: WireJson): number {
  const end = json.slice(-revisionTail);
  return Number(/"revision":(\d+),"created_at":"[^"]+","updated_at":"[^"]+"\}$/.exec(end)?.[1]);
}
