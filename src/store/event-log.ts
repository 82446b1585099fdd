import {LRUCache} from 'lru-cache';
import {type EventType, type LogEntry, type Reminded, renderEvent, showsPrevious} from '../domain/event.js';
import {composeId, sequencedPart} from '../domain/ids.js';
import {lifetimes, type Retention, standardRetention} from '../domain/limits.js';
import {referenceName, referencesIn, showRun, uniqueReferences} from '../domain/report-references.js';
import type {WireJson} from '../domain/resource.js';
import {type Work, workName} from '../domain/work.js';
import {type Connection, script} from './connection.js';
import {workspaceKeys} from './keys.js';
import type {Records, RevisionRef} from './records.js';

/** Readers that keep a cursor in the log. */
export type Reader = 'webhooks' | 'slack';

export interface EventLog {
  /** Entries with a sequence above `after`, oldest first. */
  listAfter(workspace: string, after: number, limit: number, deadline: number): Promise<LogEntry[]>;
  findBySequence(workspace: string, sequence: number, deadline: number): Promise<LogEntry | undefined>;
  /** Entries by sequence; those that retention has taken are left out. */
  findEntries(workspace: string, sequences: readonly number[], deadline: number): Promise<LogEntry[]>;
  /** The wire JSON of each entry; the same bytes whenever it is asked for. */
  render(workspace: string, entries: readonly LogEntry[], deadline: number): Promise<string[]>;
  /** Sequence of the newest event, and of the oldest one still kept. Undefined when the workspace's data is gone. */
  span(workspace: string, deadline: number): Promise<{newest: number; oldest: number} | undefined>;
  /**
   * Sequences of the first and the last event from `since` up to and including `until` (ms); `last` is one below `first` when there is none.
   * Finds them by halving, which takes the times of events not to go back.
   */
  findRange(
    workspace: string,
    since: number,
    until: number,
    deadline: number,
  ): Promise<{first: number; last: number}>;
  findCursor(workspace: string, reader: Reader, deadline: number): Promise<number | undefined>;
  /**
   * Makes a reader known, and answers its place. One that is known already keeps it; one that was dropped
   * goes on behind `reached`, as far as the log goes back; a new one begins with the next event. Undefined
   * when the workspace's data is gone.
   */
  addReader(
    workspace: string,
    reader: Reader,
    reached: number | undefined,
    deadline: number,
  ): Promise<number | undefined>;
  /** Forgets a reader, its place in the log included. */
  dropReader(workspace: string, reader: Reader, deadline: number): Promise<void>;
  /** Takes a reader that has seen everything out of the ready set; one that has not stays in it, and true is answered. */
  settleReader(workspace: string, reader: Reader, deadline: number): Promise<boolean>;
  /** Counts that a reader has failed on an event; answers how often it has by now, and for how long (ms). */
  noteFailure(
    workspace: string,
    reader: Reader,
    sequence: number,
    deadline: number,
  ): Promise<{tries: number; forMs: number}>;
  /** Drops entries that are past their lifetime and behind every cursor. Returns how many. */
  trim(workspace: string, deadline: number): Promise<number>;
}

/**
 * KEYS: head, events, ready. ARGV: reader, its work, the sequence it had reached or ''. A full store has
 * readers, too.
 */
const addReaderScript = script(`#!lua flags=allow-oom
local head = redis.call('HMGET', KEYS[1], 'sequence', 'cursor:' .. ARGV[1])
if not head[1] then return false end
if head[2] then return tonumber(head[2]) end
local sequence = tonumber(head[1])
local cursor = sequence
if ARGV[3] ~= '' then
  local oldest = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
  local first = oldest and tonumber(string.match(oldest[1], '^%d+')) or sequence + 1
  cursor = math.min(sequence, math.max(tonumber(ARGV[3]), first - 1))
end
redis.call('HSET', KEYS[1], 'cursor:' .. ARGV[1], string.format('%.0f', cursor))
if cursor < sequence then redis.call('ZADD', KEYS[3], 'NX', redis.call('TIME')[1] * 1000, ARGV[2]) end
return cursor`);

