import {parseActor} from '../../domain/core/actor.js';
import type {EventType, LogEntry, LogPlace, Reminded} from '../../domain/events/event.js';
import {type Id, composeId, sequencedPart, storedId, storedSuffix} from '../../domain/core/ids.js';
import {lifetimes, type Retention, standardRetention} from '../../domain/core/limits.js';
import {type Work, workName} from '../../domain/core/work.js';
import {type Connection, script} from '../core/connection.js';
import {createEventBodies, type EventBodies} from './event-bodies.js';
import {createHandedEvents, type HandedEvents} from './handed-events.js';
import {readyOf, workspaceKeys} from '../core/keys.js';
import type {Records} from '../core/records.js';

/**
 * Readers that keep a cursor in the log. A webhook that has fallen behind has one besides: see deliveries.ts.
 */
export type Reader = 'webhooks' | 'slack';

export interface EventLog {
  /** Entries with a sequence above `after`, oldest first. */
  listAfter: (
    workspace: Id<'workspace'>,
    after: number,
    limit: number,
    deadline: number,
  ) => Promise<LogEntry[]>;
  /**
   * The same, or fewer: what this process has just committed is not asked for. For who asks whether the last
   * one stands.
   */
  listNext: (
    workspace: Id<'workspace'>,
    after: number,
    limit: number,
    deadline: number,
  ) => Promise<LogEntry[]>;
  /**
   * As `listAfter`, for a reader that keeps its place elsewhere. Undefined when the log does not go on there:
   * what came next has been dropped, or the store was set back to before that place.
   */
  readOn: (
    workspace: Id<'workspace'>,
    place: LogPlace,
    limit: number,
    deadline: number,
  ) => Promise<LogEntry[] | undefined>;
  /**
   * What stands before a place, or at the end of the log, newest first. Undefined when the store was set back
   * to before that place; what has been dropped with age is no more than its end.
   */
  readBack: (
    workspace: Id<'workspace'>,
    place: LogPlace | undefined,
    limit: number,
    deadline: number,
  ) => Promise<LogEntry[] | undefined>;
  /** Behind the newest event. Undefined when the workspace's data is gone. */
  findEnd: (workspace: Id<'workspace'>, deadline: number) => Promise<LogPlace | undefined>;
  findBySequence: (
    workspace: Id<'workspace'>,
    sequence: number,
    deadline: number,
  ) => Promise<LogEntry | undefined>;
  /** Entries by sequence, in order; those that retention has taken are left out. */
  findEntries: (
    workspace: Id<'workspace'>,
    sequences: readonly number[],
    deadline: number,
  ) => Promise<LogEntry[]>;
  /** The wire JSON of each entry; the same bytes whenever it is asked for. */
  render: (workspace: Id<'workspace'>, entries: readonly LogEntry[], deadline: number) => Promise<string[]>;
  readonly renderRead: EventBodies['renderRead'];
  readonly prepare: EventBodies['prepare'];
  /**
   * Sequence of the newest event, and of the oldest one still kept. Undefined when the workspace's data is
   * gone.
   */
  span: (
    workspace: Id<'workspace'>,
    deadline: number,
  ) => Promise<{newest: number; oldest: number} | undefined>;
  /**
   * Sequences of the first and the last event from `since` up to and including `until` (ms); `last` is one
   * below `first` when there is none. Finds them by halving, which takes the times of events not to go
   * back.
   */
  findRange: (
    workspace: Id<'workspace'>,
    since: number,
    until: number,
    deadline: number,
  ) => Promise<{first: number; last: number}>;
  findCursor: (workspace: Id<'workspace'>, reader: Reader, deadline: number) => Promise<number | undefined>;
  /**
   * Makes a reader known, beginning with the next event; a reader that is known already keeps its place.
   * Whoever runs it says so again now and then.
   */
  addReader: (workspace: Id<'workspace'>, reader: Reader, deadline: number) => Promise<void>;
  /** Forgets a reader of which nobody has said for `idleMs` that it runs. True when there is none. */
  dropIdleReader: (
    workspace: Id<'workspace'>,
    reader: 'slack',
    idleMs: number,
    deadline: number,
  ) => Promise<boolean>;
  /**
   * Takes a reader that has seen everything out of the ready set; one that has not stays in it, and true is
   * answered.
   */
  settleReader: (workspace: Id<'workspace'>, reader: Reader, deadline: number) => Promise<boolean>;
  /** Counts that a reader has failed on an event; answers how often it has by now, and for how long (ms). */
  noteFailure: (
    workspace: Id<'workspace'>,
    reader: Reader,
    sequence: number,
    deadline: number,
  ) => Promise<{tries: number; forMs: number}>;
  /** Drops entries that are past their lifetime and behind every cursor. Returns how many. */
  trim: (workspace: Id<'workspace'>, deadline: number) => Promise<number>;
}

