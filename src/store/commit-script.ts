import type {Commit, CommitTerms, EventDraft, Reply} from '../domain/commit.js';
import {drawnPart} from '../domain/ids.js';
import {lifetimes} from '../domain/limits.js';
import {workName} from '../domain/work.js';
import {guardStep} from './commit-guards.js';
import {type Step, status} from './commit-step.js';
import {writeStep} from './commit-writes.js';
import {type Script, script} from './connection.js';
import {workspaceKeys, type WorkspaceKeys} from './keys.js';

export interface Program {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** Turns commits into scripts with their keys and arguments. */
export type CompileCommit = (terms: CommitTerms, commit: Commit, notAfter: number) => Program;

/** A compiler that writes each script once: commits of one shape, of which there are a few dozen, share it. */
export function createCommitCompiler(): CompileCommit {
  const scripts = new Map<string, Script>();

  return function compileCommit(terms, commit, notAfter) {
    const steps = stepsOf(terms, commit, notAfter);
    let shape: string = commit.effect ?? 'growth';
    const keys: string[] = [];
    const args: string[] = [];
    for (const step of steps) {
      shape += `|${step.shape}`;
      keys.push(...step.keys);
      args.push(...step.args);
    }
    let compiled = scripts.get(shape);
    if (compiled === undefined) {
      compiled = script(assemble(steps, commit.effect ?? 'growth'));
      scripts.set(shape, compiled);
    }
    return {script: compiled, keys, args};
  };
}

function stepsOf(terms: CommitTerms, commit: Commit, notAfter: number): Step[] {
  const keys = workspaceKeys(terms.workspace);
  return [
    ...termSteps(keys, terms, notAfter),
    ...commit.guards.map((guard) => guardStep(keys, guard)),
    ...commit.writes.map((write) => writeStep(keys, write)),
    ...commit.events.map((event) => eventStep(keys, event)),
    ...(commit.events.length > 0 ? [wakeStep(keys)] : []),
    ...(terms.idempotency === undefined ? [] : [keepStep(keys, terms.idempotency, commit.reply)]),
  ];
}

function assemble(steps: readonly Step[], effect: 'growth' | 'release'): string {
  let k = 0;
  let a = 0;
  const placed = steps.map((step) => {
    const [firstKey, firstArg] = [k, a];
    k += step.keys.length;
    a += step.args.length;
    return {
      step,
      key: (n: number) => `KEYS[${firstKey + n + 1}]`,
      arg: (n: number) => `ARGV[${firstArg + n + 1}]`,
    };
  });
  const lines = [
    // On a full store only commits that free memory may run.
    effect === 'release' ? '#!lua flags=allow-oom' : '#!lua',
    prelude,
    ...placed.map(({step, key, arg}) => step.check?.(key, arg) ?? ''),
    ...placed.map(({step, key, arg}) => step.write?.(key, arg) ?? ''),
    `return {${status.committed}, now, sequence}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** Time, ids and instants from Redis' own clock; the counterparts are in domain/ids.ts and domain/dates.ts. */
const prelude = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local sequence, first
local alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
local function base32(value, characters)
  local out = {}
  for i = characters, 1, -1 do
    local digit = value % 32
    out[i] = string.sub(alphabet, digit + 1, digit + 1)
    value = (value - digit) / 32
  end
  return table.concat(out)
end
local function instant()
  local days = math.floor(now / 86400000)
  local rest = now % 86400000
  local z = days + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local day = doy - math.floor((153 * mp + 2) / 5) + 1
  local month = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  return string.format('%04d-%02d-%02dT%02d:%02d:%02d.%03dZ', year, month, day,
    math.floor(rest / 3600000), math.floor(rest / 60000) % 60, math.floor(rest / 1000) % 60, rest % 1000)
end
local function revision(record)
  return record and string.match(string.sub(record, -112), '"revision":(%d+),"created_at":"[^"]+","updated_at":"[^"]+"}$')
end`.trim();

/**
 * Whether the data is there at all, since on an emptied store every token would look revoked; then the token, without which nobody learns
 * anything; then the idempotency record, so that a repeat is answered whatever has happened since; then the caller's patience.
 */
function termSteps(keys: WorkspaceKeys, {token, idempotency}: CommitTerms, notAfter: number): Step[] {
  const steps = [headStep(keys)];
  if (token !== undefined) {
    steps.push({
      shape: 'token',
      keys: [keys.liveToken(drawnPart(token.id))],
      args: [],
      check: (key) => `if redis.call('EXISTS', ${key(0)}) == 0 then return {${status.tokenDead}, now} end`,
    });
  }
  if (idempotency !== undefined) {
    steps.push({
      shape: 'kept',
      keys: [keys.idempotency(idempotency.hash)],
      args: [],
      check: (key) =>
        `local kept = redis.call('GET', ${key(0)})\nif kept then return {${status.kept}, now, kept} end`,
    });
  }
  steps.push({
    shape: 'until',
    keys: [],
    args: [String(notAfter)],
    check: (_, arg) => `if now > tonumber(${arg(0)}) then return {${status.tooLate}, now} end`,
  });
  return steps;
}

function headStep(keys: WorkspaceKeys): Step {
  return {
    shape: 'head',
    keys: [keys.head()],
    args: [],
    check: (key) => `
local head = ${key(0)}
sequence = tonumber(redis.call('HGET', head, 'sequence') or '')
if not sequence then return {${status.storeLost}, now} end
first = string.format('%.0f', sequence + 1)`,
  };
}

/** Appends one event. Its id carries the time and ends in the sequence, so the id alone finds it. */
function eventStep(keys: WorkspaceKeys, event: EventDraft): Step {
  return {
    shape: 'event',
    keys: [keys.events()],
    args: [event.type, event.about, String(event.revision), event.team ?? ''],
    write: (key, arg) => `
sequence = sequence + 1
redis.call('XADD', ${key(0)}, string.format('%.0f-0', sequence), 'i', base32(now, 10) .. string.sub(${arg(1)}, 1, 8) .. base32(sequence, 8),
  't', ${arg(0)}, 'a', ${arg(1)}, 'r', ${arg(2)}, 'm', ${arg(3)})`,
  };
}

/** Tells every reader of the log that there is more, unless it has been told and has not looked yet. */
function wakeStep(keys: WorkspaceKeys): Step {
  return {
    shape: 'wake',
    keys: [keys.ready()],
    args: [],
    write: (key) => `
redis.call('HSET', head, 'sequence', string.format('%.0f', sequence))
redis.call('ZADD', ${key(0)}, 'LT', now, '${workName({kind: 'fan-out'})}')
if redis.call('HEXISTS', head, 'cursor:slack') == 1 then redis.call('ZADD', ${key(0)}, 'LT', now, '${workName({kind: 'read-slack'})}') end`,
  };
}

function keepStep(
  keys: WorkspaceKeys,
  idempotency: NonNullable<CommitTerms['idempotency']>,
  reply: Reply,
): Step {
  return {
    shape: 'keep',
    keys: [keys.idempotency(idempotency.hash)],
    args: [idempotency.fingerprint + JSON.stringify(reply)],
    write: (key, arg) => `redis.call('SET', ${key(0)}, ${arg(0)}, 'EX', ${lifetimes.idempotency})`,
  };
}
