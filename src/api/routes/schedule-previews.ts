import type {Services} from '../../service/services.js';
import {type Route, route} from '../route.js';
import {previewQuerySchema, schedulePreviewSchema} from '../schemas/schedule-previews.js';

export function schedulePreviewRoutes({schedulePreviews}: Pick<Services, 'schedulePreviews'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/teams/{team}/schedule/preview',
      operation: 'previewSchedule',
      tag: 'Teams',
      summary: 'See the next runs of a team',
      description:
        "When its runs open, remind and close: in UTC, by the team's clocks, and by those of each of its members.",
      scope: 'teams:read',
      query: previewQuerySchema,
      success: {status: 200, schema: schedulePreviewSchema, tagged: false},
      errors: ['not_found'],
      handle: async ({call, params, query: {limit = 5, from}}) => {
        const preview = await schedulePreviews.previewSchedule(call, params['team'] ?? '', {limit, from});
        return {status: 200, body: JSON.stringify(preview)};
      },
    }),
  ];
}
