import {z} from 'zod';
import {forbidBothFields, requireEitherField, addRulesToSchema} from '../../domain/core/member-rules.js';
import {limits} from '../../domain/core/limits.js';
import {findCharacterError, countCodePoints} from '../../domain/core/text.js';
import {answersShown, newAnswersSchema} from '../../domain/questions/question.js';
import {
  date,
  id,
  principalSchema,
  record,
  reference,
  text,
  isObject,
  resourceEnd,
} from '../../domain/core/schemas.js';
import {
  instantParameter,
  pageParameters,
  searchText,
  formatParameter,
  personParameter,
  personText,
} from '../http/shared-schemas.js';

const keyMessage = `must have a key of 1 to ${limits.metadataKey} characters`;

const metadataKey = z
  .string()
  .min(1, keyMessage)
  .refine((key) => countCodePoints(key) <= limits.metadataKey, keyMessage)
  .refine((key) => !/\p{Cc}/u.test(key), 'must have a key without control characters');

const metadataText = z
  .string()
  .refine(
    (value) => countCodePoints(value) <= limits.metadataValue,
    `has at most ${limits.metadataValue} characters`,
  )
  .superRefine((value, context) => {
    const error = findCharacterError(value);
    if (error !== undefined) context.addIssue({code: 'custom', message: error});
  })
  .meta({maxLength: limits.metadataValue});

const metadataSize = `${limits.metadataKeys} keys of ${limits.metadataKey} characters with texts of up to ${limits.metadataValue}`;

const metadata = record(metadataKey, metadataText, {
  most: limits.metadataKeys,
  longest: limits.metadataKey,
  noun: 'keys',
}).meta({
  description: `Up to ${metadataSize}, for your own use. A key cannot contain a backslash.`,
  examples: [{build: '1432'}],
});

/**
 * A change may remove all existing keys and add as many new ones. Only the service can count the resulting
 * keys.
 */
const metadataPatch = record(metadataKey, metadataText.nullable(), {
  most: 2 * limits.metadataKeys,
  longest: limits.metadataKey,
  noun: 'keys',
})
  .nullable()
  .meta({
    description: `Changes to the metadata, merged into the existing ones. Null removes a key, or all of them. The result has up to ${metadataSize}.`,
  });

const another = (description: string) =>
  z
    .object({
      type: z.string().meta({description: 'The type: `member` or `service_account`.'}),
      id: z.string(),
    })
    .nullable()
    .meta({description});

export const standupSchema = z
  .object({
    id: id('standup'),
    object: z.literal('standup'),
    team: z.string().meta({description: "The team's slug."}),
    team_id: id('team'),
    update: z.string().meta({description: 'The text. It is composed of the answers if none was sent.'}),
    ...answersShown,
    author: principalSchema,
    posted_by: another('The member or service account that posted it for its author. Null: the author.'),
    date: z.string().meta({format: 'date', description: "Calendar day in the team's time zone."}),
    source: z.string().meta({
      description:
        'The interface that the standup was posted with: `api`, `slack`, `dashboard` or `cli`. More values may be added.',
    }),
    late: z
      .boolean()
      .meta({description: 'Whether the run of its day had closed for its author when it was posted.'}),
    edited: z.boolean().meta({description: 'Whether its text was changed after it was posted.'}),
    edited_by: another(
      'The member or service account that last changed its text. Null: no one, or its author.',
    ),
    metadata: z.record(z.string(), z.string()),
    ...resourceEnd,
  })
  .meta({id: 'Standup', description: 'One update by one author for one team on one date.'});

export const shownStandupSchema = standupSchema
  .extend({
    slack: z
      .object({
        channel_id: z.string(),
        message_ts: z
          .string()
          .nullable()
          .meta({description: "Slack's id of the message in its channel. Null until Slack accepts it."}),
        permalink: z
          .string()
          .nullable()
          .meta({description: 'The link to the message. Null until Slack has returned it.'}),
        problem: z.string().nullable().meta({
          description:
            "Why Slack does not show it or its latest change: Slack's code, such as `not_in_channel`, or `outcome_unknown`. Null if Slack shows it.",
        }),
      })
      .nullable()
      .meta({
        description:
          'The message of the standup in Slack, or why there is none. Null if it has no message of its own, or none yet. It is not part of its revision and its events.',
      }),
  })
  .meta({id: 'ShownStandup', description: 'A standup with its message in Slack.'});

