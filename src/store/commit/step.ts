import type {IdSuffix} from '../../domain/core/ids.js';
import type {Retention} from '../../domain/core/limits.js';
import type {Work} from '../../domain/core/work.js';
import type {AnyKey, WorkspaceKeys} from '../core/keys.js';

/**
 * One step of a commit: its keys, its arguments, and the Lua that uses them. Steps with the same `shape` have
 * the same Lua, so that commits can share scripts. All checks run before the first write, because Redis does
 * not roll back. Only the quota is written during checks, and stays used if the commit fails.
 */
export interface Step {
  readonly shape: string;
  readonly keys: readonly AnyKey[];
  readonly args: readonly string[];
  check?: (key: (n: number) => string, arg: (n: number) => string) => string;
  write?: (key: (n: number) => string, arg: (n: number) => string) => string;
  /** The work that the Lua makes due. A worker in this process is told about it after the commit. */
  readonly wakes?: readonly Work[];
}

/** Facts about the whole commit that the steps of its writes need. */
export interface WriteContext {
  readonly keys: WorkspaceKeys;
  /** The lifetime of events, and of the records that they refer to. */
  readonly retention: Retention;
  /**
   * Returns the position of the first event about a resource among the events of the commit; 0 when there is
   * none.
   */
  readonly eventAbout: (about: IdSuffix) => number;
}

/** The steps for a family of writes. A kind of write without a step does not compile. */
export type StepsOf<W extends {readonly do: string}> = {
  readonly [K in W['do']]: (write: Extract<W, {readonly do: K}>, context: WriteContext) => Step;
};

/** The status codes of a script's answer, which is `[status, now, quota, detail?]`. */
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

/** The Lua that returns when an assumption of the plan is no longer true. */
export const stale = `return {${status.stale}, now, quota}`;

/** Creates a step that only writes. */
export function createWriteOnlyStep(
  shape: string,
  keys: readonly AnyKey[],
  args: readonly string[],
  write: NonNullable<Step['write']>,
): Step {
  return {shape, keys, args, write};
}

/** Joins two steps of the same shape that only check; undefined for steps that write. */
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

/** Adds to a step the work that it makes due. */
export function addWorkToWake(work: Work, step: Step): Step {
  return {...step, wakes: [work]};
}
