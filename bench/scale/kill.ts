import {setTimeout as pause} from 'node:timers/promises';
import {createShutdownList} from '../../src/compose-core.js';
import {globalKeys} from '../../src/store/core/keys.js';
import {computeMedian, computePercentile} from '../figures.js';
import {type Bench, type BenchStage, openStage} from '../stage.js';
import {addWorkspaces, startLoad} from './installation.js';

/** The costs of a kill of the only background process, each with its name in the table. */
export const killCosts = {
  p50: 'due → done, p50 (s)',
  p99: 'due → done, p99 (s)',
  searchedP50: 'the same, without the time in which no process searched, p50 (s)',
  searchedP99: 'the same, p99 (s)',
  start: 'kill → the new process has started and joins the others (s)',
  takeOver: 'it joins → its first search (s)',
  search: 'its first search → the first piece is done (s)',
  drain: 'the first piece → all late pieces are done (s)',
} as const;

type KillCost = keyof typeof killCosts;
const steps = ['start', 'takeOver', 'search', 'drain'] as const;
type Step = (typeof steps)[number];

/**
 * Kills the only background process once in each round of some seconds, and starts it again at once. The last
 * four costs are the medians of all rounds.
 */
export async function measureKills(
  bench: Bench,
  {
    workspaces,
    busy,
    seconds,
    kills,
  }: {
    readonly workspaces: number;
    readonly busy: number;
    readonly seconds: number;
    readonly kills: number;
  },
): Promise<Record<KillCost, number>> {
  const closings = createShutdownList();
  try {
    const stage = await openStage(bench, closings, 'everysec');
    const ids = await addWorkspaces(stage, workspaces);
    const load = await startLoad(stage, ids.slice(0, busy));
    closings.defer(() => load.stop());
    const joins = await watchKey(stage, globalKeys.workers(), 'hset');
    const searches = await watchKey(stage, globalKeys.scheduler(), 'set');
    for (const watcher of [joins, searches]) closings.defer(() => watcher.stop());
    let worker = await stage.startService(bench.build, 'worker');
    await load.waitUntilPrompt();

    const waits: number[] = [];
    const waitsOfSearches: number[] = [];
    const rounds: Record<Step, number>[] = [];
    for (let i = 0; i < kills; i += 1) {
      load.takePieces();
      const end = pause(seconds * 1_000);
      await pause(seconds * 500 * Math.random());
      const killed = Date.now();
      await worker.process.stop();
      const ended = Date.now();
      worker = await stage.startService(bench.build, 'worker');
      // On a busy machine the start may take longer than the round.
      await load.waitUntilPrompt();
      await end;
      const pieces = load.takePieces();
      const [joined, ready] = [joins.findFirstSince(ended), searches.findFirstSince(ended)];
      for (const {due, done} of pieces) {
        const unsearched = Math.max(0, Math.min(done, ready) - Math.max(due, killed));
        waits.push((done - due) / 1_000);
        waitsOfSearches.push((done - due - unsearched) / 1_000);
      }
      const late = pieces.filter(({due, done}) => due < ready && done > ready).map(({done}) => done);
      const [first, last] = [Math.min(...late), Math.max(...late)];
      const round = {
        start: joined - killed,
        takeOver: ready - joined,
        search: first - ready,
        drain: last - first,
      };
      rounds.push(round);
      process.stderr.write(`${JSON.stringify({...round, late: late.length})}\n`);
    }
    const [start = Number.NaN, takeOver = Number.NaN, search = Number.NaN, drain = Number.NaN] = steps.map(
      (step) => computeMedian(rounds.map((round) => round[step])) / 1_000,
    );
    return {
      p50: computePercentile(waits, 0.5),
      p99: computePercentile(waits, 0.99),
      searchedP50: computePercentile(waitsOfSearches, 0.5),
      searchedP99: computePercentile(waitsOfSearches, 0.99),
      start,
      takeOver,
      search,
      drain,
    };
  } finally {
    await closings.run();
  }
}

/** Notes when a key is written by this kind of command. */
async function watchKey({redis}: BenchStage, key: string, wanted: string) {
  const times: number[] = [];
  const watcher = redis.duplicate();
  await watcher.connect();
  await watcher.subscribe(`__keyspace@0__:${key}`, (event) => {
    if (event === wanted) times.push(Date.now());
  });
  return {
    findFirstSince: (from: number): number => times.find((at) => at > from) ?? Number.NaN,
    stop: () => watcher.destroy(),
  };
}
