// Schemas of queries that several operations use; those of resources are in domain/. Schemas validate requests,
// and the OpenAPI document is made from them. A request with an unknown field is refused, but clients must
// ignore unknown fields in answers.
import {z} from 'zod';
import {parseInstant, toInstant} from '../../domain/core/dates.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {instantLength} from '../../domain/core/schemas.js';
import {countCodePoints, isBlank} from '../../domain/core/text.js';

/** The lifetime of events, deliveries and attempts. */
export const keptText = `kept for ${lifetimes.events / 86_400} days, unless the operator sets another period`;

/** An instant in a query, with any offset. It is converted to the form in which the API shows instants. */
export const instantParameter = z
  .string()
  .refine(
    (value) => parseInstant(value) !== undefined,
    'must be an instant such as 2026-11-23T09:00:00Z (write the + of an offset as %2B)',
  )
  .transform((value) => toInstant(parseInstant(value) ?? 0))
  .meta({format: 'date-time', maxLength: instantLength});

/** A person in a query, as an id, an email address or `me`. A service looks the person up. */
export const personParameter = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.email, `has at most ${limits.email} characters`);

/** Teams in a query, with commas between them. A service looks them up. */
export const teamsParameter = z
  .string()
  .transform((list) => list.split(','))
  .superRefine((names, context) => {
    if (names.length > limits.teamsPerQuery)
      context.addIssue({code: 'custom', message: `has at most ${limits.teamsPerQuery} teams`});
    const at = names.findIndex((name) => name === '' || name.length > limits.teamReference);
    if (at === -1) return;
    const problem = names[at] === '' ? 'must not be empty' : `has at most ${limits.teamReference} characters`;
    const named = `must be teams with commas between them: name ${at + 1} ${problem}`;
    context.addIssue({code: 'custom', message: names.length === 1 ? problem : named});
  })
  .meta({
    type: 'array',
    items: {type: 'string', minLength: 1, maxLength: limits.teamReference},
    minItems: 1,
    maxItems: limits.teamsPerQuery,
    description: `Ids or slugs of up to ${limits.teamsPerQuery} teams, with commas between them: \`platform,mobile\`. Case is ignored.`,
    examples: [['platform', 'mobile']],
  });

/** The text to search for. */
export const searchText = z
  .string()
  .refine(
    (value) => value !== '' && countCodePoints(value) <= limits.searchText,
    `must have 1 to ${limits.searchText} characters`,
  )
  .refine((value) => value === '' || !isBlank(value), 'must not be only white space')
  .meta({minLength: 1, maxLength: limits.searchText});

export const personText =
  'by id, e-mail address, Slack user or `me`. A reference other than an id or `me` needs the scope `members:read`.';

export const emptySchema = z.strictObject({});

/** A number that a query gives, from 1 to `most`. The document states the default, if there is one. */
export const countParameter = (description: string, most: number, otherwise?: number) => {
  const message = `must be a number from 1 to ${most}`;
  return z
    .string()
    .refine((given) => /^\d{1,3}$/.test(given), message)
    .transform(Number)
    .refine((count) => count >= 1 && count <= most, message)
    .optional()
    .meta({
      description,
      type: 'integer',
      minimum: 1,
      maximum: most,
      ...(otherwise !== undefined && {default: otherwise}),
    });
};

/** A cursor: a position and its signature. A longer text cannot be a cursor of this service. */
export const cursor = z.string().meta({maxLength: limits.cursor});

/** The query parameters of every list. */
export const pageParameters = {
  limit: countParameter('The largest number of rows to return.', limits.pageMax, limits.pageDefault),
  cursor: cursor.optional().meta({description: 'The `next_cursor` of the previous page.'}),
};

export const pageQuerySchema = z.strictObject(pageParameters);

export const formatParameter = z
  .enum(['ndjson', 'csv'], 'must be "ndjson" or "csv"')
  .optional()
  .meta({description: 'The format. The default is what `Accept` allows: `ndjson` first.'});

/** The query of an operation that accepts no parameters. */
export const noQuerySchema = z.strictObject({});