const settleScript = script(`#!lua flags=allow-oom
local head = redis.call('HMGET', KEYS[1], 'sequence', 'cursor:' .. ARGV[1])
if head[1] and head[2] and head[1] ~= head[2] then return 1 end
redis.call('ZREM', KEYS[2], ARGV[2])
return 0`);

/** KEYS: progress. ARGV: sequence, lifetime (s). Keeps `<sequence> <tries> <since (ms)>`. */
const noteFailureScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local sequence, tries, since = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+) (%d+)$')
if sequence ~= ARGV[1] then tries, since = 0, now end
tries = tries + 1
redis.call('SET', KEYS[1], string.format('%s %d %.0f', ARGV[1], tries, tonumber(since)), 'EX', ARGV[2])
return {tries, now - since}`);

const readerWork: Record<Reader, Work> = {webhooks: {kind: 'fan-out'}, slack: {kind: 'read-slack'}};

/** Trimming by age alone has dropped events that a reader had not seen: the smallest cursor is the limit. */
const trimScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local limit = tonumber(redis.call('HGET', KEYS[1], 'sequence') or '0')
for _, reader in ipairs({'webhooks', 'slack'}) do
  local cursor = tonumber(redis.call('HGET', KEYS[1], 'cursor:' .. reader) or '')
  if cursor and cursor < limit then limit = cursor end
end
local trimmed = 0
while true do
  local entries = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 100)
  local keep
  for _, entry in ipairs(entries) do
    local sequence = tonumber(string.match(entry[1], '^%d+'))
    if sequence >= limit or tonumber(entry[2][2]) >= (time[1] - ARGV[1]) * 1000 then keep = sequence break end
    keep = sequence + 1
  end
  local gone = keep and redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', keep)) or 0
  trimmed = trimmed + gone
  if gone < 100 or trimmed >= 5000 then return trimmed end
end`);

/** KEYS: head, events. ARGV: two instants (ms). Returns for each the sequence of the first event that is not before it. */
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
    if not entry or tonumber(entry[2][2]) >= tonumber(ARGV[i]) then high = middle else low = sequenceOf(entry) + 1 end
  end
  found[i] = low
