import {createCache} from '../../domain/core/cache.js';
import {createActor, formatActor} from '../../domain/core/actor.js';
import type {Commit, CommitTerms, EventDraft} from '../../domain/commit/commit.js';
import type {Write} from '../../domain/commit/writes.js';
import {toInstant} from '../../domain/core/dates.js';
import {encodeBase32, type IdSuffix} from '../../domain/core/ids.js';
import {processBounds, type Retention, standardRetention} from '../../domain/core/limits.js';
import type {Work} from '../../domain/core/work.js';
import {createGuardStep} from './guards.js';
import {createEventStep, createWakeStep} from './event-steps.js';
import {type WriteContext, joinCheckSteps, type Step, status} from './step.js';
import {createKeepAnswerStep, createTermStep} from './term-steps.js';
import {createWriteStep} from './writes.js';
import {type Script, script} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import {quotaLocals} from '../core/quota-script.js';
import {revisionTail} from '../core/revisions.js';

export interface Program {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  /** Background work that the script adds to the queue of work that is due now. */
  readonly due: readonly Work[];
}

/** Compiles a commit into a script with its keys and arguments. */
export type CompileCommit = (terms: CommitTerms, commit: Commit, times: CommitTimes) => Program;

/** The times of a commit, in ms of Redis time. */
export interface CommitTimes {
  /** The time at which the script will probably run. */
  readonly expected: number;
  /** The time after which the script must not run. */
  readonly notAfter: number;
}

/**
 * Creates a compiler that generates one script for all commits of the same shape, of which there are some
 * dozens. Equal steps become a loop, so a commit about three people has the same script as one about three
 * hundred. Most commits have each step once, and need no loop. Scripts are never deleted from Redis, so
 * callers must not be able to cause many different ones. `share`: the bytes that a workspace may use; 0 for
 * no limit.
 */
export function createCommitCompiler(retention: Retention = standardRetention, share = 0): CompileCommit {
  const scripts = createCache<Script>(processBounds.commitScripts);
  const clockArgs = createClockArgs();

  return function compileCommit(terms, commit, {expected, notAfter}) {
    const keys = workspaceKeys(terms.workspace);
    const around = {keys, retention, eventAbout: buildEventIndexFinder(commit.events)};
    const effect = findCommitEffect(commit);
    const {lets} = commit;
    const isBound = countsAgainstShare(terms);
    const conditions = createTermStep(keys, terms, {
      notAfter,
      share: isBound && effect === 'growth' ? share : 0,
      lets,
    });
    const loops = joinRepeatedCheck(groupStepsIntoLoops(around, terms, commit, isBound ? share : 0));
    const isPlain = loops.every(({length}) => length === 1);
    let shape = `${effect}|${isPlain}|${conditions.shape}`;
    for (const [step] of loops) shape += `|${step.shape}`;
    let compiled = scripts.get(shape);
    if (compiled === undefined) {
      compiled = script(generateScript(conditions, loops, {effect, isPlain}));
      scripts.set(shape, compiled);
    }
    const counts = isPlain ? [] : loops.map(({length}) => String(length));
    const parts = collectKeysAndArgs(conditions, loops, [clockArgs(expected), conditions.args, counts]);
    const args = effect === 'release' ? parts.args : [...parts.args, String(estimateAddedBytes(parts))];
    return {script: compiled, ...parts, args};
  };
}

/** Returns the keys and arguments in the order that the script expects, and the work that it makes due. */
function collectKeysAndArgs(
  conditions: Step,
  loops: readonly Loop[],
  [clock, terms, counts]: readonly [readonly string[], readonly string[], readonly string[]],
): Omit<Program, 'script'> {
  const keys: string[] = [...conditions.keys];
  const args = [...clock, ...terms, ...counts];
  const due: Work[] = [];
  for (const loop of loops) {
    for (const step of loop) {
      keys.push(...step.keys);
      args.push(...step.args);
      if (step.wakes !== undefined) due.push(...step.wakes);
    }
  }
  return {keys, args, due};
}

/**
 * Returns a function that finds the position of the first event about a resource. Most commits have one
 * event.
 */
function buildEventIndexFinder(events: readonly EventDraft[]): WriteContext['eventAbout'] {
  if (events.length < 2) return () => 0;
  const indices = new Map<IdSuffix, number>();
  for (const [index, {about}] of events.entries()) if (!indices.has(about)) indices.set(about, index);
  return (about) => indices.get(about) ?? 0;
}

/**
 * Returns the effect of a commit on memory. A commit without changes stores at most the answer to its
 * idempotency key.
 */
