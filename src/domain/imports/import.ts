import {z} from 'zod';
import type {InputError} from '../core/errors.js';
import {dayNumber} from '../core/dates.js';
import {type Id, isId, provisionalId, suffixFromBytes, suffixOf} from '../core/ids.js';
import {lifetimes, limits} from '../core/limits.js';
import {type Listing, lists} from '../core/lists.js';
import {addRulesToSchema, requireAnyField} from '../core/member-rules.js';
import type {Draft} from '../core/resource.js';
import {
  date,
  id,
  type Infer,
  instant,
  instantMember,
  oneOf,
  open,
  reference,
  resource,
  text,
  timezone,
} from '../core/schemas.js';
import {createEmailComparisonKey} from '../core/text.js';
import {importedAnswersSchema} from '../questions/question.js';

const daysOf = (seconds: number) => seconds / (24 * 3_600);

/** The results of a row, each with its meaning. */
const outcomeMeanings = {
  created: 'the standup was created; in a dry run it would be',
  existing: 'the workspace has, or had, a standup with this `external_id` of this source',
  unknown_team: 'the workspace has no such team',
  bad_date: 'the date or `posted_at` is before 2000, or after tomorrow',
  older_than_retention: '`retention_days` of the workspace would delete it at once',
  run_exists: 'the team had a run on this date: an import never changes a day that was run here',
  left_out:
    '`people` leaves its author out or names a member who has been removed, or its author was erased as a former member',
  invalid: 'the row has errors, which are listed',
} as const;

export type RowOutcome = keyof typeof outcomeMeanings;

export const rowOutcomes = Object.keys(outcomeMeanings) as readonly RowOutcome[];

export type RowCounts = Readonly<Record<RowOutcome, number>>;

export const noRows = Object.fromEntries(rowOutcomes.map((outcome) => [outcome, 0])) as RowCounts;

const importStates = ['open', 'completed', 'cancelled', 'abandoned', 'removing', 'removed'] as const;

export type ImportState = (typeof importStates)[number];

const count = z.int().min(0);

const countsShown = z
  .object(
    Object.fromEntries(
      rowOutcomes.map((outcome) => [
        outcome,
        count.meta({description: `Rows: ${outcomeMeanings[outcome]}.`}),
      ]),
    ) as unknown as Record<RowOutcome, z.ZodInt>,
  )
  .meta({id: 'ImportCounts', description: 'The number of rows with each outcome.'});

const source = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be a short name in lower case, such as "geekbot"')
  .meta({maxLength: 40});

export const importSchema = resource('import', {
  source: source.meta({description: 'The product or file that the rows come from.', examples: ['geekbot']}),
  timezone: timezone.nullable().meta({
    description: "The zone in which `posted_at` gives the date of a row without one. Null: the team's zone.",
  }),
  dry_run: z.boolean().meta({description: 'Whether rows are only checked and counted; nothing is created.'}),
  state: open<ImportState>({
    description: `The state: ${importStates.map((state) => `\`${state}\``).join(', ')}. Only \`open\` takes rows. \`abandoned\`: not finished within ${daysOf(lifetimes.importOpen)} days. \`removing\`, then \`removed\`: its standups are taken back. More values may be added.`,
  }),
  counts: countsShown,
  near_midnight: count.meta({
    description:
      'Rows whose date comes from `posted_at` within two hours of midnight: check the zone if many.',
  }),
  removed: count.meta({description: 'The number of standups that were taken back.'}),
  kept: count.meta({description: 'The number of standups that stay, because they were edited here.'}),
  ended_at: instant.nullable().meta({description: 'When it took no more rows. Null while it is open.'}),
}).meta({
  id: 'Import',
  description: `Standups from another product, added by rows. A workspace has one open import, besides dry runs. It is kept for ${daysOf(lifetimes.importKept)} days.`,
});

export type Import = Infer<typeof importSchema>;

const former = 'former';

const personKinds = ['external_id', 'email', 'name'] as const;