export const standupRevisionSchema = z
  .object({
    id: id('standup_revision'),
    object: z.literal('standup_revision'),
    standup: id('standup'),
    update: z.string(),
    ...answersShown,
    date: z.string().meta({format: 'date', description: 'The date of the standup in this version.'}),
    metadata: z.record(z.string(), z.string()),
    ...resourceEnd,
  })
  .meta({
    id: 'StandupRevision',
    description:
      'An earlier version of a standup. `created_at` and `updated_at` are when that version was written.',
  });

/** The separate field for blockers in a new standup, as in Slack's form. */
const blockersSaid = {
  blockers: text(limits.update)
    .optional()
    .meta({
      description:
        'The blockers of the author, raised in the same step. A text that says there is none, or that is already open in the team, raises nothing. The text is not part of `update`. Leave this out if an answer to a question with `raises_blocker` raises the blocker.',
      examples: ['No access to the staging database.'],
    }),
  resolved: z
    .array(id('blocker'))
    .max(limits.openBlockersPerTeam, `has at most ${limits.openBlockersPerTeam} blockers`)
    .optional()
    .meta({
      description:
        "The ids of its author's blockers in the team to resolve in the same step. Others do not change.",
    }),
};

export const newStandupSchema = addRulesToSchema(
  z.strictObject({
    team: reference.optional(),
    teams: z
      .array(reference)
      .min(1, 'must name at least one team')
      .max(limits.teamsPerSubmission, `has at most ${limits.teamsPerSubmission} teams`)
      .optional()
      .meta({
        uniqueItems: true,
        description:
          'The teams, instead of `team`. A standup is created for each of them, or for none. The response is then a list, without `ETag` and `Location`. Each team keeps the `answers` to its own questions; at least one team must ask each of them.',
        examples: [['platform', 'mobile']],
      }),
    update: text(limits.update)
      .optional()
      .meta({
        description: 'The text. If it is left out, it is composed of the answers.',
        examples: ['Shipped the importer. Today: the retry page.'],
      }),
    answers: newAnswersSchema.optional().meta({
      description: `The answers to the team's questions, at most one for each. The answers and their questions have at most ${limits.update} characters together.`,
    }),
    ...blockersSaid,
    date: date.optional().meta({
      description:
        "The calendar day in the team's zone. The default is the date of the team's open run, or else today.",
    }),
    metadata: metadata.optional(),
    author: z
      .string()
      .min(1, 'must not be empty')
      .max(limits.email, `has at most ${limits.email} characters`)
      .optional()
      .meta({
        description:
          'The author: a member of the team by id, e-mail address or Slack user. For a lead, the author must have accepted their membership there. Needs the scope `standups:write_any`. The default is the caller.',
        examples: ['ada@example.com'],
      }),
  }),
  [
    requireEitherField(['team', 'teams'], 'is required (string, such as "platform")'),
    forbidBothFields(['team', 'teams'], 'cannot be combined with `team`: send one of them'),
    requireEitherField(['update', 'answers'], 'is required (string, such as "Shipped the importer.")'),
  ],
).meta({id: 'NewStandup', description: 'The fields of a new standup.'});

export const standupChangeSchema = z
  .strictObject({
    update: text(limits.update).optional(),
    answers: newAnswersSchema.nullable().optional().meta({
      description:
        'All answers, which replace the existing ones. Null: none. An update composed of the answers is composed again. An unchanged answer stays valid, even if the questions have changed.',
    }),
    ...blockersSaid,
    blockers: blockersSaid.blockers.unwrap().nullable().optional().meta({
      description:
        'The blockers of the author. Null: none. A blocker that the standup raised, and that is still `raised`, is changed too. If left out, blockers do not change.',
    }),
    date: date.optional(),
    metadata: metadataPatch.optional(),
  })
  .meta({id: 'StandupChange', description: 'Changes to a standup, as a JSON merge patch.'});

const filters = {
  team: reference.optional(),
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
        'Only standups posted with this interface: `api`, `slack`, `dashboard` or `cli`. More values may be added.',
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
    team: filter.team,
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
