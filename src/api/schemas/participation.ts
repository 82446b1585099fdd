import {z} from 'zod';
import {limits} from '../../domain/limits.js';
import {runCountsSchema} from './runs.js';
import {date, formatParameter, id, pageParameters, reference} from './shared.js';

const days = {
  since: date.optional().meta({description: 'First date, inclusive.'}),
  until: date.optional().meta({description: 'Last date, inclusive.'}),
};

export const runQuerySchema = z.strictObject({
  ...pageParameters,
  ...days,
  state: z
    .enum(['open', 'closed', 'missed', 'cancelled'], 'must be "open", "closed", "missed" or "cancelled"')
    .optional()
    .meta({description: 'Only runs of this state.'}),
});

export const participationQuerySchema = z.strictObject({
  since: days.since.meta({
    description: `First date, inclusive: at most ${limits.participationDays} days before the last. 29 days before it when left out.`,
  }),
  until: days.until.meta({description: "Last date, inclusive; today in the team's zone when left out."}),
});

export const participationExportSchema = z.strictObject({
  format: formatParameter,
  team: reference.meta({description: 'Id or slug of a team, in any case.'}),
  ...participationQuerySchema.shape,
});

export const participationSchema = z
  .object({
    object: z.literal('participation'),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    since: date,
    until: date,
    counts: runCountsSchema,
    by_date: z
      .array(z.object({date, run: id('run'), counts: runCountsSchema}))
      .meta({description: 'The earliest first.'}),
    by_member: z
      .array(
        z.object({
          member: z.object({
            type: z.literal('member'),
            id: id('member'),
            name: z.string().nullable().meta({description: 'As it is now; null of somebody who is gone.'}),
          }),
          counts: runCountsSchema,
        }),
      )
      .meta({description: 'Whoever stands in one of the runs, by name.'}),
  })
  .meta({id: 'Participation', description: 'Who has taken part in the closed runs of a team.'});
