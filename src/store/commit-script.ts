import {drawnPart, idPrefixes} from '../domain/ids.js';
import {renderDraft} from '../domain/resource.js';
import {lifetimes} from '../domain/limits.js';
import type {Commit, CommitTerms, EventDraft, Guard, Reply, Write} from '../domain/commit.js';
import {workspaceKeys, type AnyKey, type WorkspaceKeys} from './keys.js';
import {workName} from '../domain/work.js';
import {script, type Script} from './connection.js';

/**
 * One step of a commit: its keys and arguments, and the Lua that uses them. `shape` names everything the Lua depends on, so that
 * commits of one shape share one compiled script. All `check`s run before the first `write`: Redis does not roll back.
 */
interface Step {
  readonly shape: string;
  readonly keys: readonly AnyKey[];
  readonly args: readonly string[];
  check?(key: (n: number) => string, arg: (n: number) => string): string;
  write?(key: (n: number) => string, arg: (n: number) => string): string;
}

export interface Program {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** Status words of a reply; the script returns `[status, …]`. */
export const status = {committed: 0, kept: 1, stale: 2, tokenDead: 3, tooLate: 4, storeLost: 5} as const;

const scripts = new Map<string, Script>();

/** Turns a commit into a script with its keys and arguments. Scripts are compiled once per shape, of which there are a few dozen. */
export function compileCommit(terms: CommitTerms, commit: Commit, notAfter: number): Program {
  const keys = workspaceKeys(terms.workspace);
  const steps = [
    ...termSteps(keys, terms, notAfter),
    ...commit.guards.map((guard) => guardStep(keys, guard)),
    ...commit.writes.map((write) => writeStep(keys, write)),
    ...commit.events.map((event) => eventStep(keys, event)),
    ...(commit.events.length > 0 ? [wakeStep(keys, commit.events.length)] : []),
    ...(terms.idempotency === undefined ? [] : [keepStep(keys, terms.idempotency, commit.reply)]),
  ];
  let shape = commit.effect ?? 'growth';
  const allKeys: string[] = [];
  const allArgs: string[] = [];
  for (const step of steps) {
    shape += `|${step.shape}`;
    allKeys.push(...step.keys);
    allArgs.push(...step.args);
  }
  let compiled = scripts.get(shape);
  if (compiled === undefined) {
    compiled = script(assemble(steps, commit.effect ?? 'growth'));
    scripts.set(shape, compiled);
  }
  return {script: compiled, keys: allKeys, args: allArgs};
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
 * Idempotency record first, so that a repeat is answered whatever has happened since. Then whether the data is there at all, since on an
 * emptied store every token would look revoked; then the token; then the caller's patience.
 */
function termSteps(keys: WorkspaceKeys, {token, idempotency}: CommitTerms, notAfter: number): Step[] {
  const steps: Step[] = [];
  if (idempotency !== undefined) {
    steps.push({
      shape: 'kept',
      keys: [keys.idempotency(idempotency.hash)],
      args: [],
      check: (key) =>
        `local kept = redis.call('GET', ${key(0)})\nif kept then return {${status.kept}, now, kept} end`,
    });
  }
  steps.push(headStep(keys));
  if (token !== undefined) {
    steps.push({
      shape: 'token',
      keys: [keys.liveToken(drawnPart(token.id))],
      args: [],
      check: (key) => `if redis.call('EXISTS', ${key(0)}) == 0 then return {${status.tokenDead}, now} end`,
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

const stale = `return {${status.stale}, now}`;

function guardStep(keys: WorkspaceKeys, guard: Guard): Step {
  switch (guard.check) {
    case 'unchanged':
      return {
        shape: `unchanged:${guard.collection}`,
        keys: [],
        args: [String(guard.version)],
        check: (_, arg) =>
          `if (redis.call('HGET', head, 'version:${guard.collection}') or '0') ~= ${arg(0)} then ${stale} end`,
      };
    case 'revision':
      return revisionGuard(keys, guard.id, guard.revision);
    case 'name-free':
      return {
        shape: 'free',
        keys: [keys.names(guard.names)],
        args: [guard.name],
        check: (key, arg) => `if redis.call('HEXISTS', ${key(0)}, ${arg(0)}) == 1 then ${stale} end`,
      };
    case 'joined':
      return {
        shape: 'joined',
        keys: [keys.teamMembers(guard.team)],
        args: [drawnPart(guard.member)],
        check: (key, arg) => `if redis.call('HEXISTS', ${key(0)}, ${arg(0)}) == 0 then ${stale} end`,
      };
    case 'shorter':
      return {
        shape: 'shorter',
        keys: [keys.list(guard.list)],
        args: [String(guard.than)],
        check: (key, arg) => `if redis.call('ZCARD', ${key(0)}) >= tonumber(${arg(0)}) then ${stale} end`,
      };
  }
}

function revisionGuard(keys: WorkspaceKeys, id: string, from: number): Step {
  return {
    shape: 'at',
    keys: [keys.record(drawnPart(id))],
    args: [String(from)],
    check: (key, arg) => `if revision(redis.call('GET', ${key(0)})) ~= ${arg(0)} then ${stale} end`,
  };
}

function writeStep(keys: WorkspaceKeys, write: Write): Step {
  switch (write.do) {
    case 'create':
      return createStep(keys, write);
    case 'revise':
      return reviseStep(keys, write);
    case 'remove':
      return removeStep(keys, write);
    case 'take-name':
      return simple(
        'take',
        [keys.names(write.names)],
        [write.name, write.drawn],
        (key, arg) => `redis.call('HSET', ${key(0)}, ${arg(0)}, ${arg(1)})`,
      );
    case 'free-name':
      return simple(
        'free-name',
        [keys.names(write.names)],
        [write.name],
        (key, arg) => `redis.call('HDEL', ${key(0)}, ${arg(0)})`,
      );
    case 'touch':
      return simple(
        `touch:${write.collection}`,
        [],
        [],
        () => `redis.call('HINCRBY', head, 'version:${write.collection}', 1)`,
      );
    case 'join':
      return simple(
        'join',
        [keys.teamMembers(write.team)],
        [drawnPart(write.member), write.role],
        (key, arg) => `redis.call('HSET', ${key(0)}, ${arg(0)}, ${arg(1)})`,
      );
    case 'disband':
      return simple('disband', [keys.teamMembers(write.team)], [], (key) => `redis.call('DEL', ${key(0)})`);
    case 'allow-token':
      return simple(
        'allow',
        [keys.liveToken(write.drawn)],
        [String(write.expiresAt)],
        (key, arg) => `redis.call('SET', ${key(0)}, '1', 'PXAT', ${arg(0)})`,
      );
    case 'revoke-token':
      return simple(
        'revoke',
        [keys.liveToken(drawnPart(write.id))],
        [],
        (key) => `redis.call('DEL', ${key(0)})`,
      );
    case 'keep-secret':
      return simple(
        'secret',
        [keys.secret(write.drawn)],
        [write.sealed],
        (key, arg) => `redis.call('SET', ${key(0)}, ${arg(0)})`,
      );
    case 'drop-secret':
      return simple('drop', [keys.secret(drawnPart(write.id))], [], (key) => `redis.call('DEL', ${key(0)})`);
    case 'purge-team':
      return simple(
        'ready',
        [keys.ready()],
        [workName({kind: 'purge-team', team: write.team})],
        (key, arg) => `redis.call('ZADD', ${key(0)}, now, ${arg(0)})`,
      );
    default:
      return webhookStep(keys, write);
  }
}

type WebhookWrite = Extract<Write, {do: 'open-webhook' | 'pause-webhook' | 'close-webhook' | 'redeliver'}>;

function webhookStep(keys: WorkspaceKeys, write: WebhookWrite): Step {
  switch (write.do) {
    case 'open-webhook':
      return simple(
        'open',
        [keys.webhookState(write.drawn), keys.ready()],
        [workName({kind: 'deliver', webhook: write.drawn})],
        (key, arg) => `redis.call('HDEL', ${key(0)}, 'off')\nredis.call('ZADD', ${key(1)}, now, ${arg(0)})`,
      );
    case 'pause-webhook':
      return simple(
        'pause',
        [keys.webhookState(write.drawn)],
        [],
        (key) => `redis.call('HSET', ${key(0)}, 'off', '1')`,
      );
    case 'close-webhook': {
      const webhook = drawnPart(write.id);
      return simple(
        'close',
        [
          keys.pending(webhook),
          keys.inflight(webhook),
          keys.tries(webhook),
          keys.webhookState(webhook),
          keys.ready(),
        ],
        [workName({kind: 'deliver', webhook})],
        (key, arg) =>
          `redis.call('DEL', ${[0, 1, 2, 3].map(key).join(', ')})\nredis.call('ZREM', ${key(4)}, ${arg(0)})`,
      );
    }
    case 'redeliver': {
      const webhook = drawnPart(write.webhook);
      const delivery = drawnPart(write.delivery);
      return simple(
        'redeliver',
        [
          keys.pending(webhook),
          keys.inflight(webhook),
          keys.tries(webhook),
          keys.delivery(delivery),
          keys.ready(),
        ],
        [delivery, workName({kind: 'deliver', webhook})],
        // Attempts go on counting; the failures that the schedule counts begin anew.
        (key, arg) => `
if not redis.call('ZSCORE', ${key(1)}, ${arg(0)}) then
  redis.call('ZADD', ${key(0)}, now, ${arg(0)})
  redis.call('HSET', ${key(2)}, ${arg(0)}, (redis.call('HGET', ${key(3)}, 'attempts') or '0') .. ':0')
  redis.call('HSET', ${key(3)}, 'state', 'pending')
  redis.call('ZADD', ${key(4)}, now, ${arg(1)})
end`,
      );
    }
  }
}

function simple(
  shape: string,
  keys: readonly AnyKey[],
  args: readonly string[],
  write: NonNullable<Step['write']>,
): Step {
  return {shape, keys, args, write};
}

function createStep(keys: WorkspaceKeys, write: Extract<Write, {do: 'create'}>): Step {
  const prefix = idPrefixes[write.kind];
  return {
    shape: `create:${prefix}:${write.lists.length}`,
    keys: [keys.record(write.drawn), ...write.lists.map(({list}) => keys.list(list))],
    args: [write.drawn, renderDraft(write.draft), ...write.lists.map(({day}) => String(day ?? 0))],
    // A drawn half that is taken already: impossible by chance, and never to be overwritten.
    check: (key) => `if redis.call('EXISTS', ${key(0)}) == 1 then ${stale} end`,
    write: (key, arg) => {
      const places = write.lists.map(
        (_, i) =>
          `redis.call('ZADD', ${key(i + 1)}, string.format('%.0f', ${arg(i + 2)} * 274877906944 + first), ${arg(0)})`,
      );
      return `
do
  local at = instant()
  redis.call('SET', ${key(0)}, '{"id":"${prefix}_' .. base32(now, 10) .. ${arg(0)} .. '",' .. ${arg(1)}
    .. ',"revision":1,"created_at":"' .. at .. '","updated_at":"' .. at .. '"}')
end
${places.join('\n')}`;
    },
  };
}

function reviseStep(keys: WorkspaceKeys, write: Extract<Write, {do: 'revise'}>): Step {
  const drawn = drawnPart(write.id);
  const moves = write.move ?? [];
  const guard = revisionGuard(keys, write.id, write.from);
  return {
    shape: `revise:${moves.length}`,
    keys: [...guard.keys, keys.revisions(drawn), ...moves.map(({list}) => keys.list(list))],
    args: [
      ...guard.args,
      drawn,
      `{"id":"${write.id}",${renderDraft(write.draft)},"revision":${write.from + 1},"created_at":"${write.createdAt}","updated_at":"`,
      ...moves.map(({day}) => String(day)),
    ],
    ...(guard.check && {check: guard.check}),
    write: (key, arg) => {
      const places = moves.map(
        (_, i) => `
do
  local place = redis.call('ZSCORE', ${key(i + 2)}, ${arg(1)})
  if place then redis.call('ZADD', ${key(i + 2)}, string.format('%.0f', ${arg(i + 3)} * 274877906944 + place % 274877906944), ${arg(1)}) end
end`,
      );
      return `
redis.call('HSET', ${key(1)}, ${arg(0)}, redis.call('GET', ${key(0)}))
redis.call('SET', ${key(0)}, ${arg(2)} .. instant() .. '"}')
${places.join('\n')}`;
    },
  };
}

function removeStep(keys: WorkspaceKeys, write: Extract<Write, {do: 'remove'}>): Step {
  const drawn = drawnPart(write.id);
  const guard = revisionGuard(keys, write.id, write.from);
  return {
    shape: `remove:${write.lists.length}`,
    keys: [...guard.keys, keys.revisions(drawn), ...write.lists.map((list) => keys.list(list))],
    args: [...guard.args, drawn],
    ...(guard.check && {check: guard.check}),
    write: (key, arg) => {
      const places = write.lists.map((_, i) => `redis.call('ZREM', ${key(i + 2)}, ${arg(1)})`);
      return `
redis.call('HSET', ${key(1)}, ${arg(0)}, redis.call('GET', ${key(0)}))
redis.call('EXPIRE', ${key(1)}, ${lifetimes.events})
redis.call('DEL', ${key(0)})
${places.join('\n')}`;
    },
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
function wakeStep(keys: WorkspaceKeys, events: number): Step {
  return {
    shape: `wake:${events}`,
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
