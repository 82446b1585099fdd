import type {Perform} from '../domain/core/work.js';
import type {IdSuffix} from '../domain/core/ids.js';
import {createSystemCall, type JobContext} from './context.js';

/** Does the due steps of a team's runs one by one. The service records when the next step is due. */
export function createSchedulePerformer({
  services,
}: JobContext): Perform<{kind: 'schedule'; team: IdSuffix<'team'>}> {
  return async function workOnSchedule({workspace, work: {team}, until}) {
    while (await services.runs.advanceRuns(createSystemCall(workspace), team)) {
      if (performance.now() >= until) return {more: true};
    }
    return {more: false};
  };
}
