// Schemas of fields that several resources have. A resource is declared once, as a schema beside its rules: its
// type, the API's checks and the OpenAPI document follow from it. Records are never checked when they are read.
import {z} from 'zod';
import {isCalendarDate, isTimezone, parseInstant, suggestTimezone} from './dates.js';
import {type Id, type IdKind, idPrefixes} from './ids.js';
import {limits} from './limits.js';
import {findTextError} from './text.js';
import {isClockTime} from './zones.js';

/** The type that a schema describes. Nothing in it can be changed. */
export type Infer<S extends z.ZodType> = Frozen<z.output<S>>;

type Frozen<T> = T extends string ? T : {readonly [K in keyof T]: Frozen<T[K]>};

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

export const instant = z.string().meta({format: 'date-time', description: 'RFC 3339, UTC, milliseconds.'});

export const date = z
  .string()
  .refine(isCalendarDate, 'must be a calendar day that exists, as YYYY-MM-DD, such as 2026-11-23')
  .meta({format: 'date', maxLength: 10, examples: ['2026-11-23']});

/** The length of the longest instant in RFC 3339: with nanoseconds and an offset. */
export const instantLength = '2026-11-23T09:00:00.000000000+01:00'.length;

/** An instant in a body, with any offset. */
export const instantMember = z
  .string()
  .refine((value) => parseInstant(value) !== undefined, 'must be an instant such as 2026-11-23T09:00:00Z')
  .meta({format: 'date-time', maxLength: instantLength, examples: ['2026-11-23T09:00:00Z']});

/** Text that a person wrote: 1 to `max` code points after trimming, no control characters. */
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

/** An object with field names of the caller: up to `most`, with up to `longest` characters each. */
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

/** A text with known values. Clients must expect others, so the document does not list them as an enumeration. */
export const open = <T extends string>(meta: {description?: string; examples?: string[]} = {}) =>
  z.string().meta(meta) as unknown as z.ZodType<T, string>;

/** A value that a request chooses. */
export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, `must be one of ${values.map((value) => `"${value}"`).join(', ')}`);

const visibilities = ['open', 'private'] as const;
export type Visibility = (typeof visibilities)[number];

/** Who can read a team, in the team and in what names it. */
export const visibility = oneOf(visibilities).meta({
  description: 'Who can read the team: `open`, every member of the workspace; `private`, its people.',
});

/** A person that a request names. A service looks the person up. */
export const person = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.email, `has at most ${limits.email} characters`)
  .optional();

/** The fields that the store adds at the end of every resource. */
const resourceEnd = {revision: z.int().min(1), created_at: instant, updated_at: instant};

/** A resource with its own fields between those that the store adds. */
export const resource = <K extends IdKind, F extends z.ZodRawShape>(kind: K, fields: F) =>
  z.object({id: id(kind), object: z.literal(kind), ...fields, ...resourceEnd});
