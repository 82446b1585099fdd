import type {Services} from '../../service/services.js';
import {type Route, defineRoute} from '../http/route.js';
import {schedulePreviewSchema} from '../../domain/schedules/schedule-preview.js';
import {previewQuerySchema, scheduleDraftSchema, usualRuns} from './preview-schemas.js';

const path = '/v1/teams/{team}/schedule/preview';

export function createSchedulePreviewRoutes({schedulePreviews}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      operation: 'previewSchedule',
      tag: 'Teams',
      summary: 'Preview the next runs of a team',
      description:
        "Returns when the runs open, remind and close: in UTC, in the team's zone, and in the zone of each of its members.",
      scope: 'teams:read',
      query: previewQuerySchema,
      success: {status: 200, schema: schedulePreviewSchema, tagged: false},
      errors: ['not_found'],
      handle: async ({call, params, query: {limit = usualRuns, from}}) => {
        const preview = await schedulePreviews.previewSchedule(call, params['team'] ?? '', {limit, from});
        return {status: 200, body: JSON.stringify(preview)};
      },
    }),
    defineRoute({
      method: 'POST',
      path,
      operation: 'previewScheduleDraft',
      tag: 'Teams',
      summary: 'Preview the runs of a schedule',
      description:
        'Returns the next runs of the team under this schedule, even while the team is paused. With `timezone`, times are in that zone. Nothing is saved: the request needs no idempotency key and does not count as a write. Every caller who can read the team can send it.',
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
