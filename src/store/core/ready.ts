import {parseWorkName, type Work, workName, type WorkSide} from '../../domain/core/work.js';
import {callWhenFull, nodeMs, readTimeAt, type RedisConnection} from './connection.js';
import {clearSlackWorkScript, findDueWorkScript, holdSchedulerScript} from './compiled/lua.js';
import {type Correction, createDueIndex, type DueEntry} from './due-index.js';
import {createFrozenWorkspaces, type FrozenWorkspaces} from './frozen.js';
import {globalKeys, findReadySet, findReadySetOfSide, workspaceKeys} from './keys.js';
import type {Id} from '../../domain/core/ids.js';

/** Due work, and the time for which it has been due (ms). */
export interface DueWork {
  readonly workspace: Id<'workspace'>;
  readonly work: Work;
  readonly overdueMs: number;
}

/** The settings of one search for due work, which covers all workspaces. */
export interface DueSearch {
  readonly side: WorkSide;
  /** The point that earlier searches have reached in the set of all workspaces; 0 at first. */
  readonly from: number;
  /** The number of pieces of work that each workspace gets first, even if very many workspaces have work. */
  readonly perWorkspace: number;
  /** The maximum number of pieces of work for one workspace, even if the search needs more. */
  readonly mostOfOne: number;
  /** The search ends at this many. Workspaces with more than their share get what is left. */
  readonly atMost: number;
}

const schedulerKeys = {service: globalKeys.scheduler, slack: globalKeys.slackScheduler} as const;

/** The number of workspaces that are asked at once, and the number of pieces of work read from each. */
const askedAtOnce = 500;
const namesRead = 500;
const clearedAtOnce = 100;
/**
 * The workspaces that each search checks without the index; more if there are many, so all in five minutes.
 * A search begins about a second after the last one has ended, so five minutes have fewer than 300.
 */
const sweptAtOnce = 100;
const looksOfSweep = 240;

/** The due work that a search has found in one workspace. */
interface WorkspaceScan extends DueEntry {
  /** The due work that this version knows. */
  readonly due: readonly DueWork[];
  readonly isDue: boolean;
  /** The due time of the first work (ms). */
  readonly first: number | undefined;
}

/** The time (ms) until a read-only workspace with due work is checked again. */
const frozenRestMs = 5_000;

