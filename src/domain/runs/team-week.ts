import {z} from 'zod';
import {principal} from '../core/access.js';
import {date, id, type Infer} from '../core/schemas.js';
import {participationSchema} from './participation.js';
import {trendsSchema} from './trends.js';

const blockersSchema = z.object({
  raised: z.int().meta({description: 'Blockers raised in the week.'}),
  resolved: z.int().meta({description: 'Blockers resolved in the week and not raised again.'}),
  open: z
    .array(
      z.object({
        id: id('blocker'),
        author: principal,
        text: z.string(),
        since: date.meta({description: 'The date on which the blocker was raised.'}),
        days: z.int().meta({
          description:
            'The days from then to the last run of the week; without a run, to the end of the week or to today.',
        }),
      }),
    )
    .meta({description: 'Blockers raised until the end of the week that are still open, the oldest first.'}),
});

export const teamWeekSchema = z
  .object({
    object: z.literal('team_week'),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    monday: date,
    sunday: date,
    participation: participationSchema,
    blockers: blockersSchema,
    trends: trendsSchema.nullable().meta({
      description:
        'The trends of this week and the three weeks before, by week. Null if these weeks have too many standups for one answer.',
    }),
  })
  .meta({
    id: 'TeamWeek',
    description: 'The week of a team: its closed runs, who posted how often, its blockers and its trends.',
  });

/** The week of a team, as the page of the week shows it. */
export type TeamWeek = Infer<typeof teamWeekSchema>;

export type WeekBlockers = TeamWeek['blockers'];
