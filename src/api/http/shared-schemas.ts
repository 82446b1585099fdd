// Every shape the API takes or gives, once: they validate requests, and the OpenAPI document is made from
// them.
// Requests are strict, answers lenient: clients must ignore members they do not know. One file for each noun;
// shapes that several nouns share are here.
import {z} from 'zod';
import {
  isCalendarDate,
  isTimezone,
  parseInstant,
  suggestTimezone,
  toInstant,
} from '../../domain/core/dates.js';
import {type Id, type IdKind, idPrefixes} from '../../domain/core/ids.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {countCodePoints, isBlank, findTextError} from '../../domain/core/text.js';
import {isClockTime} from '../../domain/core/zones.js';

const idLength = (kind: IdKind) => `${idPrefixes[kind]}_`.length + 26;

/** Length of the longest id of any kind. */
export const longestId = Math.max(...(Object.keys(idPrefixes) as IdKind[]).map(idLength));

export const id = <K extends IdKind>(kind: K) =>
  z
    .string()
    .regex(
      new RegExp(`^${idPrefixes[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`),
      `must be an id such as "${idPrefixes[kind]}_01h455vb4pex5vsknk084sn02q"`,
    )
    .meta({
      description: `TypeID with the prefix \`${idPrefixes[kind]}_\`.`,
      maxLength: idLength(kind),
    }) as unknown as z.ZodType<Id<K>, string>;

/** How many deliveries of a webhook may wait. */
export const mostWaiting = new Intl.NumberFormat('en-US').format(limits.pendingPerWebhook);

/** The lifetime of events, deliveries and attempts. */
export const keptText = `kept for ${lifetimes.events / 86_400} days, unless the operator sets another period`;

export const instant = z.string().meta({format: 'date-time', description: 'RFC 3339, UTC, milliseconds.'});

export const date = z
  .string()
  .refine(isCalendarDate, 'must be a calendar day that exists, as YYYY-MM-DD, such as 2026-11-23')
  .meta({format: 'date', maxLength: 10, examples: ['2026-11-23']});

/** To the nanosecond, with an offset. */
const instantLength = '2026-11-23T09:00:00.000000000+01:00'.length;

/** An instant in a query, in any offset; becomes the form in which the API shows instants. */
export const instantParameter = z
  .string()
  .refine(
    (value) => parseInstant(value) !== undefined,
    'must be an instant such as 2026-11-23T09:00:00Z (write the + of an offset as %2B)',
  )
  .transform((value) => toInstant(parseInstant(value) ?? 0))
  .meta({format: 'date-time', maxLength: instantLength});

/** An instant in a body, in any offset. */
export const instantMember = z
  .string()
  .refine((value) => parseInstant(value) !== undefined, 'must be an instant such as 2026-11-23T09:00:00Z')
  .meta({format: 'date-time', maxLength: instantLength, examples: ['2026-11-23T09:00:00Z']});

/** Text a person wrote: trimmed length from 1 to `max` code points, no control characters, kept as sent. */
export const text = (max: number) =>
  z
    .string()
    .superRefine((value, context) => {
      const error = findTextError(value, max);
      if (error !== undefined) context.addIssue({code: 'custom', message: error});
    })
    .meta({minLength: 1, maxLength: max});

export const timezone = z
  .string()
  .refine(isTimezone, {
    error: 'must be an IANA time zone such as "Europe/Berlin"',
    params: {suggest: suggestTimezone},
  })
  .meta({maxLength: limits.timezone, examples: ['Europe/Berlin']});

export const clockTime = z
  .string()
  .refine(isClockTime, 'must be a time of day such as "09:30"')
  .meta({pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', maxLength: 5, examples: ['09:30']});

/** A record whose caller chooses the names: up to `most` of them, each of up to `longest` characters. */
export const record = <K extends z.ZodType<string, string>, V extends z.ZodType>(
  name: K,
  value: V,
  {most, longest, noun}: {readonly most: number; readonly longest: number; readonly noun: string},
) =>
  z
    .record(name.meta({maxLength: longest}), value)
    .refine((members) => Object.keys(members).length <= most, {
      error: `has at most ${most} ${noun}`,
      when: isObject,
    })
    .meta({maxProperties: most});

/** Lets a rule be checked on an object even if members of it are wrong. */
export function isObject({value}: {value: unknown}): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const reference = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.teamReference, `has at most ${limits.teamReference} characters`)
  .meta({description: 'Id or slug of a team. Case is ignored.', examples: ['platform']});

/** A person in a query; a service resolves them. */
export const personParameter = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.email, `has at most ${limits.email} characters`);

/** The text that a search looks for. */
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

export const resource = {revision: z.int().min(1), created_at: instant, updated_at: instant};

export const principalSchema = z
  .object({
    type: z
      .string()
      .meta({examples: ['service_account'], description: 'The type: `member` or `service_account`.'}),
    id: z.string(),
    name: z.string(),
  })
  .meta({id: 'Principal', description: 'A member or a service account.'});

export const emptySchema = z.strictObject({});

/** The number of results that a query asks for, from 1 to `most`; the document states the default. */
export const countParameter = (description: string, most: number, otherwise: number) => {
  const message = `must be a number from 1 to ${most}`;
  return z
    .string()
    .refine((given) => /^\d{1,3}$/.test(given), message)
    .transform(Number)
    .refine((count) => count >= 1 && count <= most, message)
    .optional()
    .meta({description, type: 'integer', minimum: 1, maximum: most, default: otherwise});
};

/** A position and its signature; a longer text is not one of ours. */
export const cursor = z.string().meta({maxLength: limits.cursor});

/** Query parameters of every list. */
export const pageParameters = {
  limit: countParameter('The largest number of rows to return.', limits.pageMax, limits.pageDefault),
  cursor: cursor.optional().meta({description: 'The `next_cursor` of the previous page.'}),
};

export const pageQuerySchema = z.strictObject(pageParameters);

export const formatParameter = z
  .enum(['ndjson', 'csv'], 'must be "ndjson" or "csv"')
  .optional()
  .meta({description: 'The format. The default is what `Accept` allows: `ndjson` first.'});

/** Accepts no parameters. */
export const noQuerySchema = z.strictObject({});
