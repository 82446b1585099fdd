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
import type {Step, WriteContext} from './step.js';
import {countSignIn, createKeepAnswerStep, buildTermSteps, writeAgain} from './term-steps.js';
import {createWriteStep} from './write-steps.js';
import {beginCommitLua, countGrowthLua, finishCommitLua} from '../core/compiled/lua.js';
import {workspaceKeys} from '../core/keys.js';
import {declareConstants, type Fragment, type Script, script} from '../core/script.js';

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
 * no limit. `confirms`: replicas confirm commits, so every commit writes something.
 */
export function createCommitCompiler(
  retention: Retention = standardRetention,
  share = 0,
  confirms = false,
): CompileCommit {
  const scripts = createCache<Script>(processBounds.commitScripts);
  const clockArgs = createClockArgs();

  return function compileCommit(terms, commit, {expected, notAfter}) {
    const keys = workspaceKeys(terms.workspace);
    const trace = terms.trace?.sampled === true ? terms.trace : undefined;
    const around = {keys, retention, eventAbout: buildEventIndexFinder(commit.events), trace};
    const effect = findCommitEffect(commit);
    const {lets, finishes = false} = commit;
    const bound = countsAgainstShare(terms) ? share : 0;
    const conditions = buildTermSteps(keys, terms, {
      notAfter,
      share: effect === 'growth' ? bound : 0,
      lets,
      finishes,
      confirms,
    });
    const loops = groupStepsIntoLoops(around, terms, commit, bound);
    if (effect === 'growth' && bound > 0 && lets !== undefined) loops.push([countSignIn]);
    if (effect === 'release' && confirms) loops.push([writeAgain]);
    const isPlain = hasNoLoop(loops);
    const steps = loops.flat();
    let shape = `${effect}|${isPlain}`;
    for (const step of conditions) shape += `|${step.shape}`;
    for (const step of isPlain ? steps : loops.map(([first]) => first)) shape += `|${step.shape}`;
    let compiled = scripts.get(shape);
    if (compiled === undefined) {
      compiled = script(generateScript(conditions, loops, {effect, isPlain}));
      scripts.set(shape, compiled);
    }
    const counts = isPlain ? [] : loops.map(({length}) => String(length));
    const parts = collectKeysAndArgs(conditions, steps, clockArgs(expected), counts);
    const args = effect === 'release' ? parts.args : [...parts.args, String(estimateAddedBytes(parts))];
    return {script: compiled, ...parts, args};
  };
}

/** Returns the keys and arguments in the order that the script expects, and the work that it makes due. */
function collectKeysAndArgs(
  conditions: readonly Step[],
  steps: readonly Step[],
  clock: readonly string[],
  counts: readonly string[],
): Omit<Program, 'script'> {
  const keys: string[] = [];
  const args = [...clock];
  const due: Work[] = [];
  for (const step of conditions) {
    keys.push(...step.keys);
    args.push(...step.args);
  }
  args.push(...counts);
  for (const step of steps) {
    keys.push(...step.keys);
    args.push(...step.args);
    if (step.wakes !== undefined) due.push(...step.wakes);
  }
  return {keys, args, due};
}

/** Returns a function that finds the position of the first event about a resource. */
function buildEventIndexFinder(events: readonly EventDraft[]): WriteContext['eventAbout'] {
  if (events.length < 2) return () => 0;
  const indices = new Map<IdSuffix, number>();
  for (const [index, {about}] of events.entries()) if (!indices.has(about)) indices.set(about, index);
  return (about) => indices.get(about) ?? 0;
}

/** Returns a commit's effect on memory. A commit without changes stores at most the answer to its key. */
function findCommitEffect({effect = 'growth', writes, events}: Commit): CommitEffect {
  return writes.length + events.length === 0 ? 'release' : effect;
}

type CommitEffect = NonNullable<Commit['effect']>;

/** True if the workspace's storage limit applies. It does not limit the service itself and the operator. */
function countsAgainstShare({entryPoint, token}: CommitTerms): boolean {
  // The operator's commands have no token, unlike those of people.
  if (entryPoint === 'cli') return token !== undefined;
  return entryPoint !== undefined && entryPoint !== 'system';
}

/** Steps with the same shape, which share one loop. */
type Loop = readonly [Step, ...Step[]];

function groupStepsIntoLoops(
  context: WriteContext,
  terms: CommitTerms,
  {guards, writes, events, reply}: Commit,
  share: number,
): Loop[] {
  const {keys, trace} = context;
  const loops: Loop[] = [];
  groupStepsByShape(
    loops,
    guards.map((guard) => createGuardStep(keys, guard)),
  );
  const steps = (part: readonly Write[]) => part.map((write) => createWriteStep(write, context));
  // Writes do not depend on each other, but `erase-revisions` also deletes what this commit adds.
  const isLast = (write: Write) => write.do === 'erase-revisions';
  if (writes.some(isLast)) {
    groupStepsByShape(loops, steps(writes.filter((write) => !isLast(write))));
    groupStepsByShape(loops, steps(writes.filter(isLast)));
  } else groupStepsByShape(loops, steps(writes));
  if (events.length > 0) {
    const acting = createActor(terms);
    const actor = acting === undefined ? '' : formatActor(acting);
    groupStepsByShape(loops, events.map(createEventStep(keys, events, actor, trace)));
    loops.push([createWakeStep(keys)]);
  }
  if (terms.idempotency !== undefined)
    loops.push([createKeepAnswerStep(terms.idempotency, reply, events.length === 0 ? share : 0)]);
  return loops;
}