type PersonKind = (typeof personKinds)[number];

const externalPerson = text(limits.email);

export const newImportSchema = z
  .strictObject({
    source: source.meta({description: 'The product or file that the rows come from.', examples: ['geekbot']}),
    timezone: timezone.nullable().optional().meta({
      description:
        "The zone in which `posted_at` gives the date of a row without one. The default is the team's.",
    }),
    dry_run: z.boolean().optional().meta({default: false, description: 'Whether rows are only checked.'}),
    people: z
      .array(
        z.strictObject({
          person: externalPerson.meta({
            description: 'The author, as the rows name them.',
            examples: ['U024BE7LH'],
          }),
          by: oneOf(personKinds).optional().meta({
            default: 'external_id',
            description:
              'The field of the author that `person` is. `name` is only for rows without the other two.',
          }),
          member: z
            .union(
              [id('member'), z.literal(former)],
              'must be the id of a member, "former", or null to leave the person out',
            )
            .nullable()
            .meta({
              description:
                'The id of a member; `former` for a person who is no member here; null to leave out their rows.',
            }),
        }),
      )
      .max(limits.importPeople, `has at most ${limits.importPeople} people`)
      .optional()
      .meta({
        description:
          'Who is who. An author not named here is the member with their `email`, or else `former`.',
      }),
  })
  .meta({id: 'NewImport', description: 'The fields of a new import.'});

export type NewImport = Infer<typeof newImportSchema>;

export const importRowSchema = addRulesToSchema(
  z.strictObject({
    external_id: text(limits.externalId).meta({
      description:
        'The id of the standup in the source. A second row with it creates nothing, in any import.',
      examples: ['7431'],
    }),
    team: reference,
    date: date
      .optional()
      .meta({description: 'The day of the standup. Without it, `posted_at` gives the day.'}),
    posted_at: instantMember.optional().meta({description: 'When it was posted there.'}),
    timezone: timezone.optional().meta({description: 'The zone in which `posted_at` gives the day.'}),
    author: z.strictObject({
      name: text(limits.name).meta({description: 'Shown for an author who is no member.', examples: ['Ada']}),
      email: z
        .string()
        .max(limits.email, `has at most ${limits.email} characters`)
        .optional()
        .meta({description: 'Finds the member. It needs the scope `members:read`, and is not kept.'}),
      external_id: externalPerson.optional().meta({description: 'The id of the author in the source.'}),
    }),
    update: text(limits.update).optional().meta({
      description: 'The text. If it is left out, it is composed of the answers.',
    }),
    answers: importedAnswersSchema.optional(),
  }),
  [
    requireAnyField(['date', 'posted_at'], 'is required (calendar day), unless `posted_at` is sent'),
    requireAnyField(['update', 'answers'], 'is required (string), unless `answers` is sent'),
  ],
).meta({id: 'ImportRow', description: 'One standup of the source.'});

export type ImportRow = Infer<typeof importRowSchema>;

export const importRowsSchema = z
  .strictObject({
    rows: z
      // One wrong row is an outcome of its own, and does not refuse the others.
      .array(importRowSchema.catch((context) => (context as typeof context | undefined)?.input as never))
      .min(1, 'must have at least one row')
      .max(limits.importRows, `has at most ${limits.importRows} rows`)
      .meta({description: 'The rows. All of those that can be are created in one step.'}),
  })
  .meta({id: 'ImportRows', description: 'Some rows of an import.'});

const rowError = z.object({
  pointer: z.string().meta({description: 'The field of the row, as JSON Pointer.', examples: ['#/date']}),
  detail: z.string(),
});