end
return found`);

/** Wire JSON of recent events: one body serves every webhook that gets it. */
const cachedBytes = 32 * 1024 * 1024;
const cachedEntries = 10_000;

export function createEventLog(
  {call, run}: Pick<Connection, 'call' | 'run'>,
  records: Records,
  retention: Retention = standardRetention,
): EventLog {
  const rendered = new LRUCache<string, string>({
    maxSize: cachedBytes,
    ttl: lifetimes.renderedBody * 1_000,
    sizeCalculation: (body) => body.length + 200,
  });

  const entries = new LRUCache<string, LogEntry>({max: cachedEntries});

  async function listAfter(
    workspace: string,
    after: number,
    limit: number,
    deadline: number,
  ): Promise<LogEntry[]> {
    const range = [`${after + 1}-0`, '+', 'COUNT', String(limit)];
    const found = await call<[string, string[]][]>(deadline, [
      'XRANGE',
      workspaceKeys(workspace).events(),
      ...range,
    ]);
    return found.map(([id, fields]) => {
      const entry = toEntry(id, fields);
      entries.set(`${workspace} ${entry.sequence}`, entry);
      return entry;
    });
  }

  async function findBySequence(
    workspace: string,
    sequence: number,
    deadline: number,
  ): Promise<LogEntry | undefined> {
    const known = entries.get(`${workspace} ${sequence}`);
    if (known !== undefined) return known;
    const [entry] = await listAfter(workspace, sequence - 1, 1, deadline);
    return entry?.sequence === sequence ? entry : undefined;
  }

  /** Runs refer to what they are to show; all of it is read at once. */
  async function showRuns(
    workspace: string,
    found: (WireJson | undefined)[],
    deadline: number,
  ): Promise<(WireJson | undefined)[]> {
    const references = uniqueReferences(
      found.flatMap((json) => (json === undefined ? [] : referencesIn(json))),
    );
    if (references.length === 0) return found.map((json) => json && showRun(json, () => undefined));
    const words = await records.findRevisions(workspace, references, deadline);
    const byName = new Map(references.map((reference, i) => [referenceName(reference), words[i]]));
    return found.map((json) => json && showRun(json, (reference) => byName.get(referenceName(reference))));
  }

  return {
    listAfter,
    findBySequence,
    async findEntries(workspace, sequences, deadline) {
      const found = await Promise.all(
        sequences.map((sequence) => findBySequence(workspace, sequence, deadline)),
      );
      return found.filter((entry) => entry !== undefined);
    },
    async render(workspace, wanted, deadline) {
      // Taken out before anything is waited for: what is in the cache now may not be in a moment.
      const known = wanted.map(({id}) => rendered.get(id));
      const missing = wanted.filter((_, i) => known[i] === undefined);
      const wantedRevisions = missing.flatMap(revisionsOf);
      const found = await showRuns(
        workspace,
        await records.findRevisions(workspace, wantedRevisions, deadline),
        deadline,
      );
      let next = 0;
      const bodies = missing.map((entry) => {
        const [data, before] = found.slice(next, (next += revisionsOf(entry).length));
        const body = renderEvent(workspace, entry, data, before);
        if (data !== undefined) rendered.set(entry.id, body);
        return body;
      });
      let read = 0;
      return known.map((body) => body ?? bodies[read++] ?? '');
    },
    async span(workspace, deadline) {
      const keys = workspaceKeys(workspace);
      const [sequence, oldest] = await Promise.all([
        call<string | null>(deadline, ['HGET', keys.head(), 'sequence']),
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
    async addReader(workspace, reader, reached, deadline) {
      const keys = workspaceKeys(workspace);
      const args = [reader, workName(readerWork[reader]), reached === undefined ? '' : String(reached)];
      const all = [keys.head(), keys.events(), keys.ready()];
      return (await run<number | null>(deadline, addReaderScript, all, args)) ?? undefined;
    },
    async dropReader(workspace, reader, deadline) {
      const keys = workspaceKeys(workspace);
      await Promise.all([
        call(deadline, ['HDEL', keys.head(), `cursor:${reader}`]),
        call(deadline, ['ZREM', keys.ready(), workName(readerWork[reader])]),
      ]);
    },
    async noteFailure(workspace, reader, sequence, deadline) {
      const key = workspaceKeys(workspace).progress(workName(readerWork[reader]));
      const args = [String(sequence), String(lifetimes.events)];
      const [tries, forMs] = await run<[number, number]>(deadline, noteFailureScript, [key], args);
      return {tries, forMs};
    },
    async settleReader(workspace, reader, deadline) {
      const keys = workspaceKeys(workspace);
      const args = [reader, workName(readerWork[reader])];
      return (await run<number>(deadline, settleScript, [keys.head(), keys.ready()], args)) === 1;
    },
    trim(workspace, deadline) {
      const keys = workspaceKeys(workspace);
      return run<number>(deadline, trimScript, [keys.head(), keys.events()], [String(retention.events)]);
    },
  };
}

/** The revisions an event's body is made of: the one it is about and, for a change, the one before. */
function revisionsOf({type, about, revision}: LogEntry): RevisionRef[] {
  const refs = [{drawn: about, revision}];
  return showsPrevious(type) ? [...refs, {drawn: about, revision: revision - 1}] : refs;
}

/** Of what is reminded as it stands in an entry. */
export function writeReminded({minutes, members}: Reminded): string {
  return `${minutes ?? ''}:${members.join(',')}`;
}

function parseReminded(text: string): Reminded {
  const [minutes = '', members = ''] = text.split(':');
  return {
    minutes: minutes === '' ? null : Number(minutes),
    members: members === '' ? [] : members.split(','),
  };
}

function toEntry(streamId: string, fields: readonly string[]): LogEntry {
  const [, time = '', , type = '', , about = '', , revision = '', , team = ''] = fields;
  const sequence = Number.parseInt(streamId, 10);
  const at = Number(time);
  // Of those that only some events have, there is one at most.
  const [name, detail = ''] = fields.slice(10);
  return {
    id: composeId('event', at, sequencedPart(about, sequence)),
    sequence,
    type: type as EventType,
    about,
    revision: Number(revision),
    at,
    ...(team !== '' && {team}),
    ...(name === 's' && {since: Number(detail)}),
    ...(name === 'd' && {reminded: parseReminded(detail)}),
    ...(name === 'w' && {reason: detail}),
  };
}
