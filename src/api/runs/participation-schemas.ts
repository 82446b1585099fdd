import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {date, reference} from '../../domain/core/schemas.js';
import {trendSteps} from '../../domain/runs/trends.js';
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

export const trendQuerySchema = z.strictObject({
  ...span,
  by: z
    .enum(trendSteps, 'must be "day" or "week"')
    .optional()
    .meta({description: 'The length of a period: `week` (the default) or `day`.'}),
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
