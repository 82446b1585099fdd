import type {Services} from '../../service/services.js';
import {type Route, route} from '../http/route.js';
import {
  previewQuerySchema,
  scheduleDraftSchema,
  schedulePreviewSchema,
  usualRuns,
} from './preview-schemas.js';

const path = '/v1/teams/{team}/schedule/preview';

export function schedulePreviewRoutes({schedulePreviews}: Pick<Services, 'schedulePreviews'>): Route[] {
  return [
    route({
      method: 'GET',
      path,
      operation: 'previewSchedule',
      tag: 'Teams',
      summary: 'See the next runs of a team',
      description:
        "When its runs open, remind and close: in UTC, by the team's clocks, and by those of each of its members.",
      scope: 'teams:read',
      query: previewQuerySchema,
      success: {status: 200, schema: schedulePreviewSchema, tagged: false},
      errors: ['not_found'],
      handle: async ({call, params, query: {limit = usualRuns, from}}) => {
        const preview = await schedulePreviews.previewSchedule(call, params['team'] ?? '', {limit, from});
        return {status: 200, body: JSON.stringify(preview)};
      },
    }),
    route({
      method: 'POST',
      path,
      operation: 'previewScheduleDraft',
      tag: 'Teams',
      summary: 'See the runs that a schedule would make',
      description:
        'The next runs that the team would have by this schedule, also while it is paused; with `timezone`, by the clocks of that one. Nothing is saved: it needs no idempotency key, counts as no write, and whoever may read the team may ask.',
      scope: 'teams:read',
      query: previewQuerySchema,
      onlyReads: true,
      body: scheduleDraftSchema,
      success: {status: 200, schema: schedulePreviewSchema, tagged: false},
      errors: ['not_found'],
      handle: async ({call, params, query: {limit = usualRuns, from}, body}) => {
        const asked = {limit, from, ...body};
        const preview = await schedulePreviews.previewSchedule(call, params['team'] ?? '', asked);
        return {status: 200, body: JSON.stringify(preview)};
      },
    }),
  ];
}
