import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {RedisCommands} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';

/** The state of the schedule checks of a team. */
export interface ScheduleScan {
  /** The number of requested checks and taken steps. If it has grown, an earlier plan is invalid. */
  readonly asked: number;
  /** The instant (ms) up to which all due steps are done. */
  readonly from: number;
}

/** Reads the state of teams' schedule checks, and the taken steps of their runs (id suffixes). */
export function createRunSteps({call}: RedisCommands) {
  return {
    async findLook(
      workspace: Id<'workspace'>,
      team: IdSuffix<'team'>,
      deadline: number,
    ): Promise<ScheduleScan | undefined> {
      const key = workspaceKeys(workspace).looks();
      const found = await call<string | null>(deadline, ['HGET', key, team]);
      // An unreadable value counts as missing, as in the scripts. Otherwise every plan would look outdated.
      const [, asked, from] = /^(\d+) (\d+)$/.exec(found ?? '') ?? [];
      return asked === undefined ? undefined : {asked: Number(asked), from: Number(from)};
    },
    /** Returns when each of these steps was taken (ms); undefined for steps that were not taken. */
    async findTaken(
      workspace: Id<'workspace'>,
      run: IdSuffix<'run'>,
      steps: readonly string[],
      deadline: number,
    ): Promise<(number | undefined)[]> {
      if (steps.length === 0) return [];
      const key = workspaceKeys(workspace).runSteps(run);
      const found = await call<(string | null)[]>(deadline, ['HMGET', key, ...steps]);
      return found.map((at) => (at === null ? undefined : Number(at)));
    },
  };
}
