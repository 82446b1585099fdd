// Schemas that several resources use; the schemas of one resource are in its own folder. Schemas validate
// requests, and the OpenAPI document is made from them. A request with an unknown field is refused, but
// clients must ignore unknown fields in answers.
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

/** The length of the longest id of any kind. */
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

/** The maximum number of deliveries that may wait for a webhook. */
export const mostWaiting = new Intl.NumberFormat('en-US').format(limits.pendingPerWebhook);

/** The lifetime of events, deliveries and attempts. */
export const keptText = `kept for ${lifetimes.events / 86_400} days, unless the operator sets another period`;

export const instant = z.string().meta({format: 'date-time', description: 'RFC 3339, UTC, milliseconds.'});

export const date = z
  .string()
  .refine(isCalendarDate, 'must be a calendar day that exists, as YYYY-MM-DD, such as 2026-11-23')
  .meta({format: 'date', maxLength: 10, examples: ['2026-11-23']});

/** The length of the longest instant in RFC 3339: with nanoseconds and an offset. */
const instantLength = '2026-11-23T09:00:00.000000000+01:00'.length;

/** An instant in a query, with any offset. It is converted to the form in which the API shows instants. */
export const instantParameter = z
  .string()
  .refine(
    (value) => parseInstant(value) !== undefined,
    'must be an instant such as 2026-11-23T09:00:00Z (write the + of an offset as %2B)',
  )
  .transform((value) => toInstant(parseInstant(value) ?? 0))
  .meta({format: 'date-time', maxLength: instantLength});

/** An instant in a body, with any offset. */
export const instantMember = z
  .string()
  .refine((value) => parseInstant(value) !== undefined, 'must be an instant such as 2026-11-23T09:00:00Z')
  .meta({format: 'date-time', maxLength: instantLength, examples: ['2026-11-23T09:00:00Z']});

/**
 * Text that a person wrote. It has 1 to `max` code points after trimming, contains no control characters, and
 * is stored as sent.
 */
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

/**
 * An object whose field names are chosen by the caller: up to `most` of them, with up to `longest` characters
 * each.
 */
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

/** True for an object. A rule about an object can then be checked even if some of its fields are wrong. */
export function isObject({value}: {value: unknown}): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const reference = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.teamReference, `has at most ${limits.teamReference} characters`)
  .meta({description: 'Id or slug of a team. Case is ignored.', examples: ['platform']});

/** A person in a query, as an id, an email address or `me`. A service looks the person up. */
export const personParameter = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.email, `has at most ${limits.email} characters`);

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

/** The number of results that a query asks for, from 1 to `most`. The document states the default. */
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
