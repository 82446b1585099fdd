import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {runCountsSchema} from './schemas.js';
import {
  date,
  formatParameter,
  id,
  pageParameters,
  personParameter,
  personText,
  reference,
} from '../http/shared-schemas.js';

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
  order: z
    .enum(['asc', 'desc'], 'must be asc or desc')
    .optional()
    .meta({description: 'By date: `desc`, the latest first, when left out.'}),
});

const span = {
  since: days.since.meta({
    description: `First date, inclusive: at most ${limits.participationDays} days before the last. 29 days before it when left out.`,
  }),
  until: days.until.meta({description: "Last date, inclusive; today in the team's zone when left out."}),
};

const include = (shows: string) =>
  z
    .enum(['days'], 'must be "days"')
    .optional()
    .meta({description: `\`days\`: also ${shows}.`});

export const participationQuerySchema = z.strictObject({
  ...span,
  include: include(
    `how each of them stood on each date, with the reason of a day off, up to ${limits.participationCells.toLocaleString('en')} in one answer`,
  ),
});

export const memberParticipationQuerySchema = z.strictObject({
  ...span,
  until: days.until.meta({
    description:
      'Last date, inclusive; today, where it is latest for them or one of their teams, when left out.',
  }),
  include: include('how they stood on each date, with the reason of a day off'),
});

export const participationListSchema = z.strictObject({
  ...pageParameters,
  ...span,
  member: personParameter
    .optional()
    .meta({description: `Only teams that this member is in: ${personText}`, examples: ['me']}),
  include: include('the counts of each date'),
});

export const participationExportSchema = z.strictObject({
  format: formatParameter,
  team: reference.meta({description: 'Id or slug of a team, in any case.'}),
  ...span,
});

const memberSchema = z.object({
  type: z.literal('member'),
  id: id('member'),
  name: z.string().nullable().meta({description: 'As it is now; null of somebody who is gone.'}),
});

const teamNames = {
  team: z.string().meta({description: 'Slug of the team.'}),
  team_id: id('team'),
};

const byDateSchema = z
  .array(z.object({date, run: id('run'), counts: runCountsSchema}))
  .meta({description: 'The earliest first.'});

const daysSchema = z
  .array(
    z
      .object({
        date,
        status: z
          .string()
          .meta({description: 'As in a report: `posted`, `late`, `missed`, `unreachable`, `away` …'}),
        reason: z.string().nullable().meta({
          description:
            'Of a day off: what they, or the calendar, say; null where that is for leads alone (`reason_for` of the absence).',
        }),
      })
      .meta({id: 'ParticipationDay', description: 'How somebody stood on a date.'}),
  )
  .optional()
  .meta({description: 'The earliest first; with `include=days`.'});

export const participationSchema = z
  .object({
    object: z.literal('participation'),
    ...teamNames,
    since: date,
    until: date,
    counts: runCountsSchema,
    by_date: byDateSchema,
    by_member: z
      .array(z.object({member: memberSchema, counts: runCountsSchema, days: daysSchema}))
      .meta({description: 'Whoever stands in one of the runs, by name.'}),
  })
  .meta({id: 'Participation', description: 'Who has taken part in the closed runs of a team.'});

export const memberParticipationSchema = z
  .object({
    object: z.literal('member_participation'),
    member: memberSchema,
    since: date,
    until: date,
    counts: runCountsSchema,
    by_team: z
      .array(z.object({...teamNames, team_name: z.string(), counts: runCountsSchema, days: daysSchema}))
      .meta({description: 'The teams that they are in now, by name.'}),
  })
  .meta({
    id: 'MemberParticipation',
    description: 'How a member has taken part in the closed runs of their teams.',
  });

export const teamParticipationSchema = z
  .object({
    object: z.literal('team_participation'),
    ...teamNames,
    team_name: z.string(),
    since: date,
    until: date,
    counts: runCountsSchema,
    by_date: byDateSchema.optional().meta({description: 'The earliest first; with `include=days`.'}),
  })
  .meta({
    id: 'TeamParticipation',
    description: 'How many of a team have taken part in its closed runs, and nobody by name.',
  });
