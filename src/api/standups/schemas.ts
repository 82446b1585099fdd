import {z} from 'zod';
import {date, isObject} from '../../domain/core/schemas.js';
import {
  formatParameter,
  instantParameter,
  pageParameters,
  personParameter,
  personText,
  searchText,
  teamsParameter,
} from '../http/shared-schemas.js';

const filters = {
  team: teamsParameter.optional(),
  author: personParameter
    .optional()
    .meta({description: `Id of a service account, or a member: ${personText}`}),
  date: date.optional().meta({description: 'Only standups of this day.'}),
  date_from: date.optional().meta({description: 'The first day, inclusive.'}),
  date_to: date.optional().meta({description: 'The last day, inclusive.'}),
  created_after: instantParameter
    .optional()
    .meta({description: 'Only standups posted after this instant (RFC 3339).'}),
  created_before: instantParameter
    .optional()
    .meta({description: 'Only standups posted before this instant (RFC 3339).'}),
  source: z
    .string()
    .regex(/^[a-z][a-z_]{0,39}$/, 'must be the name of a source, such as "api" or "slack"')
    .optional()
    .meta({
      maxLength: 40,
      description:
        'Only standups posted with this interface: `api`, `mcp`, `slack`, `dashboard` or `cli`. More values may be added.',
    }),
  q: searchText.optional().meta({description: 'Only standups whose text contains this. Case is ignored.'}),
  order: z
    .enum(['asc', 'desc'], 'must be "asc" or "desc"')
    .optional()
    .meta({description: 'The order: `desc`, newest first (the default), or `asc`, oldest first.'}),
};

type Filters = z.infer<z.ZodObject<typeof filters>>;

const hasNoConflictingDayFilters = ({
  date: day,
  date_from,
  date_to,
}: Pick<Filters, 'date' | 'date_from' | 'date_to'>) =>
  day === undefined || (date_from ?? date_to) === undefined;

const twoWays = {
  message: 'cannot be combined with `date_from` or `date_to`: send `date` alone, or these',
  path: ['date'],
  when: isObject,
};

export const standupQuerySchema = z
  .strictObject({...pageParameters, ...filters})
  .refine(hasNoConflictingDayFilters, twoWays);

export const exportQuerySchema = z
  .strictObject({
    format: formatParameter,
    ...filters,
  })
  .refine(hasNoConflictingDayFilters, twoWays);

/** Converts the filters of the list and of the export into the names that the service uses. */
export function createStandupFilter({date: day, date_from, date_to, q, ...filter}: Filters) {
  return {
    teams: filter.team,
    author: filter.author,
    dateFrom: day ?? date_from,
    dateTo: day ?? date_to,
    createdAfter: filter.created_after,
    createdBefore: filter.created_before,
    source: filter.source,
    text: q,
    order: filter.order,
  };
}
