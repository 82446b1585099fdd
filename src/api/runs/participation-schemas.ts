import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {runCountsSchema} from './schemas.js';
import {date, id, reference} from '../../domain/core/schemas.js';
import {formatParameter, pageParameters, personParameter, personText} from '../http/shared-schemas.js';

const days = {
  since: date.optional().meta({description: 'The first date, inclusive.'}),
  until: date.optional().meta({description: 'The last date, inclusive.'}),
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
    .meta({description: 'The order by date: `desc`, the latest first (the default), or `asc`.'}),
});

const span = {
  since: days.since.meta({
    description: `The first date, inclusive, at most ${limits.participationDays} days before the last. The default is 29 days before the last.`,
  }),
  until: days.until.meta({description: "The last date, inclusive. The default is today in the team's zone."}),
};

const include = (shows: string) =>
  z
    .enum(['days'], 'must be "days"')
    .optional()
    .meta({description: `Related data to include. \`days\`: ${shows}.`});

export const participationQuerySchema = z.strictObject({
  ...span,
  include: include(
    `the status of each member on each date, with the reason of a day off, up to ${limits.participationCells.toLocaleString('en')} in one response`,
  ),
});

export const memberParticipationQuerySchema = z.strictObject({
  ...span,
  until: days.until.meta({
    description:
      'The last date, inclusive. The default is today: the latest date in their zone and the zones of their teams.',
  }),
  include: include('their status on each date, with the reason of a day off'),
});

export const participationListSchema = z.strictObject({
  ...pageParameters,
  ...span,
  member: personParameter
    .optional()
    .meta({description: `Only teams of this member, ${personText}`, examples: ['me']}),
  include: include('the status counts of each date'),
});

export const participationExportSchema = z.strictObject({
  format: formatParameter,
  team: reference.meta({description: 'Id or slug of a team. Case is ignored.'}),
  ...span,
});

const memberSchema = z.object({
  type: z.literal('member'),
  id: id('member'),
  name: z.string().nullable().meta({description: 'The current name. Null after the member is removed.'}),
});

const teamNames = {
  team: z.string().meta({description: 'Slug of the team.'}),
  team_id: id('team'),
};

const byDateSchema = z
  .array(z.object({date, run: id('run'), counts: runCountsSchema}))
  .meta({description: 'The dates, the earliest first.'});

const daysSchema = z
  .array(
    z
      .object({
        date,
        status: z.string().meta({
          description: 'The status, as in a report: `posted`, `late`, `missed`, `unreachable`, `away` …',
        }),
        reason: z.string().nullable().meta({
          description:
            'The reason of a day off, from the member or the calendar. Null if only leads can read it (`reason_for` of the absence).',
        }),
      })
      .meta({id: 'ParticipationDay', description: 'The status of a member on a date.'}),
  )
  .optional()
  .meta({description: 'The days, the earliest first; only with `include=days`.'});

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
      .meta({description: 'Every member who is in one of the runs, by name.'}),
  })
  .meta({id: 'Participation', description: 'The participation in the closed runs of a team.'});

export const memberParticipationSchema = z
  .object({
    object: z.literal('member_participation'),
    member: memberSchema,
    since: date,
    until: date,
    counts: runCountsSchema,
    by_team: z
      .array(z.object({...teamNames, team_name: z.string(), counts: runCountsSchema, days: daysSchema}))
      .meta({description: 'The current teams of the member, by name.'}),
  })
  .meta({
    id: 'MemberParticipation',
    description: 'The participation of a member in the closed runs of their teams.',
  });

export const teamParticipationSchema = z
  .object({
    object: z.literal('team_participation'),
    ...teamNames,
    team_name: z.string(),
    since: date,
    until: date,
    counts: runCountsSchema,
    by_date: byDateSchema
      .optional()
      .meta({description: 'The days, the earliest first; only with `include=days`.'}),
  })
  .meta({
    id: 'TeamParticipation',
    description: 'The participation counts of a team in its closed runs, without names.',
  });