/** Groups steps by shape, in sorted order: callers choose the order, and each would need its own script. */
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
 * True if the script repeats each step in full. A check may occur twice, which is common for posts: two lists
 * must be empty, or two records unchanged.
 */
function hasNoLoop(loops: readonly Loop[]): boolean {
  const [repeated, another] = loops.filter(({length}) => length > 1);
  if (repeated === undefined) return true;
  return another === undefined && repeated.length === 2 && repeated[0].write === undefined;
}

interface Form {
  readonly effect: CommitEffect;
  readonly isPlain: boolean;
}

function generateScript(
  conditions: readonly Step[],
  loops: readonly Loop[],
  {effect, isPlain}: Form,
): string {
  const at = {key: 0, arg: clockArgCount};
  const [readHead = '', ...checks] = conditions.map((step) =>
    bindNames(step.check, step, findPositions(step, at)),
  );
  const generate = isPlain ? generateStepsWithoutLoops : generateStepsInLoops;
  const body = [
    ...checks,
    ...(isPlain ? [] : ['local atKey, atArg']),
    ...generate('check', loops, {...at}),
    ...generate('write', loops, {...at}),
    ...(effect === 'release' ? [] : [`local bytes = ARGV[#ARGV]\n${countGrowthLua.body}`]),
    finishCommitLua.body,
  ];
  const fragments = [...conditions, ...loops.map(([step]) => step)].flatMap(({check, write}) => [
    check,
    write,
  ]);
  const around = [countGrowthLua, finishCommitLua];
  const used = [beginCommitLua, ...fragments.filter((one) => one !== undefined), ...around];
  const constants = new Set(used.flatMap((one) => [...one.constants]));
  const includes = new Set(used.flatMap((one) => [...one.includes]));
  // On a full store, Redis refuses scripts without this flag.
  const head = effect === 'release' ? '#!lua flags=allow-oom\n' : '#!lua\n';
  // The includes use what the first step reads.
  const begin = [...beginCommitLua.includes, beginCommitLua.body, readHead, ...includes];
  return head + declareConstants(constants) + [...new Set(begin), ...body].join('\n');
}

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

/** The length below which bytes are not counted, because a text has about as many bytes as characters. */
const shortText = 64;

/** The Lua of a key and of an argument of a step, by its position. */
interface Positions {
  readonly key: (n: number) => string;
  readonly arg: (n: number) => string;
}

interface Offsets {
  key: number;
  arg: number;
}

/** Returns the known positions of a step, and moves the offsets behind it. */
function findPositions({keys, args}: Step, at: Offsets): Positions {
  const [firstKey, firstArg] = [at.key + 1, at.arg + 1];
  at.key += keys.length;
  at.arg += args.length;
  return {key: (n) => `KEYS[${firstKey + n}]`, arg: (n) => `ARGV[${firstArg + n}]`};
}

/** Returns the Lua of a fragment after local variables for its keys and arguments. */
function bindNames(fragment: Fragment | undefined, step: Step, {key, arg}: Positions): string {
  if (fragment === undefined) return '';
  const keys = step.keys.map((_, n) => key(n));
  const args = step.args.map((_, n) => arg(n));
  const fixed = (step.fixed ?? []).map((value) => JSON.stringify(value));
  const names = [declareNames(fragment.keys, keys), declareNames(fragment.args, args)];
  return [...names, declareNames(fragment.fixed, fixed), fragment.body].join('');
}

function declareNames(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return '';
  const found = names.map((name, i) =>
    name.endsWith('...') ? `{${values.slice(i).join(', ')}}` : (values[i] ?? 'nil'),
  );
  return `local ${names.join(', ').replace('...', '')} = ${found.join(', ')}\n`;
}

/** Generates the Lua of steps that are not repeated. All positions of keys and arguments are known. */
function generateStepsWithoutLoops(what: 'check' | 'write', loops: readonly Loop[], at: Offsets): string[] {
  return loops.flat().map((step) => {
    const positions = findPositions(step, at);
    return step[what] === undefined ? '' : `do\n${bindNames(step[what], step, positions)}\nend`;
  });
}

/** Generates the Lua of loops. All positions follow from the first arguments, the numbers of steps. */
function generateStepsInLoops(
  what: 'check' | 'write',
  loops: readonly Loop[],
  {key: keys, arg: counts}: Offsets,
): string[] {
  const positions = {
    key: (n: number) => `KEYS[atKey + ${n + 1}]`,
    arg: (n: number) => `ARGV[atArg + ${n + 1}]`,
  };
  return [
    `atKey, atArg = ${keys}, ${counts + loops.length}`,
    ...loops.map(([step], i) => {
      const count = `ARGV[${counts + i + 1}]`;
      const [ofKeys, ofArgs] = [step.keys.length, step.args.length];
      if (step[what] === undefined) {
        return `atKey, atArg = atKey + ${ofKeys} * ${count}, atArg + ${ofArgs} * ${count}`;
      }
      const lua = bindNames(step[what], step, positions);
      return `for _ = 1, ${count} do\n${lua}\natKey, atArg = atKey + ${ofKeys}, atArg + ${ofArgs}\nend`;
    }),
  ];
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
