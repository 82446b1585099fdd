import {createLostDataError} from './deadlines.js';
import {noteProcessScript, raiseFormatScript} from './compiled/lua.js';
import {readTimeAt, type RedisCommands} from './connection.js';
import type {DataFormats} from './installation.js';
import {globalKeys} from './keys.js';

/** A process of any role that runs. */
export interface RunningProcess {
  readonly holder: string;
  /** The host and the number of the process. */
  readonly location: string;
  /** Undefined for a worker of a version that did not yet say so. */
  readonly version: string | undefined;
  /** The data formats with which it runs; none if its version did not yet say so. */
  readonly reads: readonly number[];
}

/** The time (ms) without a heartbeat after which a process has ended, or was frozen and asks when it goes on. */
const endedMs = 60_000;

/** The processes that run on this store, and the data format that they all read. */
export type Processes = ReturnType<typeof createProcesses>;

/** Creates them. `format`: the format of the data at the start. */
export function createProcesses({call, run}: RedisCommands, formats: DataFormats, format: number) {
  const [processes, installation, workers] = [
    globalKeys.processes(),
    globalKeys.installation(),
    globalKeys.workers(),
  ];

  let current = format;

  /** Lists the processes that run, in the order of their locations. */
  async function list(deadline: number): Promise<RunningProcess[]> {
    const [now, described, working] = await Promise.all([
      readTimeAt({run}, processes, deadline),
      call<string[]>(deadline, ['HGETALL', processes]),
      call<string[]>(deadline, ['HGETALL', workers]),
    ]);
    const found = new Map<string, RunningProcess>();
    for (const [holder, entry] of [...listRunning(working, now), ...listRunning(described, now)]) {
      const [, reads = '', version, location = ''] = /^\d+ ([\d,]+) (\S+) (.+)$/.exec(entry) ?? [];
      found.set(
        holder,
        reads === ''
          ? describeUnknown(holder)
          : {holder, location, version, reads: reads.split(',').map(Number)},
      );
    }
    return [...found.values()].toSorted(compareByLocation);
  }

  return {
    list,
    /** The format of the data, as the last heartbeat has found it. A program writes the forms of this format. */
    format: () => current,
    /** Records that a process runs. Returns the format of the data; undefined if the data is lost. */
    async note(
      holder: string,
      {version, location}: {readonly version: string; readonly location: string},
      deadline: number,
    ): Promise<number | undefined> {
      const entry = `${formats.reads.join(',')} ${version} ${location}`;
      const found = await run<string | null>(
        deadline,
        noteProcessScript,
        [processes, installation],
        [holder, entry],
      );
      if (found === null) return undefined;
      current = Number(found);
      return current;
    },
    /** Records that a process has stopped. */
    async leave(holder: string, deadline: number): Promise<void> {
      await call(deadline, ['HDEL', processes, holder]);
    },
    /** Returns the processes that do not read the newest format of this program. */
    async listTooOld(deadline: number): Promise<RunningProcess[]> {
      return (await list(deadline)).filter(({reads}) => !reads.includes(formats.writes));
    },
    /**
     * Raises the format of the data to the newest of this program, if all processes read it. Returns those
     * that do not. A process that starts meanwhile reads the format with its first heartbeat. Errors:
     * `store_lost`.
     */
    async raiseFormat(deadline: number): Promise<RunningProcess[]> {
      const keys = [installation, processes, workers];
      const args = [String(formats.writes), String(endedMs)];
      const refused = await run<string[] | null>(deadline, raiseFormatScript, keys, args);
      if (refused === null) throw createLostDataError();
      const running = refused.length === 0 ? [] : await list(deadline);
      return refused
        .map((name) => running.find(({holder}) => holder === name) ?? describeUnknown(name))
        .toSorted(compareByLocation);
    },
  };
}

function compareByLocation(one: RunningProcess, other: RunningProcess): number {
  return one.location < other.location ? -1 : 1;
}

/** Describes a worker of a version that did not yet say what it reads. */
function describeUnknown(holder: string): RunningProcess {
  return {holder, location: holder, version: undefined, reads: []};
}

/** Returns the names and entries of a hash of heartbeats that are recent. */
function listRunning(flat: readonly string[], now: number): [holder: string, entry: string][] {
  return flat.flatMap((holder, i): [string, string][] => {
    const entry = flat[i + 1] ?? '';
    return i % 2 === 1 || now - Number.parseInt(entry, 10) > endedMs ? [] : [[holder, entry]];
  });
}
