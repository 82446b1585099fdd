// src/domain/drafts/: texts that programs prepare for a person's next standup. Not here: messages to the bot that
// become a standup (domain/slack/typed-record.ts).
import {z} from 'zod';
import {type PrincipalReference, principalReference} from '../core/access.js';
import {limits} from '../core/limits.js';
import {addRulesToSchema, requireAnyField} from '../core/member-rules.js';
import {date, id, type Infer, instant, reference, text} from '../core/schemas.js';
import {answersShown, newAnswersSchema} from '../questions/question.js';

const sourcePattern = `^[a-z][a-z0-9-]{0,${limits.draftSource - 1}}$`;

/** The name of a program or a habit that a part comes from, such as `github`. */
export const draftSource = z
  .string()
  .regex(
    new RegExp(sourcePattern),
    `must be 1 to ${limits.draftSource} lower-case letters, digits and hyphens, with a letter first, such as "github"`,
  )
  .meta({maxLength: limits.draftSource, examples: ['github']});

const link = z.strictObject({
  url: z
    .string()
    .max(limits.url, `has at most ${limits.url} characters`)
    .refine(isSafeLink, 'must be an https URL without user name and password')
    .meta({format: 'uri', maxLength: limits.url, examples: ['https://github.com/acme/importer/pull/42']}),
  title: text(limits.draftLinkTitle).meta({examples: ['Show retries of the importer']}),
});

export type DraftLink = Infer<typeof link>;

/** True for an address that a form may show as a link. */
function isSafeLink(value: string): boolean {
  if (!/^https:\/\//i.test(value) || /[\p{Cc}\s]/u.test(value) || !URL.canParse(value)) return false;
  const {username, password} = new URL(value);
  return username === '' && password === '';
}

const partShown = z
  .object({
    source: z.string().meta({description: 'The source that wrote the part, such as `github` or `git`.'}),
    update: z.string().nullable().meta({description: 'The text. Null for a part without one.'}),
    answers: answersShown.answers.meta({description: 'Answers to questions of the team.'}),
    links: z.array(link.loose()).meta({description: 'Links to what the text is about.'}),
    updated_by: principalReference,
    updated_at: instant,
  })
  .meta({id: 'DraftPart', description: 'What one source has prepared.'});

export const draftSchema = z
  .object({
    object: z.literal('draft'),
    member: id('member'),
    team: z.string().meta({description: "The team's slug."}),
    team_id: id('team'),
    date: z.string().meta({format: 'date', description: "Calendar day in the team's time zone."}),
    update: z
      .string()
      .meta({description: 'The texts of all parts, with an empty line between them. Empty without a text.'}),
    parts: z.array(partShown).meta({description: 'The parts, by source. Empty if there is none.'}),
  })
  .meta({id: 'Draft', description: "What programs have prepared for a member's next standup."});

export type StandupDraft = Infer<typeof draftSchema>;
export type DraftPart = StandupDraft['parts'][number];

export const newDraftPartSchema = addRulesToSchema(
  z.strictObject({
    team: reference,
    date: date.optional().meta({
      description: `The day of the standup, from yesterday to ${limits.draftDaysAhead} days ahead in the team's zone. The default is the date of the team's open run, or else today.`,
    }),
    source: draftSource.meta({
      description:
        'The source of the part. A part of the same source is replaced; other parts do not change.',
    }),
    update: text(limits.update)
      .optional()
      .meta({description: 'The text.', examples: ['Merged the retry page (#42).']}),
    answers: newAnswersSchema
      .optional()
      .meta({description: "Answers to the team's questions. Required questions may be left out."}),
    links: z
      .array(link)
      .max(limits.draftLinks, `has at most ${limits.draftLinks} links`)
      .optional()
      .meta({description: 'Links to what the text is about.'}),
  }),
  [
    requireAnyField(
      ['update', 'answers', 'links'],
      'is required (string, such as "Merged the retry page (#42)."), or `answers`, or `links`',
    ),
  ],
).meta({
  id: 'NewDraftPart',
  description: 'The part of one source, which replaces the part that it wrote before.',
});

export type NewDraftPart = Infer<typeof newDraftPartSchema>;

/** A part as it is stored. The store adds the time of its last change. */
export type StoredDraftPart = Omit<DraftPart, 'source' | 'updated_at'>;

/** Returns the stored form of a part. */
export function createDraftPart(
  {update, links = []}: Pick<NewDraftPart, 'update' | 'links'>,
  answers: DraftPart['answers'],
  {type, id: by}: PrincipalReference,
): StoredDraftPart {
  return {update: update ?? null, answers, links, updated_by: {type, id: by}};
}

/** The text of a part for a form, with those of its links that the text does not have. */
export function composeDraftPartText({update, links}: Pick<DraftPart, 'update' | 'links'>): string {
  const text = update?.trim() ?? '';
  const more = links.filter(({url}) => !text.includes(url)).map(({title, url}) => `${title.trim()} ${url}`);
  return [text, ...more].filter((line) => line !== '').join('\n');
}

/** Joins the texts of parts, in their order. */
export function joinDraftTexts(parts: readonly Pick<DraftPart, 'update'>[]): string {
  return parts.flatMap(({update}) => update?.trim() ?? []).join('\n\n');
}
