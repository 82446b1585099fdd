import type {Commit, CommitTerms, EventDraft, Reply} from '../domain/commit.js';
import {toInstant} from '../domain/dates.js';
import {drawnPart, encodeBase32, idPrefixes, unbornId} from '../domain/ids.js';
import {lifetimes, type Retention, standardRetention} from '../domain/limits.js';
import {workName} from '../domain/work.js';
import {guardStep} from './commit-guards.js';
import {writeReminded} from './event-log.js';
import {type Step, status} from './commit-step.js';
import {writeStep} from './commit-writes.js';
import {type Script, script} from './connection.js';
import {workspaceKeys, type WorkspaceKeys} from './keys.js';
import {quotaArgs, quotaLocals, takeQuota} from './quota-script.js';

export interface Program {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** Turns commits into scripts with their keys and arguments. */
export type CompileCommit = (terms: CommitTerms, commit: Commit, times: Times) => Program;

/** Redis time in ms. */
export interface Times {
  /** When the script will probably run. */
  readonly expected: number;
  /** When it must not run any more. */
  readonly notAfter: number;
}

/** A compiler that writes each script once: commits of one shape, of which there are a few dozen, share it. */
export function createCommitCompiler(retention: Retention = standardRetention): CompileCommit {
  const scripts = new Map<string, Script>();
  const clockArgs = createClockArgs();

  return function compileCommit(terms, commit, {expected, notAfter}) {
    const steps = stepsOf(terms, commit, {notAfter, retention});
    let shape: string = commit.effect ?? 'growth';
    const keys: string[] = [];
    const args = [...clockArgs(expected)];
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

function stepsOf(
  terms: CommitTerms,
  commit: Commit,
  {notAfter, retention}: {notAfter: number; retention: Retention},
): Step[] {
  const keys = workspaceKeys(terms.workspace);
  return [
    ...termSteps(keys, terms, notAfter),
    ...commit.guards.map((guard) => guardStep(keys, guard)),
    ...commit.writes.map((write) => writeStep(keys, write, retention, commit.events)),
    ...commit.events.map((event) => eventStep(keys, event)),
    ...(commit.events.length > 0 ? [wakeStep(keys)] : []),
    ...(terms.idempotency === undefined ? [] : [keepStep(keys, terms.idempotency, commit.reply)]),
  ];
}

function assemble(steps: readonly Step[], effect: 'growth' | 'release'): string {
  let k = 0;
  let a = clockArgCount;
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
    `return {${status.committed}, now, quota, sequence}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/**
 * Time, ids and instants from Redis' own clock; the counterparts are in domain/ids.ts and domain/dates.ts. Most of both is the same for
 * a whole second: the caller brings what it has written for the second it expects, and only on a miss is it worked out here.
 */
const prelude = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
${quotaLocals}
local alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
local function digit(value) return string.sub(alphabet, value + 1, value + 1) end
local function stamp()
  local high = math.floor(now / 1024)
  local low = now % 1024
  local front = ARGV[2]
  if high ~= tonumber(ARGV[1]) then
    front = ''
    for _ = 1, 8 do
      front = digit(high % 32) .. front
      high = math.floor(high / 32)
    end
  end
  return front .. digit(math.floor(low / 32)) .. digit(low % 32)
end
local function instant()
  local front = ARGV[4]
  if time[1] ~= ARGV[3] then
    local z = math.floor(now / 86400000) + 719468
    local era = math.floor(z / 146097)
    local doe = z - era * 146097
    local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
    local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
    local mp = math.floor((5 * doy + 2) / 153)
    local day = doy - math.floor((153 * mp + 2) / 5) + 1
    local month = mp < 10 and mp + 3 or mp - 9
    local year = yoe + era * 400 + (month <= 2 and 1 or 0)
    local rest = math.floor(now % 86400000 / 1000)
    front = string.format('%04d-%02d-%02dT%02d:%02d:%02d.', year, month, day,
      math.floor(rest / 3600), math.floor(rest / 60) % 60, rest % 60)
  end
  return front .. string.format('%03dZ', now % 1000)
end
local function revision(record)
  return record and string.match(string.sub(record, -112), '"revision":(%d+),"created_at":"[^"]+","updated_at":"[^"]+"}$')
end`.trim();

const clockArgCount = 4;

/** What `stamp` and `instant` take from the caller: the front of both for the time it expects (ms). Kept for as long as it is right. */
function createClockArgs(): (expected: number) => readonly string[] {
  let [knownHigh, knownSecond] = [Number.NaN, Number.NaN];
  let known: readonly string[] = [];
  return (expected) => {
    const high = Math.floor(expected / 1_024);
    const second = Math.floor(expected / 1_000);
    if (high !== knownHigh || second !== knownSecond) {
      [knownHigh, knownSecond] = [high, second];
      const front = `${toInstant(second * 1_000).slice(0, 19)}.`;
      known = [String(high), encodeBase32(high, 8), String(second), front];
    }
    return known;
  };
}

/**
 * Whether the data is there at all, since on an emptied store every token would look revoked; then the token, without which nobody learns
 * anything; then the quota, which repeats use up too; then the idempotency record, so that a repeat is answered whatever has happened
 * since; then the caller's patience.
 */
function termSteps(keys: WorkspaceKeys, {token, quota, idempotency}: CommitTerms, notAfter: number): Step[] {
  const steps = [headStep(keys)];
  if (token !== undefined) {
    steps.push({
      shape: 'token',
      keys: [keys.credential(token.id)],
      args: [],
      check: (key) =>
        `if redis.call('EXISTS', ${key(0)}) == 0 then return {${status.tokenDead}, now, quota} end`,
    });
  }
  // Taken once: a request that is planned again brings the verdict of its first script.
  // A change after a refused one, as a set-up in Slack may make it, is counted anew.
  if (quota !== undefined && quota.verdict?.granted !== true) {
    steps.push({
      shape: 'quota',
      keys: [keys.quota(quota.principal)],
      args: quotaArgs(quota),
      check: (key, arg) =>
        `${takeQuota(key, arg)}\nif over then return {${status.overQuota}, now, quota} end`,
    });
  }
  if (idempotency !== undefined) {
    steps.push({
      shape: 'kept',
      keys: [keys.idempotency(idempotency.hash)],
      args: [],
      check: (key) =>
        `local kept = redis.call('GET', ${key(0)})\nif kept then return {${status.kept}, now, quota, kept} end`,
    });
  }
  steps.push({
    shape: 'until',
    keys: [],
    args: [String(notAfter)],
    check: (_, arg) => `if now > tonumber(${arg(0)}) then return {${status.tooLate}, now, quota} end`,
  });
  return steps;
}

function headStep(keys: WorkspaceKeys): Step {
  return {
    shape: 'head',
    keys: [keys.head()],
    args: [],
    check: (key) => `
local head = redis.call('HMGET', ${key(0)}, 'sequence', 'cursor:slack', 'version:teams', 'version:webhooks')
local sequence = tonumber(head[1] or '')
if not sequence then return {${status.storeLost}, now, quota} end
local versions = {teams = head[3] or '', webhooks = head[4] or ''}
local first = sequence + 1`,
  };
}

const unbornTeam = unbornId('team', '');

/** Appends one event. Its id is made of the time, the id of what it is about, and the sequence, so it need not be kept. */
function eventStep(keys: WorkspaceKeys, event: EventDraft): Step {
  // A team that the same commit makes gets the time in its id here.
  const isNewTeam = event.team?.startsWith(unbornTeam) === true;
  const {since, reminded, reason} = event;
  const more = [
    ...(since === undefined ? [] : [['s', String(since)] as const]),
    ...(reminded === undefined ? [] : [['d', writeReminded(reminded)] as const]),
    ...(reason === undefined ? [] : [['w', reason] as const]),
  ];
  return {
    shape: ['event', ...(isNewTeam ? ['of-new-team'] : []), ...more.map(([field]) => field)].join(':'),
    keys: [keys.events()],
    args: [
      event.type,
      event.about,
      String(event.revision),
      isNewTeam ? drawnPart(event.team ?? '') : (event.team ?? ''),
      ...more.map(([, value]) => value),
    ],
    write: (key, arg) => `
sequence = sequence + 1
redis.call('XADD', ${key(0)}, sequence .. '-0', 'n', now, 't', ${arg(0)}, 'a', ${arg(1)}, 'r', ${arg(2)}, 'm', ${isNewTeam ? `'${idPrefixes.team}_' .. stamp() .. ` : ''}${arg(3)}${more.map(([field], i) => `, '${field}', ${arg(i + 4)}`).join('')})`,
  };
}

/** Tells every reader of the log that there is more, unless it has been told and has not looked yet. */
function wakeStep(keys: WorkspaceKeys): Step {
  return {
    shape: 'wake',
    keys: [keys.head(), keys.ready()],
    args: [],
    write: (key) => `
redis.call('HSET', ${key(0)}, 'sequence', sequence)
redis.call('ZADD', ${key(1)}, 'LT', now, '${workName({kind: 'fan-out'})}')
if head[2] then redis.call('ZADD', ${key(1)}, 'LT', now, '${workName({kind: 'read-slack'})}') end`,
  };
}

function keepStep(
  keys: WorkspaceKeys,
  idempotency: NonNullable<CommitTerms['idempotency']>,
  reply: Reply,
): Step {
  if (reply.tests !== undefined || reply.starts !== undefined) {
    // What the body follows from is known only here.
    return {
      shape: 'keep-made',
      keys: [keys.idempotency(idempotency.hash)],
      args: [idempotency.fingerprint, JSON.stringify(reply).slice(1)],
      write: (key, arg) =>
        `redis.call('SET', ${key(0)}, ${arg(0)} .. '{"made":{"at":' .. now .. ',"sequence":' .. sequence .. '},' .. ${arg(1)}, 'EX', ${lifetimes.idempotency})`,
    };
  }
  return {
    shape: 'keep',
    keys: [keys.idempotency(idempotency.hash)],
    args: [idempotency.fingerprint + JSON.stringify(reply)],
    write: (key, arg) => `redis.call('SET', ${key(0)}, ${arg(0)}, 'EX', ${lifetimes.idempotency})`,
  };
}
