import {z} from 'zod';
import {dayNumber} from '../core/dates.js';
import {limits} from '../core/limits.js';
import {type Listing, lists} from '../core/lists.js';
import {namedPrincipalReference, principal, principalReference} from '../core/access.js';
import {id, type Infer, instant, open, person, reference, resource, text} from '../core/schemas.js';
import {countCodePoints} from '../core/text.js';

export const blockerStates = ['raised', 'acknowledged', 'resolved'] as const;
export type BlockerState = (typeof blockerStates)[number];

export const blockerSchema = resource('blocker', {
  team: z.string().meta({description: "The team's slug."}),
  team_id: id('team'),
  author: principal,
  text: z.string(),
  state: open<BlockerState>({
    description:
      'The state: `raised`; `acknowledged`, a member works on it; `resolved`, which can be raised again.',
  }),
  standup: id('standup').nullable().meta({
    description:
      'The standup that raised the blocker, or the first of several that did. Null for a blocker that was raised directly.',
  }),
  question: z
    .string()
    .nullable()
    .meta({description: 'The key of the question whose answer raised the blocker. Null without a question.'}),
  acknowledged_by: principalReference.nullable(),
  acknowledged_at: instant.nullable(),
  resolved_by: principalReference.nullable(),
  resolved_at: instant.nullable(),
}).meta({id: 'BlockerRevision', description: 'A blocker, as in its events.'});

export const namedBlockerSchema = blockerSchema
  .extend({
    acknowledged_by: namedPrincipalReference.nullable(),
    resolved_by: namedPrincipalReference.nullable(),
  })
  .meta({
    id: 'Blocker',
    description: 'Something that prevents a member from continuing their work, until it is resolved.',
  });

export const newBlockerSchema = z
  .strictObject({
    team: reference,
    text: text(limits.blocker).meta({examples: ['No access to the staging database.']}),
    author: person.meta({
      description:
        'The blocked member: a member of the team by id, e-mail address or Slack user. For a lead, the member must have accepted their membership there. Needs the scope `standups:write_any`. The default is the caller.',
      examples: ['ada@example.com'],
    }),
  })
  .meta({id: 'NewBlocker', description: 'The fields of a new blocker.'});

export const blockerChangeSchema = z
  .strictObject({
    state: z
      .enum(blockerStates, `must be ${blockerStates.map((state) => `"${state}"`).join(' or ')}`)
      .optional()
      .meta({
        description:
          'The new state. A raised blocker can become `acknowledged` or `resolved`. An acknowledged one can become `resolved`, or `raised` when its acknowledgement is withdrawn. A resolved one can become `raised`.',
      }),
    text: text(limits.blocker).optional(),
  })
  .meta({id: 'BlockerChange', description: 'Changes to a blocker, as a JSON merge patch.'});

/** A problem that stops its author's work until it is resolved. */
export type Blocker = Infer<typeof blockerSchema>;

/** A blocker with the names of the people who acted on it, as callers see it. */
export type NamedBlocker = Infer<typeof namedBlockerSchema>;

export type BlockerChange = Infer<typeof blockerChangeSchema>;

/** The states that may follow each state of a blocker. Setting the same state again changes nothing. */
export const nextStates: Readonly<Record<BlockerState, readonly BlockerState[]>> = {
  raised: ['acknowledged', 'resolved'],
  acknowledged: ['resolved', 'raised'],
  resolved: ['raised'],
};

/** A day after all real days. Positions in lists after it would not be integers below 2^53. */
const noDay = 2 ** 15 - 1;

/** Returns the day under which the list `lists.blockersByEnd` sorts a blocker. */
export function findResolutionDay(resolvedAt: string | null): number {
  return resolvedAt === null ? noDay : dayNumber(resolvedAt.slice(0, 10));
}

export function findListsWithBlocker({
  team_id,
  author,
  resolved_at,
}: Pick<Blocker, 'team_id' | 'author' | 'resolved_at'>): Listing[] {
  return [
    {list: lists.blockers()},
    {list: lists.blockersOfTeam(team_id)},
    {list: lists.openBlockersOfTeam(team_id)},
    {list: lists.blockersOf(author.id)},
    {list: lists.blockersByEnd(), day: findResolutionDay(resolved_at)},
  ];
}

/** Answers that mean "nothing blocks me". They are compared without punctuation and emoji around them. */
const nothings: ReadonlySet<string> = new Set([
  '',
  'no',
  'none',
  'nope',
  'nothing',
  'na',
  'n/a',
  'nil',
  'no blocker',
  'no blockers',
  'not blocked',
  'nothing blocking',
  'none today',
  'none at the moment',
  'nothing today',
]);

/**
 * Returns the text of the blocker that an answer reports, cut to the maximum length. Undefined when the
 * answer says that there is none.
 */
export function findBlockerText(answer: string): string | undefined {
  const text = answer.trim();
  const bare = text.toLowerCase().replaceAll(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '');
  if (nothings.has(bare)) return undefined;
  if (countCodePoints(text) <= limits.blocker) return text;
  return `${Array.from(text)
    .slice(0, limits.blocker - 1)
    .join('')}…`;
}

/** True when two texts are equal apart from white space, case and Unicode composition. */
export function isEquivalentText(one: string, other: string): boolean {
  return foldText(one) === foldText(other);
}

/**
 * Matches more combining marks than any language puts on a letter (UAX #15, Stream-Safe Text Format). Sorting
 * so many marks takes long.
 */
const heapOfMarks = /\p{Mark}{31}/u;

function foldText(text: string): string {
  const composed = heapOfMarks.test(text) ? text : text.normalize('NFC');
  return composed.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
