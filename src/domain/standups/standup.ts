import {z} from 'zod';
import {type Principal, type PrincipalReference} from '../core/access.js';
import {dayNumber} from '../core/dates.js';
import {type Id, composeId, suffixOf, suffixWithSequence} from '../core/ids.js';
import {limits} from '../core/limits.js';
import type {Listing} from '../core/lists.js';
import {lists} from '../core/lists.js';
import {addRulesToSchema, forbidBothFields, requireAnyField} from '../core/member-rules.js';
import {type Draft, type WireJson, parseWire} from '../core/resource.js';
import {principal, principalReference} from '../core/access.js';
import {
  date,
  id,
  type Infer,
  instant,
  oneOf,
  open,
  person,
  record,
  reference,
  resource,
  text,
} from '../core/schemas.js';
import {type TextFormat, textFormats} from '../core/markdown.js';
import {countCodePoints, findCharacterError} from '../core/text.js';
import {answersShown, newAnswersSchema} from '../questions/question.js';
import {slackMessageSchema} from '../slack/slack-post.js';
import {threadSchema} from './thread.js';

/** The entry point through which a standup came. There may be more in the future. */
export type Source = 'api' | 'mcp' | 'slack' | 'dashboard' | 'cli' | 'import';

export type Metadata = Readonly<Record<string, string>>;

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

/** A change may remove all existing keys and add as many. Only the service can count the result. */
const metadataPatch = record(metadataKey, metadataText.nullable(), {
  most: 2 * limits.metadataKeys,
  longest: limits.metadataKey,
  noun: 'keys',
})
  .nullable()
  .meta({
    description: `Changes to the metadata, merged into the existing ones. Null removes a key, or all of them. The result has up to ${metadataSize}.`,
  });

/** Missing in plain standups, which therefore stay as they were stored before there were formats. */
const formatShown = open<TextFormat>().optional().meta({
  description:
    'The notation of `update` and of text answers: `markdown`. Left out for plain text. More values may be added.',
});

export const standupSchema = resource('standup', {
  format: formatShown,
  team: z.string().meta({description: "The team's slug."}),
  team_id: id('team'),
  update: z.string().meta({description: 'The text. It is composed of the answers if none was sent.'}),
  ...answersShown,
  author: principal,
  posted_by: principalReference
    .nullable()
    .meta({description: 'The member or service account that posted it for its author. Null: the author.'}),
  date: z.string().meta({format: 'date', description: "Calendar day in the team's time zone."}),
  source: open<Source>({
    description:
      'The interface that the standup was posted with: `api`, `mcp`, `slack`, `dashboard`, `cli`, or `import` for history from another product. More values may be added.',
  }),
  late: z
    .boolean()
    .meta({description: 'Whether the run of its day had closed for its author when it was posted.'}),
  edited: z.boolean().meta({description: 'Whether its text was changed after it was posted.'}),
  edited_by: principalReference.nullable().meta({
    description: 'The member or service account that last changed its text. Null: no one, or its author.',
  }),
  metadata: z.record(z.string(), z.string()),
  imported: z
    .object({
      import: id('import'),
      source: z.string().meta({description: 'The product that the import names.'}),
      external_id: z.string().meta({description: 'The id of the standup there.'}),
      posted_at: instant.nullable().meta({description: 'When it was posted there. Null if unknown.'}),
    })
    .nullable()
    .meta({description: 'Where an imported standup comes from. Null for one that was posted here.'}),
});

export const shownStandupSchema = standupSchema
  .extend({
    slack: slackMessageSchema.nullable().meta({
      description:
        'The message of the standup in Slack, or why there is none. Null if it has no message of its own, or none yet. It is not part of its revision and its events.',
    }),
    thread: threadSchema,
  })
  .meta({id: 'ShownStandup', description: 'A standup with its message in Slack and its thread.'});

export const standupRevisionSchema = resource('standup_revision', {
  format: formatShown,
  standup: id('standup'),
  update: z.string(),
  ...answersShown,
  date: z.string().meta({format: 'date', description: 'The date of the standup in this version.'}),
  metadata: z.record(z.string(), z.string()),
}).meta({
  id: 'StandupRevision',
  description:
    'An earlier version of a standup. `created_at` and `updated_at` are when that version was written.',
});

export type Standup = Infer<typeof standupSchema>;

/** A standup with its Slack message and its thread, which may change alone and so are in no revision. */
export type ShownStandup = Infer<typeof shownStandupSchema>;

/** The text of a standup before a change. */
export type StandupRevision = Infer<typeof standupRevisionSchema>;

/** The separate field for blockers in a new standup, as in Slack's form. */
const blockersSaid = {
  blockers: text(limits.update)
    .optional()
    .meta({
      description:
        'What blocks the author, in the notation of `format`. It is raised in the same step, as plain text, unless it says that there is none or is open in the team. It is not part of `update`. Leave it out if an answer to a question with `raises_blocker` raises it.',
      examples: ['No access to the staging database.'],
    }),
  resolved: z
    .array(id('blocker'))
    .max(limits.openBlockersPerTeam, `has at most ${limits.openBlockersPerTeam} blockers`)
    .optional()
    .meta({
      description: "The author's blockers in the team to resolve in the same step, by id.",
    }),
};

