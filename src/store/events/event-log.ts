import type {LogEntry, LogPosition} from '../../domain/events/event.js';
import type {Id} from '../../domain/core/ids.js';
import {type Retention, standardRetention} from '../../domain/core/limits.js';
import type {RedisCommands} from '../core/connection.js';
import {findEventsByTimeScript, trimEventsScript} from '../core/compiled/lua.js';
import {parseLogEntry} from './log-entry.js';
import {createLogConsumers, type LogConsumers} from './log-consumers.js';
import {createEventBodies, type EventBodies} from './event-bodies.js';
import {createLastEventCache, type HandedEvents} from './handed-events.js';
import {workspaceKeys} from '../core/keys.js';
import type {Records} from '../core/records.js';

export interface EventLog extends LogConsumers {
  /** Returns entries with numbers above `after`, oldest first. */
  listAfter: (
    workspace: Id<'workspace'>,
    after: number,
    limit: number,
    deadline: number,
  ) => Promise<LogEntry[]>;
  /**
   * Returns the next entries after a position, possibly fewer than `listAfter`: an event that this process
   * has just committed comes from memory, alone. Callers must check that the last entry is in the log.
   */
  listNext: (
    workspace: Id<'workspace'>,
    after: number,
    limit: number,
    deadline: number,
  ) => Promise<LogEntry[]>;
  /**
   * Returns entries after a position that the caller stores. Undefined if the log does not continue there: the
   * next events were deleted, or the store was restored to an earlier state.
   */
  readOn: (
    workspace: Id<'workspace'>,
    position: LogPosition,
    limit: number,
    deadline: number,
  ) => Promise<LogEntry[] | undefined>;
  /**
   * Returns the entries before a position, or at the end of the log, newest first; ends at deleted events.
   * Undefined when the store was restored to a state before that position.
   */
  readBack: (
    workspace: Id<'workspace'>,
    position: LogPosition | undefined,
    limit: number,
    deadline: number,
  ) => Promise<LogEntry[] | undefined>;
  /** Returns the position after the newest event. Undefined when the workspace's data is lost. */
  findEnd: (workspace: Id<'workspace'>, deadline: number) => Promise<LogPosition | undefined>;
  findBySequence: (
    workspace: Id<'workspace'>,
    sequence: number,
    deadline: number,
  ) => Promise<LogEntry | undefined>;
  /** Returns entries by their numbers, in order. Entries that retention has removed are left out. */
  findEntries: (
    workspace: Id<'workspace'>,
    sequences: readonly number[],
    deadline: number,
  ) => Promise<LogEntry[]>;
  /** Returns the JSON of each entry, which is always exactly the same. */
  render: (workspace: Id<'workspace'>, entries: readonly LogEntry[], deadline: number) => Promise<string[]>;
  readonly renderRead: EventBodies['renderRead'];
  readonly prepare: EventBodies['prepare'];
  /** Returns the numbers of the newest event and the oldest stored one; undefined when the data is lost. */
  span: (
    workspace: Id<'workspace'>,
    deadline: number,
  ) => Promise<{newest: number; oldest: number} | undefined>;
  /**
   * Returns the numbers of the first and the last event from `since` to `until` (ms). `last` is one below
   * `first` if there is none. The binary search assumes that the times of events never decrease.
   */
  findRange: (
    workspace: Id<'workspace'>,
    since: number,
    until: number,
    deadline: number,
  ) => Promise<{first: number; last: number}>;
  /** Deletes expired entries that every reader has passed. Returns their number. */
  trim: (workspace: Id<'workspace'>, deadline: number) => Promise<number>;
}