const now = `
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))`;

/** KEYS: head. ARGV: reader. */
const addReaderScript = script(`#!lua flags=allow-oom
${now}
local sequence = redis.call('HGET', KEYS[1], 'sequence')
if not sequence then return 0 end
redis.call('HSETNX', KEYS[1], 'cursor:' .. ARGV[1], sequence)
redis.call('HSET', KEYS[1], 'run:' .. ARGV[1], now)
return 1`);

/** KEYS: head, ready. ARGV: reader, how long it may be idle (ms), its work. Returns 1 when there is none. */
const dropReaderScript = script(`#!lua flags=allow-oom
${now}
local cursor, run = 'cursor:' .. ARGV[1], 'run:' .. ARGV[1]
if redis.call('HEXISTS', KEYS[1], cursor) == 0 then return 1 end
redis.call('HSETNX', KEYS[1], run, now)
if now - redis.call('HGET', KEYS[1], run) < tonumber(ARGV[2]) then return 0 end
redis.call('HDEL', KEYS[1], cursor, run)
redis.call('ZREM', KEYS[2], ARGV[3])
return 1`);

const settleScript = script(`#!lua flags=allow-oom
local head = redis.call('HMGET', KEYS[1], 'sequence', 'cursor:' .. ARGV[1])
if head[1] and head[2] and head[1] ~= head[2] then return 1 end
redis.call('ZREM', KEYS[2], ARGV[2])
return 0`);

/** KEYS: failure. ARGV: sequence, lifetime (s). Keeps `<sequence> <tries> <since (ms)>`. */
const noteFailureScript = script(`#!lua flags=allow-oom
${now}
local sequence, tries, since = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+) (%d+)$')
if sequence ~= ARGV[1] then tries, since = 0, now end
tries = tries + 1
redis.call('SET', KEYS[1], string.format('%s %d %.0f', ARGV[1], tries, tonumber(since)), 'EX', ARGV[2])
return {tries, now - since}`);

const readerWork: Record<Reader, Work> = {webhooks: {kind: 'fan-out'}, slack: {kind: 'read-slack'}};

/** Trimming by age alone has dropped events that a reader had not seen: the smallest cursor is the limit. */
const trimScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local head = redis.call('HGETALL', KEYS[1])
local limit
for i = 1, #head, 2 do
  if head[i] == 'sequence' or string.find(head[i], 'cursor:', 1, true) == 1 then
    limit = math.min(limit or tonumber(head[i + 1]), tonumber(head[i + 1]))
  end
end
if not limit then return 0 end
local trimmed = 0
while true do
  local entries = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 100)
  local keep
  for _, entry in ipairs(entries) do
    local sequence = tonumber(string.match(entry[1], '^%d+'))
    if sequence >= limit or (tonumber(entry[2][2]) or 0) >= (time[1] - ARGV[1]) * 1000 then keep = sequence break end
    keep = sequence + 1
  end
  local gone = keep and redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', keep)) or 0
  trimmed = trimmed + gone
  if gone < 100 or trimmed >= 5000 then return trimmed end
end`);

/**
 * KEYS: head, events. ARGV: two instants (ms). Returns for each the sequence of the first event that is not
 * before it.
 */
const findTimesScript = script(`#!lua flags=no-writes
local function entryFrom(sequence)
  return redis.call('XRANGE', KEYS[2], string.format('%.0f-0', sequence), '+', 'COUNT', 1)[1]