const format = oneOf(textFormats).optional();

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
          'The teams, instead of `team`. Each of them gets a standup, or none does. The response is then a list, without `ETag` and `Location`. Each team keeps the `answers` to its own questions; a team must ask each of them.',
        examples: [['platform', 'mobile']],
      }),
    update: text(limits.update)
      .optional()
      .meta({
        description: 'The text. If left out, it is composed of the answers.',
        examples: ['Shipped the importer. Today: the retry page.'],
      }),
    format: format.meta({
      description: 'The notation of the texts: `plain`, or `markdown`, a subset of CommonMark.',
      default: 'plain',
    }),
    answers: newAnswersSchema.optional().meta({
      description: `Answers to the team's questions, one for each at most. With their questions, they have at most ${limits.update} characters.`,
    }),
    ...blockersSaid,
    date: date.optional().meta({
      description:
        "The calendar day in the team's zone. Default: that of the team's open run, or else today.",
    }),
    metadata: metadata.optional(),
    author: person.meta({
      description:
        'The author: a member of the team by id, e-mail address or Slack user. For a lead, the author must have accepted their membership there. Needs the scope `standups:write_any`. The default is the caller.',
      examples: ['ada@example.com'],
    }),
  }),
  [
    requireAnyField(['team', 'teams'], 'is required (string, such as "platform")'),
    forbidBothFields(['team', 'teams'], 'cannot be combined with `team`: send one of them'),
    requireAnyField(['update', 'answers'], 'is required (string, such as "Shipped the importer.")'),
  ],
).meta({id: 'NewStandup', description: 'The fields of a new standup.'});

export const standupChangeSchema = z
  .strictObject({
    update: text(limits.update).optional(),
    format: format.meta({
      description: 'The notation of the texts. If left out, it stays as it is.',
    }),
    answers: newAnswersSchema.nullable().optional().meta({
      description:
        'All answers, which replace the existing ones. Null: none. An update composed of them is composed again. An unchanged answer stays valid if the questions change.',
    }),
    ...blockersSaid,
    blockers: blockersSaid.blockers.unwrap().nullable().optional().meta({
      description:
        'What blocks the author. Null: nothing. A blocker that the standup raised, and that is still `raised`, changes too. If left out, none changes.',
    }),
    date: date.optional(),
    metadata: metadataPatch.optional(),
  })
  .meta({id: 'StandupChange', description: 'Changes to a standup, as a JSON merge patch.'});

/** Returns the principal who acted on a standup; null if that was its author. */
export function findPrincipalUnlessAuthor(
  author: Principal,
  {type, id}: Principal,
): PrincipalReference | null {
  return id === author.id ? null : {type, id};
}

/** The answer to a post: one standup, or a list of standups if the request names teams in a list. */
export type PostResult = ShownStandup | {readonly data: PostedStandups};

type PostedStandups = readonly [ShownStandup, ...ShownStandup[]];

/** Returns the standups that a post has created. */
export function standupsOfPostResult(body: WireJson<PostResult>): PostedStandups {
  const posted = parseWire(body);
  return 'data' in posted ? posted.data : [posted];
}

/**
 * Presents an earlier version of a standup. Its times are when that text was written, and `revision` is the
 * `ETag` of the standup at that time.
 */
export function presentStandupRevision(standup: Standup): StandupRevision {
  const {id, revision, update, answers, questions_version, date, metadata, updated_at} = standup;
  return {
    id: composeId('standup_revision', Date.parse(updated_at), suffixWithSequence(suffixOf(id), revision)),
    object: 'standup_revision',
    ...(standup.format !== undefined && {format: standup.format}),
    standup: id,
    update,
    answers,
    questions_version,
    date,
    metadata,
    revision,
    created_at: updated_at,
    updated_at,
  };
}

/** Returns the lists that contain a standup, each with the day under which it sorts the standup. */
export function findListsWithStandup(
  standup: Pick<Draft<Standup>, 'team_id' | 'author' | 'date' | 'imported'>,
): Listing[] {
  const day = dayNumber(standup.date);
  const of = standup.imported?.import;
  return [
    {list: lists.standups(), day},
    {list: lists.standupsOfTeam(standup.team_id), day},
    {list: lists.standupsOfAuthor(standup.author.id), day},
    ...(of === undefined ? [] : [{list: lists.standupsOfImport(of), day}]),
  ];
}

/** Lists the members among the authors, each once, even if they no longer exist. */
export function listMemberAuthors(standups: readonly Pick<Standup, 'author'>[]): Id<'member'>[] {
  return [...new Set(standups.flatMap(({author}) => (author.type === 'member' ? [author.id] : [])))];
}