export function createEventLog(
  {call, run}: RedisCommands,
  records: Records,
  retention: Retention = standardRetention,
  handed: Pick<HandedEvents, 'take'> = createLastEventCache(),
): EventLog {
  /** Reads entries from the store. They are not cached by number: a restored store may have lost them. */
  async function listEntriesFrom(
    workspace: Id<'workspace'>,
    first: number,
    limit: number,
    deadline: number,
    last: number | '+' = '+',
  ): Promise<LogEntry[]> {
    const found = await call<[string, string[]][]>(deadline, [
      'XRANGE',
      workspaceKeys(workspace).events(),
      `${first}-0`,
      String(last),
      'COUNT',
      String(limit),
    ]);
    return found.map(([id, fields]) => parseLogEntry(id, fields));
  }

  async function listEntriesBackwards(
    workspace: Id<'workspace'>,
    last: number | '+',
    limit: number,
    deadline: number,
  ): Promise<LogEntry[]> {
    const key = workspaceKeys(workspace).events();
    const found = await call<[string, string[]][]>(deadline, [
      'XREVRANGE',
      key,
      String(last),
      '-',
      'COUNT',
      String(limit),
    ]);
    return found.map(([id, fields]) => parseLogEntry(id, fields));
  }

  function findLastSequence(workspace: Id<'workspace'>, deadline: number): Promise<string | null> {
    return call<string | null>(deadline, ['HGET', workspaceKeys(workspace).head(), 'sequence']);
  }

  async function findEntryBySequence(
    workspace: Id<'workspace'>,
    sequence: number,
    deadline: number,
  ): Promise<LogEntry | undefined> {
    return (await listEntriesFrom(workspace, sequence, 1, deadline, sequence))[0];
  }

  async function findEntries(
    workspace: Id<'workspace'>,
    sequences: readonly number[],
    deadline: number,
  ): Promise<LogEntry[]> {
    const found = await Promise.all(
      groupIntoRanges(sequences).map(({first, last}) =>
        listEntriesFrom(workspace, first, last - first + 1, deadline, last),
      ),
    );
    return found.flat();
  }

  return {
    listAfter: (workspace, after, limit, deadline) => listEntriesFrom(workspace, after + 1, limit, deadline),
    async listNext(workspace, after, limit, deadline) {
      const next = handed.take(workspace, after);
      return next === undefined ? listEntriesFrom(workspace, after + 1, limit, deadline) : [next];
    },
    async readOn(workspace, {sequence, id}, limit, deadline) {
      // The entry at the position is read too. If it is missing or different, this is another log.
      const [newest, found] = await Promise.all([
        findLastSequence(workspace, deadline),
        listEntriesFrom(workspace, sequence, limit + 1, deadline),
      ]);
      const [first] = found;
      if (first === undefined) return Number(newest) === sequence ? [] : undefined;
      if (first.sequence === sequence)
        return id === undefined || id === first.id ? found.slice(1) : undefined;
      return first.sequence === sequence + 1 ? found.slice(0, limit) : undefined;
    },
    async readBack(workspace, position, limit, deadline) {
      if (position === undefined) return listEntriesBackwards(workspace, '+', limit, deadline);
      const {sequence, id} = position;
      const [newest, found] = await Promise.all([
        findLastSequence(workspace, deadline),
        listEntriesBackwards(workspace, sequence, limit + 1, deadline),
      ]);
      const [first] = found;
      if (first?.sequence === sequence)
        return id === undefined || id === first.id ? found.slice(1) : undefined;
      // If an event was deleted by age, so were all before it.
      const hasGone = first === undefined && Number(newest) >= sequence;
      return id === undefined || hasGone ? found.slice(0, limit) : undefined;
    },
    async findEnd(workspace, deadline) {
      const [newest, [last]] = await Promise.all([
        findLastSequence(workspace, deadline),
        listEntriesBackwards(workspace, '+', 1, deadline),
      ]);
      return newest === null ? undefined : (last ?? {sequence: Number(newest)});
    },
    findBySequence: findEntryBySequence,
    findEntries,
    ...createEventBodies(findEntries, records),
    ...createLogConsumers({call, run}),
    async span(workspace, deadline) {
      const keys = workspaceKeys(workspace);
      const [sequence, oldest] = await Promise.all([
        findLastSequence(workspace, deadline),
        call<[string, string[]][]>(deadline, ['XRANGE', keys.events(), '-', '+', 'COUNT', '1']),
      ]);
      if (sequence === null) return undefined;
      const newest = Number(sequence);
      return {newest, oldest: oldest[0] === undefined ? newest + 1 : Number.parseInt(oldest[0][0], 10)};
    },
    async findRange(workspace, since, until, deadline) {
      const keys = workspaceKeys(workspace);
      const times = [String(since), String(until + 1)];
      const found = await run<[number, number]>(
        deadline,
        findEventsByTimeScript,
        [keys.head(), keys.events()],
        times,
      );
      return {first: found[0], last: found[1] - 1};
    },
    trim(workspace, deadline) {
      const keys = workspaceKeys(workspace);
      return run<number>(
        deadline,
        trimEventsScript,
        [keys.head(), keys.events()],
        [String(retention.events)],
      );
    },
  };
}

/** Groups numbers into consecutive ranges, each of which needs one read. Usually there is one range. */
function groupIntoRanges(numbers: readonly number[]): {first: number; last: number}[] {
  const runs: {first: number; last: number}[] = [];
  for (const number of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.last === number - 1) run.last = number;
    else runs.push({first: number, last: number});
  }
  return runs;
}