export function createReadySets(
  {kind, call, run, clock}: RedisConnection,
  frozen: Pick<FrozenWorkspaces, 'note'> = createFrozenWorkspaces({run}),
) {
  const index = createDueIndex({call, run});

  /** Looks for due work by the clock of the workspace's node, which may differ from that of the index. */
  async function findDueWorkOfWorkspace(
    entry: DueEntry,
    side: WorkSide,
    deadline: number,
  ): Promise<WorkspaceScan> {
    const {workspace} = entry;
    const keys = workspaceKeys(workspace);
    const [now, score, found, isFrozen] = await run<[number, string | null, string[], 0 | 1]>(
      deadline,
      findDueWorkScript,
      [findReadySetOfSide(keys, side), keys.head(), keys.importProgress()],
      [String(namesRead)],
    );
    if (found.length > 0) frozen.note(workspace, isFrozen === 1);
    if (isFrozen === 1) return {...entry, first: now + frozenRestMs, isDue: false, due: []};
    const due = found.flatMap((name, i) => {
      const work = i % 2 === 0 ? parseWorkName(name) : undefined;
      return work === undefined ? [] : [{workspace, work, overdueMs: now - Number(found[i + 1])}];
    });
    return {...entry, first: score === null ? undefined : Number(score), isDue: found.length > 0, due};
  }

  /** Reads the next part of the set of all workspaces, with their index entries. */
  async function readNextPartOfWorkspaces(side: WorkSide, from: number, deadline: number) {
    const all = globalKeys.workspaces();
    const size = await call<number>(deadline, ['SCARD', all]);
    const count = String(Math.max(sweptAtOnce, Math.ceil(size / looksOfSweep)));
    const [next, found] = await call<[string, Id<'workspace'>[]]>(deadline, [
      'SSCAN',
      all,
      String(from),
      'COUNT',
      count,
    ]);
    return {swept: await index.find(side, [...new Set(found)], deadline), next: Number(next)};
  }

  return {
    /**
     * Finds due work. Each workspace gets one item before any gets a second, and so does each kind of work in
     * a workspace. Repeated searches choose different items, so that old items do not hide others. The
     * workspace that was checked longest ago comes first. `next`: the point that this search has reached in
     * the set of all workspaces. `failures`: why some workspaces could not be searched; the others go on.
     */
    async listDue(
      {side, from, perWorkspace, mostOfOne, atMost}: DueSearch,
      deadline: number,
    ): Promise<{due: DueWork[]; next: number; failures: readonly unknown[]}> {
      const [{swept, next}, now] = await Promise.all([
        readNextPartOfWorkspaces(side, from, deadline),
        readTimeAt({run}, globalKeys.due(), deadline),
      ]);
      // A process that does all background work and gets no requests may notice a clock jump only here.
      clock.observe(now);
      const found: (readonly DueWork[])[] = [];
      const seen = new Set<string>();
      const failures: unknown[] = [];
      let count = 0;

      async function scanIndexEntries(entries: readonly DueEntry[]): Promise<void> {
        for (const {workspace} of entries) seen.add(workspace);
        // One node that is away must not use up the time of the others.
        const until = kind === 'cluster' ? Math.min(deadline, performance.now() + nodeMs) : deadline;
        const asked = await Promise.allSettled(
          entries.map((entry) => findDueWorkOfWorkspace(entry, side, until)),
        );
        const changes = entries.map((entry, i): Correction => {
          const one = asked[i];
          if (one?.status !== 'fulfilled') {
            failures.push(one?.reason);
            return moveToEnd(entry, now);
          }
          const {workspace, score, due, isDue, first} = one.value;
          if (!isDue) return {workspace, score, at: first};
          // A workspace whose work must wait keeps its position in the index; otherwise, it goes to the end.
          if (due.length > 0 && count >= atMost) {
            return {workspace, score, at: score === '' ? first : Math.min(Number(score), now)};
          }
          count += Math.min(due.length, perWorkspace);
          if (due.length > 0) found.push(due);
          return {workspace, score, at: now};
        });
        await index.correct(side, changes.filter(needsIndexUpdate), deadline);
      }

      const fresh = ({workspace}: DueEntry) => !seen.has(workspace);
      while (count < atMost) {
        const due = (await index.list(side, now, askedAtOnce, deadline)).filter(fresh);
        if (due.length === 0) break;
        await scanIndexEntries(due);
      }
      // These are checked even if enough work was found, because the index may lack them.
      await scanIndexEntries(swept.filter(fresh));
      if (failures.length > 0 && failures.length === seen.size) throw failures[0];
      const crowded = found.filter((due) => due.length > perWorkspace).length;
      const left = Math.floor(Math.max(0, atMost - count) / Math.max(1, crowded));
      const share = Math.min(perWorkspace + left, mostOfOne);
      return {
        due: interleaveLists(found.map((due) => pickShareOfEachKind(due, share, roundToWholeSeconds(now)))),
        next,
        failures,
      };
    },
    /** Sets the time at which this work is due again; undefined when nothing is left to do. */
    async reschedule(
      workspace: Id<'workspace'>,
      work: Work,
      nextAt: number | undefined,
      deadline: number,
    ): Promise<void> {
      const ready = findReadySet(workspaceKeys(workspace), work);
      const name = workName(work);
      await callWhenFull(
        {run},
        deadline,
        nextAt === undefined ? ['ZREM', ready, name] : ['ZADD', ready, String(nextAt), name],
      );
    },
    /** Drops some Slack work of a workspace whose events no one reads for Slack. Returns 0 at the end. */
    async clearSlack(workspace: Id<'workspace'>, deadline: number): Promise<number> {
      const keys = workspaceKeys(workspace);
      const range = ['0', String(clearedAtOnce - 1)];
      const names = await call<string[]>(deadline, ['ZRANGE', keys.slackReady(), ...range]);
      if (names.length === 0) return 0;
      const pendings = names.map((name) => keys.slackPending(name.slice(name.indexOf('/') + 1)));
      return run<number>(
        deadline,
        clearSlackWorkScript,
        [keys.head(), keys.slackReady(), ...pendings],
        names,
      );
    },
    /** True while this process may run the scheduler. The permission lasts for `leaseMs`. */
    async holdScheduler(side: WorkSide, holder: string, leaseMs: number, deadline: number): Promise<boolean> {
      return (
        (await run<number>(
          deadline,
          holdSchedulerScript,
          [schedulerKeys[side]()],
          [holder, String(leaseMs)],
        )) === 1
      );
    },
  };
}

/** Moves a workspace that does not answer behind the others that are due, which it would hide. */
function moveToEnd({workspace, score}: DueEntry, now: number): Correction {
  return {workspace, score, at: score === '' ? undefined : Math.max(Number(score), now)};
}

/** True when the index entry has to be updated. */
function needsIndexUpdate({score, at}: Correction): boolean {
  return at === undefined ? score !== '' : score === '' || Number(score) !== at;
}

/** Returns whole seconds. Searches are about a second apart, so each begins at another position. */
function roundToWholeSeconds(now: number): number {
  return Math.floor(now / 1_000);
}

/** Chooses the share of a workspace, with some work of each kind. Each search begins at another position. */
function pickShareOfEachKind(due: readonly DueWork[], share: number, look: number): DueWork[] {
  if (due.length <= share) return [...due];
  const byKind = new Map<string, DueWork[]>();
  for (const one of due) byKind.set(one.work.kind, [...(byKind.get(one.work.kind) ?? []), one]);
  const kinds = [...byKind.values()];
  // The step is at most the share of each kind of work, so that every piece of work is chosen by some search.
  const step = Math.max(1, Math.floor(share / kinds.length));
  return interleaveLists(rotateList(kinds, look).map((some) => rotateList(some, look * step))).slice(
    0,
    share,
  );
}

function rotateList<T>(items: readonly T[], by: number): T[] {
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Takes the first entry of each list, then the second of each, and so on. */
function interleaveLists(found: readonly (readonly DueWork[])[]): DueWork[] {
  const most = Math.max(0, ...found.map(({length}) => length));
  return Array.from({length: most}, (_, index) => found.flatMap((due) => due[index] ?? [])).flat();
}
