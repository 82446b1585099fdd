import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {RedisConnection} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';

/** The state of looks at the schedule of a team. */
export interface ScheduleScan {
  /**
   * How often a look was requested or a step was done: if this has grown, a plan based on an earlier read is
   * void.
   */
  readonly asked: number;
  /** Steps that were due until then (ms) are done. */
  readonly from: number;
}

/** Looks at the schedules of teams, and the taken steps of their runs (id suffixes). */
export interface RunSteps {
  findLook: (
    workspace: Id<'workspace'>,
    team: IdSuffix<'team'>,
    deadline: number,
  ) => Promise<ScheduleScan | undefined>;
  /** The time at which each of these steps was taken (ms); undefined for the others. */
  findTaken: (
    workspace: Id<'workspace'>,
    run: IdSuffix<'run'>,
    steps: readonly string[],
    deadline: number,
  ) => Promise<(number | undefined)[]>;
}

export function createRunSteps({call}: Pick<RedisConnection, 'call'>): RunSteps {
  return {
    async findLook(workspace, team, deadline) {
      const key = workspaceKeys(workspace).looks();
      const found = await call<string | null>(deadline, ['HGET', key, team]);
      // Parsed as in the scripts: an unreadable value counts as missing, or no plan would ever match it.
      const [, asked, from] = /^(\d+) (\d+)$/.exec(found ?? '') ?? [];
      return asked === undefined ? undefined : {asked: Number(asked), from: Number(from)};
    },
    async findTaken(workspace, run, steps, deadline) {
      if (steps.length === 0) return [];
      const key = workspaceKeys(workspace).runSteps(run);
      const found = await call<(string | null)[]>(deadline, ['HMGET', key, ...steps]);
      return found.map((at) => (at === null ? undefined : Number(at)));
    },
  };
}
