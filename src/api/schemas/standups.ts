import {z} from 'zod';
import {limits} from '../../domain/limits.js';
import {codePoints} from '../../domain/text.js';
import {date, id, pageParameters, principalSchema, reference, resource, text} from './shared.js';

const metadataKey = z
  .string()
  .min(1)
  .refine(
    (key) => codePoints(key) <= limits.metadataKey,
    `a key has at most ${limits.metadataKey} characters`,
  );

const metadataText = z
  .string()
  .refine(
    (value) => codePoints(value) <= limits.metadataValue,
    `a value has at most ${limits.metadataValue} characters`,
  );

const fewKeys = (value: object) => Object.keys(value).length <= limits.metadataKeys;

const tooManyKeys = `has at most ${limits.metadataKeys} keys`;

const metadata = z
  .record(metadataKey, metadataText)
  .refine(fewKeys, tooManyKeys)
  .meta({description: 'Up to 20 keys of 40 characters with texts of up to 500, for your own use.'});

const metadataPatch = z
  .record(metadataKey, metadataText.nullable())
  .refine(fewKeys, tooManyKeys)
  .nullable()
  .meta({description: 'Merged into the metadata there is; null removes a key, or all of them.'});

export const standupSchema = z
  .object({
    id: id('standup'),
    object: z.literal('standup'),
    team: z.string().meta({description: "The team's slug."}),
    team_id: id('team'),
    update: z.string(),
    author: principalSchema,
    date: z.string().meta({format: 'date', description: "Calendar day in the team's time zone."}),
    source: z
      .string()
      .meta({description: 'The door it came through: `api`, `slack`, `dashboard`, `cli`; more may follow.'}),
    late: z.boolean(),
    edited: z.boolean().meta({description: 'Whether its text was changed after it was posted.'}),
    metadata: z.record(z.string(), z.string()),
    ...resource,
  })
  .meta({id: 'Standup', description: 'One update by one author for one team on one date.'});

export const newStandupSchema = z
  .strictObject({
    team: reference,
    update: text(limits.update).meta({examples: ['Shipped the importer. Today: the retry page.']}),
    date: date.optional().meta({description: "Calendar day in the team's zone; today when left out."}),
    metadata: metadata.optional(),
    author: z
      .string()
      .min(1, 'must not be empty')
      .max(limits.email, `has at most ${limits.email} characters`)
      .optional()
      .meta({
        description:
          'Whose standup it is: a member of the team by id, e-mail address or Slack user. Needs the scope `standups:write_any`; you, when left out.',
        examples: ['ada@example.com'],
      }),
  })
  .meta({id: 'NewStandup'});

export const standupChangeSchema = z
  .strictObject({
    update: text(limits.update).optional(),
    date: date.optional(),
    metadata: metadataPatch.optional(),
  })
  .meta({id: 'StandupChange'});

export const standupQuerySchema = z
  .strictObject({
    ...pageParameters,
    team: reference.optional(),
    author: z
      .string()
      .regex(/^(?:mem|svc)_[0-7][0-9a-hjkmnp-tv-z]{25}$/, 'must be the id of a member or a service account')
      .optional()
      .meta({description: 'Id of a member or a service account.'}),
    date: date.optional().meta({description: 'That day alone.'}),
    date_from: date.optional().meta({description: 'First day, inclusive.'}),
    date_to: date.optional().meta({description: 'Last day, inclusive.'}),
  })
  .refine(({date: day, date_from, date_to}) => day === undefined || (date_from ?? date_to) === undefined, {
    message: 'cannot be combined with date_from or date_to',
    path: ['date'],
  });
