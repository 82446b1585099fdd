import type {IdSuffix} from '../../domain/core/ids.js';
import type {Retention} from '../../domain/core/limits.js';
import type {TraceContext} from '../../domain/core/trace-context.js';
import type {Work} from '../../domain/core/work.js';
import type {AnyKey, WorkspaceKeys} from '../core/keys.js';
import type {Fragment} from '../core/script.js';

interface StepParts {
  readonly keys: readonly AnyKey[];
  readonly args: readonly string[];
  /** Values that the script contains. There must be few different ones, because each makes another script. */
  readonly fixed?: readonly (string | number)[];
  readonly check?: Fragment;
  readonly write?: Fragment;
  /** The work that the Lua makes due. A worker in this process is told about it after the commit. */
  readonly wakes?: readonly Work[];
}

/**
 * One step of a commit: its keys, its arguments, and the Lua that uses them (steps/*.lua). Steps with the same
 * `shape` have the same Lua, so that commits can share scripts. All checks run before the first write, because
 * Redis does not roll back. Only the quota is written during checks, and stays used if the commit fails.
 */
export interface Step extends StepParts {
  readonly shape: string;
}

export function createStep(parts: StepParts): Step {
  const {keys, args, fixed, check, write} = parts;
  const shape = `${check?.name ?? ''}/${write?.name ?? ''}/${keys.length}/${args.length}`;
  return {...parts, shape: fixed === undefined ? shape : `${shape}/${fixed.join('/')}`};
}

/** Creates a step that only checks. */
export function createGuard(check: Fragment, keys: readonly AnyKey[], args: readonly string[]): Step {
  return createStep({keys, args, check});
}

/** Creates a step that only writes. `work`: the work that it makes due. */
export function createPlainStep(
  write: Fragment,
  keys: readonly AnyKey[],
  args: readonly string[] = [],
  work?: Work,
): Step {
  return createStep({keys, args, write, ...(work !== undefined && {wakes: [work]})});
}

/** Facts about the whole commit that the steps of its writes need. */
export interface WriteContext {
  readonly keys: WorkspaceKeys;
  /** The lifetime of events, and of the records that they refer to. */
  readonly retention: Retention;
  /** Returns the position of the first event about a resource in the commit; 0 when there is none. */
  readonly eventAbout: (about: IdSuffix) => number;
  /** The span of the commit, if it is recorded. */
  readonly trace: TraceContext | undefined;
}

/** The steps for a family of writes. A kind of write without a step does not compile. */
export type StepsOf<W extends {readonly do: string}> = {
  readonly [K in W['do']]: (write: Extract<W, {readonly do: K}>, context: WriteContext) => Step;
};
