import type {Perform, Work} from '../domain/work.js';

export interface PurgeTeamParts {
  /** Removes a bounded number of a deleted team's standups; true while there are more. */
  readonly purgeSome: (workspace: string, team: string) => Promise<boolean>;
  /** Takes the work out of the ready set. */
  readonly settle: (workspace: string, work: Work) => Promise<void>;
}

/** Removes what a deleted team has left behind, a batch at a time; starts again where it was after any interruption. */
export function createPurgeTeam({
  purgeSome,
  settle,
}: PurgeTeamParts): Perform<{kind: 'purge-team'; team: string}> {
  return async function purgeTeam({workspace, work, until}) {
    while (await purgeSome(workspace, work.team)) {
      if (performance.now() >= until) return {more: true};
    }
    await settle(workspace, work);
    return {more: false};
  };
}