function findCommitEffect({effect = 'growth', writes, events}: Commit): CommitEffect {
  return writes.length + events.length === 0 ? 'release' : effect;
}

type CommitEffect = NonNullable<Commit['effect']>;

/**
 * True if the storage limit of the workspace applies to this commit. It does not apply to commits of the
 * service itself and of the operator.
 */
function countsAgainstShare({entryPoint}: CommitTerms): boolean {
  return entryPoint !== undefined && entryPoint !== 'system' && entryPoint !== 'cli';
}

/** Steps with the same shape, which share one loop. */
type Loop = readonly [Step, ...Step[]];

function groupStepsIntoLoops(
  context: WriteContext,
  terms: CommitTerms,
  {guards, writes, events, reply}: Commit,
  share: number,
): Loop[] {
  const {keys} = context;
  const loops: Loop[] = [];
  groupStepsByShape(
    loops,
    guards.map((guard) => createGuardStep(keys, guard)),
  );
  const steps = (part: readonly Write[]) => part.map((write) => createWriteStep(write, context));
  // Writes do not depend on each other, except that `erase-revisions` must also delete what the same commit
  // adds.
  const isLast = (write: Write) => write.do === 'erase-revisions';
  if (writes.some(isLast)) {
    groupStepsByShape(loops, steps(writes.filter((write) => !isLast(write))));
    groupStepsByShape(loops, steps(writes.filter(isLast)));
  } else groupStepsByShape(loops, steps(writes));
  if (events.length > 0) {
    const acting = createActor(terms);
    const actor = acting === undefined ? '' : formatActor(acting);
    groupStepsByShape(loops, events.map(createEventStep(keys, events, actor)));
    loops.push([createWakeStep(keys)]);
  }
  if (terms.idempotency !== undefined)
    loops.push([createKeepAnswerStep(terms.idempotency, reply, events.length === 0 ? share : 0)]);
  return loops;
}

/**
 * Groups steps by shape. The shapes are sorted, because callers choose the order of steps, and each order
 * would need its own script.
 */
function groupStepsByShape(loops: Loop[], steps: Step[]): void {
  // Sorting keeps the order of equal steps.
  if (steps.length > 1) steps.sort(compareStepShapes);
  let loop: [Step, ...Step[]] | undefined;
  for (const step of steps) {
    if (loop?.[0].shape === step.shape) loop.push(step);
    else loops.push((loop = [step]));
  }
}

function compareStepShapes({shape: one}: Step, {shape: other}: Step): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * Joins a check that occurs twice into one step, so that the commit needs no loop. This is common for posts:
 * two lists must be empty, or two records unchanged.
 */
function joinRepeatedCheck(loops: readonly Loop[]): readonly Loop[] {
  const repeated = loops.filter(({length}) => length > 1);
  const [[one, other, more] = []] = repeated;
  if (repeated.length !== 1 || one === undefined || other === undefined || more !== undefined) return loops;
  const joined = joinCheckSteps(one, other);
  return joined === undefined ? loops : loops.map((loop) => (loop.length > 1 ? [joined] : loop));
}

interface Form {
  readonly effect: CommitEffect;
  readonly isPlain: boolean;
}

function generateScript(conditions: Step, loops: readonly Loop[], {effect, isPlain}: Form): string {
  const check = conditions.check?.(
    (n) => `KEYS[${n + 1}]`,
    (n) => `ARGV[${clockArgCount + n + 1}]`,
  );
  const at = {key: conditions.keys.length, arg: clockArgCount + conditions.args.length};
  const passes = isPlain
    ? [...generateStepsWithoutLoops('check', loops, at), ...generateStepsWithoutLoops('write', loops, at)]
    : [
        'local atKey, atArg',
        ...generateStepsInLoops('check', loops, at),
        ...generateStepsInLoops('write', loops, at),
      ];
  const counts = conditions.write?.(
    (n) => `KEYS[${n + 1}]`,
    () => '',
  );
  if (counts !== undefined) passes.push(counts);
  if (effect !== 'release') passes.push(countGrowth);
  const body = [check ?? '', ...passes, `return {${status.committed}, now, quota, sequence}`].join('\n');
  // On a full store, Redis refuses scripts without this flag.
  const head = effect === 'release' ? '#!lua flags=allow-oom' : '#!lua';
  return [head, ...listUsedPreludeParts(body), body].join('\n');
}

/** The Lua that adds the last argument to the memory that the workspace uses. */
const countGrowth = `redis.call('HINCRBY', headKey, 'bytes', ARGV[#ARGV])`;