end
local function sequenceOf(entry) return tonumber(string.match(entry[1], '^%d+')) end
local oldest = entryFrom(0)
local past = tonumber(redis.call('HGET', KEYS[1], 'sequence') or '0') + 1
local found = {}
for i = 1, 2 do
  local low, high = oldest and sequenceOf(oldest) or past, past
  while low < high do
    local middle = math.floor((low + high) / 2)
    local entry = entryFrom(middle)
    if not entry or (tonumber(entry[2][2]) or 0) >= tonumber(ARGV[i]) then high = middle else low = sequenceOf(entry) + 1 end
  end
  found[i] = low
end
return found`);

export function createEventLog(
  {call, run}: Pick<Connection, 'call' | 'run'>,
  records: Records,
  retention: Retention = standardRetention,
  handed: Pick<HandedEvents, 'take'> = createHandedEvents(),
): EventLog {
  /**
   * Read from the store each time: a process that remembers entries by their numbers shows those that a store
   * set back has lost.
   */
  async function listFrom(
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
    return found.map(([id, fields]) => toEntry(id, fields));
  }

  async function listBack(
    workspace: Id<'workspace'>,
    last: number | '+',
    limit: number,
    deadline: number,
  ): Promise<LogEntry[]> {
    const key = workspaceKeys(workspace).events();
    const args = ['XREVRANGE', key, String(last), '-', 'COUNT', String(limit)];
    const found = await call<[string, string[]][]>(deadline, args);
    return found.map(([id, fields]) => toEntry(id, fields));
  }

  function findSequence(workspace: Id<'workspace'>, deadline: number): Promise<string | null> {
    return call<string | null>(deadline, ['HGET', workspaceKeys(workspace).head(), 'sequence']);
  }

  async function findBySequence(
    workspace: Id<'workspace'>,
    sequence: number,
    deadline: number,
  ): Promise<LogEntry | undefined> {
    return (await listFrom(workspace, sequence, 1, deadline, sequence))[0];
  }

  async function findEntries(
    workspace: Id<'workspace'>,
    sequences: readonly number[],
    deadline: number,
  ): Promise<LogEntry[]> {
    const found = await Promise.all(
      runsOf(sequences).map(({first, last}) => listFrom(workspace, first, last - first + 1, deadline, last)),
    );
    return found.flat();
  }

  return {
    listAfter: (workspace, after, limit, deadline) => listFrom(workspace, after + 1, limit, deadline),
    async listNext(workspace, after, limit, deadline) {
      const next = handed.take(workspace, after);
      return next === undefined ? listFrom(workspace, after + 1, limit, deadline) : [next];
    },
    async readOn(workspace, {sequence, id}, limit, deadline) {
      // From the place itself on: what stands there tells whether the log is the one that was read before.
      const [newest, found] = await Promise.all([
        findSequence(workspace, deadline),
        listFrom(workspace, sequence, limit + 1, deadline),
      ]);
      const [first] = found;
      if (first === undefined) return Number(newest) === sequence ? [] : undefined;
      if (first.sequence === sequence)
        return id === undefined || id === first.id ? found.slice(1) : undefined;
      return first.sequence === sequence + 1 ? found.slice(0, limit) : undefined;
    },
    async readBack(workspace, place, limit, deadline) {
      if (place === undefined) return listBack(workspace, '+', limit, deadline);
      const {sequence, id} = place;
      const [newest, found] = await Promise.all([
        findSequence(workspace, deadline),
        listBack(workspace, sequence, limit + 1, deadline),
      ]);
      const [first] = found;
      if (first?.sequence === sequence)
        return id === undefined || id === first.id ? found.slice(1) : undefined;
      // An event that has gone with age took everything before it along.
      const hasGone = first === undefined && Number(newest) >= sequence;
      return id === undefined || hasGone ? found.slice(0, limit) : undefined;
    },
    async findEnd(workspace, deadline) {
      const [newest, [last]] = await Promise.all([
        findSequence(workspace, deadline),
        listBack(workspace, '+', 1, deadline),
      ]);
      return newest === null ? undefined : (last ?? {sequence: Number(newest)});
    },
    findBySequence,
    findEntries,
    ...createEventBodies(findEntries, records),
    async span(workspace, deadline) {
      const keys = workspaceKeys(workspace);
      const [sequence, oldest] = await Promise.all([
        findSequence(workspace, deadline),
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
        findTimesScript,
        [keys.head(), keys.events()],
        times,
      );
      return {first: found[0], last: found[1] - 1};
    },
    async findCursor(workspace, reader, deadline) {
      const cursor = await call<string | null>(deadline, [
        'HGET',
        workspaceKeys(workspace).head(),
        `cursor:${reader}`,
      ]);
      return cursor === null ? undefined : Number(cursor);
    },
    async addReader(workspace, reader, deadline) {
      await run(deadline, addReaderScript, [workspaceKeys(workspace).head()], [reader]);
    },
    async dropIdleReader(workspace, reader, idleMs, deadline) {
      const keys = workspaceKeys(workspace);
      const args = [reader, String(idleMs), workName(readerWork[reader])];
      return (await run<number>(deadline, dropReaderScript, [keys.head(), keys.slackReady()], args)) === 1;
    },
    async noteFailure(workspace, reader, sequence, deadline) {
      const key = workspaceKeys(workspace).readerFailure(reader);
      const args = [String(sequence), String(lifetimes.events)];
      const [tries, forMs] = await run<[number, number]>(deadline, noteFailureScript, [key], args);
      return {tries, forMs};
    },
    async settleReader(workspace, reader, deadline) {
      const keys = workspaceKeys(workspace);
      const work = readerWork[reader];
      const args = [reader, workName(work)];
      return (await run<number>(deadline, settleScript, [keys.head(), readyOf(keys, work)], args)) === 1;
    },
    trim(workspace, deadline) {
      const keys = workspaceKeys(workspace);
      return run<number>(deadline, trimScript, [keys.head(), keys.events()], [String(retention.events)]);
    },
  };
}

/** Numbers as runs of consecutive ones: what is claimed together mostly is, and a run is one read. */
function runsOf(numbers: readonly number[]): {first: number; last: number}[] {
  const runs: {first: number; last: number}[] = [];
  for (const number of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.last === number - 1) run.last = number;
    else runs.push({first: number, last: number});
  }
  return runs;
}

/** Of what is reminded as it stands in an entry. */
export function writeReminded({at, minutes, members}: Reminded): string {
  return `${minutes ?? (at === 'opening' ? 'opening' : '')}:${members.join(',')}`;
}

function parseReminded(text: string): Reminded {
  const [minutes = '', members = ''] = text.split(':');
  const isScheduled = /^\d/.test(minutes);
  return {
    at: isScheduled ? 'before_closing' : minutes === 'opening' ? minutes : 'asked',
    minutes: isScheduled ? Number(minutes) : null,
    members: members === '' ? [] : members.split(',').map((id) => storedId(id)),
  };
}

export function toEntry(streamId: string, fields: readonly string[]): LogEntry {
  const [, time = '', , type = '', , subject = '', , revision = '', , team = ''] = fields;
  const sequence = Number.parseInt(streamId, 10);
  const about = storedSuffix(subject);
  const at = Number(time);
  const kept = new Map<string | undefined, string>();
  for (let i = 10; i < fields.length; i += 2) kept.set(fields[i], fields[i + 1] ?? '');
  const [actor, since, reminded, reason] = [kept.get('p'), kept.get('s'), kept.get('d'), kept.get('w')];
  return {
    id: composeId('event', at, sequencedPart(about, sequence)),
    sequence,
    type: type as EventType,
    about,
    revision: Number(revision),
    at,
    ...(team !== '' && {team: storedId<'team'>(team)}),
    ...(actor !== undefined && {actor: parseActor(actor)}),
    ...(since !== undefined && {since: Number(since)}),
    ...(reminded !== undefined && {reminded: parseReminded(reminded)}),
    ...(reason !== undefined && {reason}),
  };
}
