import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {timezone} from '../../domain/core/schemas.js';
import {newScheduleSchema, scheduleDate} from '../../domain/schedules/schedule.js';
import {countParameter} from '../http/shared-schemas.js';

export const scheduleDraftSchema = z
  .strictObject({
    schedule: newScheduleSchema,
    timezone: timezone.optional().meta({description: "The time zone. The default is the team's."}),
  })
  .meta({id: 'ScheduleDraft', description: 'A schedule to preview.'});

/** The number of runs in a preview when the request names none. */
export const usualRuns = 5;

export const previewQuerySchema = z.strictObject({
  limit: countParameter(
    'The number of runs. A team with more than 100 members gets fewer: a response names at most 5,000 members.',
    limits.previewRuns,
    usualRuns,
  ),
  from: scheduleDate.optional().meta({
    description:
      'The first date, which can be in the past. The default starts with the runs that have not opened yet, on dates without another run.',
  }),
});