/**
 * Returns the memory that a commit adds to its workspace, which is roughly its size and the cost of each key.
 * A later measurement corrects it (workspace-bytes.ts). It is calculated here because the store would take
 * longer.
 */
function estimateAddedBytes({keys, args}: Pick<Program, 'keys' | 'args'>): number {
  let grown = 100 * keys.length;
  for (const arg of args) grown += arg.length < shortText ? arg.length : Buffer.byteLength(arg);
  return grown;
}

/**
 * The length below which a text has about as many bytes as characters, so that its bytes need not be counted.
 */
const shortText = 64;

interface Offsets {
  readonly key: number;
  readonly arg: number;
}

/** Generates the Lua of steps that occur once each. All positions of keys and arguments are known. */
function generateStepsWithoutLoops(what: 'check' | 'write', loops: readonly Loop[], from: Offsets): string[] {
  let {key, arg} = from;
  return loops.map(([step]) => {
    const [firstKey, firstArg] = [key + 1, arg + 1];
    key += step.keys.length;
    arg += step.args.length;
    const code = step[what]?.(
      (n) => `KEYS[${firstKey + n}]`,
      (n) => `ARGV[${firstArg + n}]`,
    );
    return code === undefined ? '' : `do\n${code.trim()}\nend`;
  });
}

/**
 * Generates the Lua of steps in loops. The first arguments are the numbers of steps, from which all positions
 * follow.
 */
function generateStepsInLoops(
  what: 'check' | 'write',
  loops: readonly Loop[],
  {key: keys, arg: counts}: Offsets,
): string[] {
  return [
    `atKey, atArg = ${keys}, ${counts + loops.length}`,
    ...loops.map(([step], i) => {
      const count = `ARGV[${counts + i + 1}]`;
      const code = step[what]?.(
        (n) => `KEYS[atKey + ${n + 1}]`,
        (n) => `ARGV[atArg + ${n + 1}]`,
      );
      const [ofKeys, ofArgs] = [step.keys.length, step.args.length];
      if (code === undefined) {
        return `atKey, atArg = atKey + ${ofKeys} * ${count}, atArg + ${ofArgs} * ${count}`;
      }
      return `for _ = 1, ${count} do\n${code.trim()}\natKey, atArg = atKey + ${ofKeys}, atArg + ${ofArgs}\nend`;
    }),
  ];
}

const time = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
${quotaLocals}`.trim();

/**
 * The Lua functions for ids and instants by the clock of Redis, like those in domain/core/ids.ts and
 * dates.ts. The caller sends the text for the expected second, and the script calculates it only if that
 * second is wrong.
 */
const prelude = {
  stamp: `
local stamp = ARGV[2]
do
  local alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  local low = now % 1024
  local high = (now - low) / 1024
  if high ~= tonumber(ARGV[1]) then
    stamp = ''
    for _ = 1, 8 do
      local digit = high % 32
      stamp = string.sub(alphabet, digit + 1, digit + 1) .. stamp
      high = (high - digit) / 32
    end
  end
  local last = low % 32
  local before = (low - last) / 32
  stamp = stamp .. string.sub(alphabet, before + 1, before + 1) .. string.sub(alphabet, last + 1, last + 1)
end`,
  instant: `
local instant = ARGV[4]
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
  instant = string.format('%04d-%02d-%02dT%02d:%02d:%02d.', year, month, day,
    math.floor(rest / 3600), math.floor(rest / 60) % 60, rest % 60)
end
instant = instant .. string.format('%03dZ', now % 1000)`,
  'countErased(': `
local function countErased(head, key)
  local used = redis.pcall('MEMORY', 'USAGE', key)
  if type(used) == 'number' then redis.call('HINCRBY', head, 'bytes', -used) end
end`,
  'revision(': `
local function revision(key)
  local tail = redis.call('GETRANGE', key, -${revisionTail}, -1)
  return string.match(tail, '"revision":(%d+),"created_at":"[^"]+","updated_at":"[^"]+"}$')
end`,
};

/** Returns the Lua functions that a script uses. Unused ones would cost time in each run. */
function listUsedPreludeParts(body: string): string[] {
  const used = Object.entries(prelude).filter(([name]) => body.includes(name));
  return [time, ...used.map(([, source]) => source.trim())];
}

const clockArgCount = 4;

/**
 * Creates the arguments that `stamp` and `instant` use: the beginnings of ids and instants for the expected
 * time (ms). They are cached while they are right.
 */
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
