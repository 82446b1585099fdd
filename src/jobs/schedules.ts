import type {Perform} from '../domain/core/work.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';

/** Does the due steps of a team's runs one by one. The service records when the next step is due. */
export function createSchedulePerformer({
  advance,
}: {
  /** Does one step. Returns true when there may be more. */
  readonly advance: (workspace: Id<'workspace'>, team: IdSuffix<'team'>) => Promise<boolean>;
}): Perform<{kind: 'schedule'; team: IdSuffix<'team'>}> {
  return async function workOnSchedule({workspace, work: {team}, until}) {
    while (await advance(workspace, team)) {
      if (performance.now() >= until) return {more: true};
    }
    return {more: false};
  };
}
