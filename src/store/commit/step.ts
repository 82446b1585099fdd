import type {IdSuffix} from '../../domain/core/ids.js';
import type {Retention} from '../../domain/core/limits.js';
import type {Work} from '../../domain/core/work.js';
import type {AnyKey, WorkspaceKeys} from '../core/keys.js';

/**
 * One step of a commit: its keys and arguments, and the Lua that uses them. `shape` names everything the Lua
 * depends on, so that commits of one shape share one compiled script. All `check`s run before the first
 * `write`: Redis does not roll back. A check writes only the quota, which stays used even if the commit
 * fails.
 */
export interface Step {
  readonly shape: string;
  readonly keys: readonly AnyKey[];
  readonly args: readonly string[];
  check?: (key: (n: number) => string, arg: (n: number) => string) => string;
  write?: (key: (n: number) => string, arg: (n: number) => string) => string;
  /** Work that the Lua makes due now; a process with a worker is notified of it after the commit. */
  readonly wakes?: readonly Work[];
}

/** The facts that the step of a write needs besides the write. */
export interface WriteContext {
  readonly keys: WorkspaceKeys;
  /** The records that events refer to stay as long as the events. */
  readonly retention: Retention;
  /** The position of the first event about a resource among the commit's events; 0 when there is none. */
  readonly eventAbout: (about: IdSuffix) => number;
}

/** The steps of a family of writes, one for each kind: a kind without one does not compile. */
export type StepsOf<W extends {readonly do: string}> = {
  readonly [K in W['do']]: (write: Extract<W, {readonly do: K}>, context: WriteContext) => Step;
};

/** Status codes of a reply; the script returns `[status, now, quota, detail?]`. */
export const status = {
  committed: 0,
  kept: 1,
  stale: 2,
  tokenDead: 3,
  tooLate: 4,
  storeLost: 5,
  overQuota: 6,
  workspaceFull: 7,
} as const;

/** A step's reply when an assumption of the plan no longer holds. */
export const stale = `return {${status.stale}, now, quota}`;

/** A step that checks nothing. */
export function createWriteOnlyStep(
  shape: string,
  keys: readonly AnyKey[],
  args: readonly string[],
  write: NonNullable<Step['write']>,
): Step {
  return {shape, keys, args, write};
}

/** Joins two steps of one shape that only check; undefined for steps that write. */
export function joinCheckSteps(one: Step, other: Step): Step | undefined {
  const {check} = one;
  if (check === undefined || one.write !== undefined) return undefined;
  return {
    shape: `two:${one.shape}`,
    keys: [...one.keys, ...other.keys],
    args: [...one.args, ...other.args],
    check: (key, arg) =>
      `${check(key, arg)}\n${check(
        (n) => key(one.keys.length + n),
        (n) => arg(one.args.length + n),
      )}`,
  };
}

/** Adds to a step the work that it makes due now. */
export function addWorkToWake(work: Work, step: Step): Step {
  return {...step, wakes: [work]};
}
