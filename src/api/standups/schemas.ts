import {z} from 'zod';
import {notBoth, oneOfBoth, withRules} from '../http/member-rules.js';
import {limits} from '../../domain/core/limits.js';
import {characterFault, codePoints} from '../../domain/core/text.js';
import {answersShown, newAnswersSchema} from '../questions/schemas.js';
import {
  date,
  id,
  instantParameter,
  pageParameters,
  principalSchema,
  record,
  reference,
  resource,
  searchText,
  text,
  formatParameter,
  personParameter,
  personText,
  isObject,
} from '../http/shared-schemas.js';

const keyFault = `must have a key of 1 to ${limits.metadataKey} characters`;

const metadataKey = z
  .string()
  .min(1, keyFault)
  .refine((key) => codePoints(key) <= limits.metadataKey, keyFault)
  .refine((key) => !/\p{Cc}/u.test(key), 'must have a key without control characters');

const metadataText = z
  .string()
  .refine(
    (value) => codePoints(value) <= limits.metadataValue,
    `has at most ${limits.metadataValue} characters`,
  )
  .superRefine((value, context) => {
    const fault = characterFault(value);
    if (fault !== undefined) context.addIssue({code: 'custom', message: fault});
  })
  .meta({maxLength: limits.metadataValue});

const metadataSize = `${limits.metadataKeys} keys of ${limits.metadataKey} characters with texts of up to ${limits.metadataValue}`;

const metadata = record(metadataKey, metadataText, {
  most: limits.metadataKeys,
  longest: limits.metadataKey,
  noun: 'keys',
}).meta({
  description: `Up to ${metadataSize}, for your own use. No key has a backslash.`,
  examples: [{build: '1432'}],
});

/** May remove all existing keys and add as many; the result counts, which the service knows. */
const metadataPatch = record(metadataKey, metadataText.nullable(), {
  most: 2 * limits.metadataKeys,
  longest: limits.metadataKey,
  noun: 'keys',
})
  .nullable()
  .meta({
    description: `Merged into the metadata there is; null removes a key, or all of them. The result has up to ${metadataSize}.`,
  });

const another = (description: string) =>
  z
    .object({
      type: z.string().meta({description: '`member` or `service_account`.'}),
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
    update: z.string().meta({description: 'Composed of the answers where none was sent.'}),
    ...answersShown,
    author: principalSchema,
    posted_by: another('Who posted it for its author; null: the author.'),
    date: z.string().meta({format: 'date', description: "Calendar day in the team's time zone."}),
    source: z
      .string()
      .meta({description: 'The door it came through: `api`, `slack`, `dashboard`, `cli`; more may follow.'}),
    late: z
      .boolean()
      .meta({description: 'Whether the run of its day had closed for its author when it was posted.'}),
    edited: z.boolean().meta({description: 'Whether its text was changed after it was posted.'}),
    edited_by: another('Who changed its text last; null: nobody, or its author.'),
    metadata: z.record(z.string(), z.string()),
    ...resource,
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
          .meta({description: "Slack's name of the message in its channel; null while Slack takes none."}),
        permalink: z.string().nullable().meta({description: 'Null until Slack has told it.'}),
        problem: z.string().nullable().meta({
          description:
            "Why Slack does not show it, or not its latest change: Slack's code, such as `not_in_channel`, or `outcome_unknown`. Null when it does.",
        }),
      })
      .nullable()
      .meta({
        description:
          'The message that shows it in Slack, or why there is none; null where it has none of its own, or none yet. No part of its revision, nor of events.',
      }),
  })
  .meta({id: 'ShownStandup', description: 'A standup with where it stands in Slack.'});

export const standupRevisionSchema = z
  .object({
    id: id('standup_revision'),
    object: z.literal('standup_revision'),
    standup: id('standup'),
    update: z.string(),
    ...answersShown,
    date: z.string().meta({format: 'date', description: 'The day that the standup was for then.'}),
    metadata: z.record(z.string(), z.string()),
    ...resource,
  })
  .meta({
    id: 'StandupRevision',
    description: 'What a standup said before it was changed. Its instants are that of its writing.',
  });

/** Blockers beside the text of a standup, as Slack's form has them. */
const blockersSaid = {
  blockers: text(limits.update)
    .optional()
    .meta({
      description:
        'What is in the way of its author: raised as a blocker in the same step, unless it says that there is nothing, or is open in the team already. It is no part of `update`. An answer to a question with `raises_blocker` needs none of this.',
      examples: ['No access to the staging database.'],
    }),
  resolved: z
    .array(id('blocker'))
    .max(limits.openBlockersPerTeam, `has at most ${limits.openBlockersPerTeam} blockers`)
    .optional()
    .meta({
      description:
        "Ids of its author's blockers in the team that are over: resolved in the same step. Others are left as they are.",
    }),
};