export const addedRowsSchema = z
  .object({
    object: z.literal('import_rows'),
    import: id('import'),
    counts: countsShown,
    near_midnight: count,
    not_created: z
      .array(
        z.object({
          index: count.meta({description: 'The position of the row in the request, from 0.'}),
          outcome: open<RowOutcome>({
            description: `Why there is no new standup. ${Object.entries(outcomeMeanings)
              .slice(1)
              .map(([outcome, meaning]) => `\`${outcome}\`: ${meaning}.`)
              .join(' ')} More values may be added.`,
          }),
          errors: z.array(rowError).meta({description: 'The errors of an `invalid` row.'}),
        }),
      )
      .meta({description: 'The rows without a new standup.'}),
    authors: z
      .array(
        z.object({
          index: count.meta({description: 'The position of their first row in the request.'}),
          member: id('member').nullable().meta({
            description: 'The member, or the made-up id of a former one. Null for a person who is left out.',
          }),
          former: z.boolean().meta({description: 'Whether the person is no member here.'}),
        }),
      )
      .meta({description: 'The authors of the rows that have a team and a date, each once.'}),
  })
  .meta({id: 'AddedRows', description: 'What became of the rows of one request.'});

export type AddedRows = Infer<typeof addedRowsSchema>;

/** A row as the API has checked it: a valid one, or the errors of one that is not. */
export type CheckedRow = {readonly row: ImportRow} | {readonly errors: readonly InputError[]};

/**
 * Returns what an import stores of a person. The kind is a part of it: people choose their names in the source, and
 * one may be the id or the address of another person.
 */
export function nameExternalPerson(by: PersonKind, person: string): string {
  return `${by}:${by === 'email' ? createEmailComparisonKey(person) : person}`;
}

/** Returns the names of an author, the one that counts first. */
export function listNamesOfAuthor({
  external_id: own,
  email,
  name,
}: ImportRow['author']): [string, ...string[]] {
  const names = [
    ...(own === undefined ? [] : [nameExternalPerson('external_id', own)]),
    ...(email === undefined ? [] : [nameExternalPerson('email', email)]),
  ];
  const [first = nameExternalPerson('name', name), ...others] = names;
  return [first, ...others];
}

/** A person of the source: a member here, a former one, or null for one who is left out. */
export type PersonChoice = Id<'member'> | typeof former | null;

export function parsePersonChoice(kept: string): PersonChoice {
  return isId('member', kept) ? kept : kept === former ? former : null;
}

/** Computes a keyed hash of parts, as bytes. */
export type KeyedHash = (...parts: readonly string[]) => Uint8Array;

/** Returns the entry that stands for a row for ever. It names nobody. */
export function createRowEntry(hash: KeyedHash, from: string, rowId: string): string {
  return Buffer.from(hash('row', from, rowId))
    .toString('base64url')
    .slice(0, 22);
}

/**
 * Returns the id of a person who is no member here: always the same for one person of a source. Its time is 0, which
 * no real member has.
 */
export function createFormerMemberId(hash: KeyedHash, from: string, person: string): Id<'member'> {
  return provisionalId('member', suffixFromBytes(hash('person', from, person)));
}

export function isFormerMemberId(member: Id): boolean {
  return member === provisionalId('member', suffixOf(member));
}

export function draftImport({source: from, timezone: zone = null, dry_run: isDry = false}: NewImport) {
  const draft: Draft<Import> = {
    object: 'import',
    source: from,
    timezone: zone,
    dry_run: isDry,
    state: 'open',
    counts: noRows,
    near_midnight: 0,
    removed: 0,
    kept: 0,
    ended_at: null,
  };
  return draft;
}

/** Returns the lists that contain a new import, which is sorted by the day on which it was created. */
export function findListsWithImport(day: string, isDry: boolean): Listing[] {
  const number = dayNumber(day);
  return [
    {list: lists.imports(), day: number},
    {list: lists.openImports(), day: number},
    ...(isDry ? [] : [{list: lists.importInProgress(), day: number}]),
  ];
}

const nearMidnightMinutes = 120;

/** True if a time of day, in minutes, is so near to midnight that another zone has another day. */
export function isNearMidnight(minuteOfDay: number): boolean {
  return minuteOfDay < nearMidnightMinutes || minuteOfDay >= 24 * 60 - nearMidnightMinutes;
}

export const firstImportedDate = '2000-01-01';
