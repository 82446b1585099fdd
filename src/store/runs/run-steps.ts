import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {Connection} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';

/** What is known of looks at the schedule of a team. */
export interface Look {
  /** How often one has been asked for or a step been done: a plan that is made of what was read later is void when this has grown. */
  readonly asked: number;
  /** What was due until then (ms) is settled. */
  readonly from: number;
}

/** Looks at the schedules of teams, and the steps of their runs (drawn halves of ids) that are taken. */
export interface RunSteps {
  findLook: (
    workspace: Id<'workspace'>,
    team: IdSuffix<'team'>,
    deadline: number,
  ) => Promise<Look | undefined>;
  /** When each of these steps was taken (ms); undefined for those that are not. */
  findTaken: (
    workspace: Id<'workspace'>,
    run: IdSuffix<'run'>,
    steps: readonly string[],
    deadline: number,
  ) => Promise<(number | undefined)[]>;
}

export function createRunSteps({call}: Pick<Connection, 'call'>): RunSteps {
  return {
    async findLook(workspace, team, deadline) {
      const key = workspaceKeys(workspace).looks();
      const found = await call<string | null>(deadline, ['HGET', key, team]);
      // As the scripts read it: what they cannot read counts as not there, or no plan would ever match it.
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