export const newStandupSchema = withRules(
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
          'Instead of `team`: a standup for each of these, all of them or none. The answer is then a list of them, without `ETag` and `Location`. Of `answers` each team keeps what it asks; one of them at least has to ask it.',
        examples: [['platform', 'mobile']],
      }),
    update: text(limits.update)
      .optional()
      .meta({
        description:
          'What there is to say; may be left out where there are answers, and is then composed of them.',
        examples: ['Shipped the importer. Today: the retry page.'],
      }),
    answers: newAnswersSchema.optional().meta({
      description: `Answers to the team's questions, each of which may be answered once. As a text, with the words of the questions, they have at most ${limits.update} characters together.`,
    }),
    ...blockersSaid,
    date: date.optional().meta({
      description:
        "Calendar day in the team's zone; when left out that of the team's open run, or else today.",
    }),
    metadata: metadata.optional(),
    author: z
      .string()
      .min(1, 'must not be empty')
      .max(limits.email, `has at most ${limits.email} characters`)
      .optional()
      .meta({
        description:
          'Whose standup it is: a member of the team by id, e-mail address or Slack user; for a lead, one who has accepted their place there. Needs the scope `standups:write_any`; you, when left out.',
        examples: ['ada@example.com'],
      }),
  }),
  [
    oneOfBoth(['team', 'teams'], 'is required (string, such as "platform")'),
    notBoth(['team', 'teams'], 'cannot be combined with `team`: send one of them'),
    oneOfBoth(['update', 'answers'], 'is required (string, such as "Shipped the importer.")'),
  ],
).meta({id: 'NewStandup', description: 'What a standup is made from.'});

export const standupChangeSchema = z
  .strictObject({
    update: text(limits.update).optional(),
    answers: newAnswersSchema.nullable().optional().meta({
      description:
        'All of them, in place of those there were; null for none. An update that was composed of the answers is composed anew. An answer that stays as it is stays good, whatever is asked by now.',
    }),
    ...blockersSaid,
    blockers: blockersSaid.blockers.unwrap().nullable().optional().meta({
      description:
        'What is in the way of its author; null for nothing any more. A blocker that the standup has raised by it, and that is only raised, follows. When left out blockers stay as they are.',
    }),
    date: date.optional(),
    metadata: metadataPatch.optional(),
  })
  .meta({id: 'StandupChange', description: 'A merge patch of a standup.'});

const filters = {
  team: reference.optional(),
  author: personParameter
    .optional()
    .meta({description: `Id of a service account, or a member: ${personText}`}),
  date: date.optional().meta({description: 'That day alone.'}),
  date_from: date.optional().meta({description: 'First day, inclusive.'}),
  date_to: date.optional().meta({description: 'Last day, inclusive.'}),
  created_after: instantParameter
    .optional()
    .meta({description: 'Posted later than this instant (RFC 3339).'}),
  created_before: instantParameter.optional().meta({description: 'Posted before this instant (RFC 3339).'}),
  source: z
    .string()
    .regex(/^[a-z][a-z_]{0,39}$/, 'must be the name of a source, such as "api" or "slack"')
    .optional()
    .meta({
      maxLength: 40,
      description: 'The door it came through: `api`, `slack`, `dashboard`, `cli`; more may follow.',
    }),
  q: searchText.optional().meta({description: 'Part of the text of the update, in upper or lower case.'}),
  order: z
    .enum(['asc', 'desc'], 'must be "asc" or "desc"')
    .optional()
    .meta({description: '`desc`, newest first, when left out; `asc` is oldest first.'}),
};

type Filters = z.infer<z.ZodObject<typeof filters>>;

const oneWayToSayDays = ({date: day, date_from, date_to}: Pick<Filters, 'date' | 'date_from' | 'date_to'>) =>
  day === undefined || (date_from ?? date_to) === undefined;

const twoWays = {
  message: 'cannot be combined with `date_from` or `date_to`: send `date` alone, or these',
  path: ['date'],
  when: isObject,
};

export const standupQuerySchema = z
  .strictObject({...pageParameters, ...filters})
  .refine(oneWayToSayDays, twoWays);

export const exportQuerySchema = z
  .strictObject({
    format: formatParameter,
    ...filters,
  })
  .refine(oneWayToSayDays, twoWays);

/** The filters that both ways to read standups share, in the service's names. */
export function filterOf({date: day, date_from, date_to, q, ...filter}: Filters) {
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
