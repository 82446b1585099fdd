import type {IdSuffix} from '../../domain/core/ids.js';
import type {Retention} from '../../domain/core/limits.js';
import type {Work} from '../../domain/core/work.js';
import type {AnyKey, WorkspaceKeys} from '../core/keys.js';

/**
 * One step of a commit: its keys and arguments, and the Lua that uses them. `shape` names everything the Lua
 * depends on, so that commits of one shape share one compiled script. All `check`s run before the first
 * `write`: Redis does not roll back. The one thing a check writes is the quota, which stays used whatever
 * becomes of the commit.
 */
export interface Step {
  readonly shape: string;
  readonly keys: readonly AnyKey[];
  readonly args: readonly string[];
  check?: (key: (n: number) => string, arg: (n: number) => string) => string;
  write?: (key: (n: number) => string, arg: (n: number) => string) => string;
  /** Work that the Lua makes due now, of which a process with a worker is told when the commit is made. */
  readonly wakes?: readonly Work[];
}

/** The facts that the step of a write depends on besides the write. */
export interface Around {
  readonly keys: WorkspaceKeys;
  /** The records that events tell of stay as long as the events. */
  readonly retention: Retention;
  /** The place among the events of the commit of the first about a resource; 0 where none is. */
  readonly eventAbout: (about: IdSuffix) => number;
}

/** The steps of a family of writes: one for each kind, so that a kind without one does not compile. */
export type StepsOf<W extends {readonly do: string}> = {
  readonly [K in W['do']]: (write: Extract<W, {readonly do: K}>, around: Around) => Step;
};

/** Status words of a reply; the script returns `[status, now, quota, detail?]`. */
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

/** The answer of a step when an assumption of the plan no longer holds. */
export const stale = `return {${status.stale}, now, quota}`;

/** A step that checks nothing. */
export function simple(
  shape: string,
  keys: readonly AnyKey[],
  args: readonly string[],
  write: NonNullable<Step['write']>,
): Step {
  return {shape, keys, args, write};
}

/** Two steps of one shape that check and write nothing, as one. */
export function joinChecks(one: Step, other: Step): Step | undefined {
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

/** A step with the work that it makes due now. */
export function waking(work: Work, step: Step): Step {
  return {...step, wakes: [work]};
}
