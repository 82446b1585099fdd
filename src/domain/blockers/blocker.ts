import type {Principal} from '../core/access.js';
import {dayNumber} from '../core/dates.js';
import {limits} from '../core/limits.js';
import {type Listing, lists} from '../core/lists.js';
import type {Resource} from '../core/resource.js';
import {countCodePoints} from '../core/text.js';
import type {Id} from '../core/ids.js';

/** A problem that stops its author's work until it is resolved. */
export interface Blocker extends Resource<'blocker'> {
  readonly object: 'blocker';
  readonly team: string;
  readonly team_id: Id<'team'>;
  /** The person who is blocked. */
  readonly author: Principal;
  readonly text: string;
  readonly state: BlockerState;
  /** The first standup that reports the blocker; null if no standup does. */
  readonly standup: Id<'standup'> | null;
  /** The key of the question that the blocker was an answer to; null without a question. */
  readonly question: string | null;
  readonly acknowledged_by: PrincipalReference | null;
  readonly acknowledged_at: string | null;
  readonly resolved_by: PrincipalReference | null;
  readonly resolved_at: string | null;
}

/**
 * The person or service account that acted on a resource. It has no name, so that erasing a person leaves no
 * names in revisions.
 */
export type PrincipalReference = Pick<Principal, 'type' | 'id'>;

/** A person or service account with its current name; null when it no longer exists. */
export interface NamedActor extends PrincipalReference {
  readonly name: string | null;
}

/** A blocker with the names of the people who acted on it, as callers see it. */
export interface NamedBlocker extends Blocker {
  readonly acknowledged_by: NamedActor | null;
  readonly resolved_by: NamedActor | null;
}

export type BlockerState = 'raised' | 'acknowledged' | 'resolved';

export const blockerStates = [
  'raised',
  'acknowledged',
  'resolved',
] as const satisfies readonly BlockerState[];

/** The states that may follow each state of a blocker. Setting the same state again changes nothing. */
export const nextStates: Readonly<Record<BlockerState, readonly BlockerState[]>> = {
  raised: ['acknowledged', 'resolved'],
  acknowledged: ['resolved', 'raised'],
  resolved: ['raised'],
};

/**
 * A day number that is higher than that of any real day. Above it, positions in lists would not be integers
 * below 2^53.
 */
const noDay = 2 ** 15 - 1;

/** Returns the day under which the list `lists.blockersByEnd` sorts a blocker. */
export function findResolutionDay(resolvedAt: string | null): number {
  return resolvedAt === null ? noDay : dayNumber(resolvedAt.slice(0, 10));
}

/** Returns the lists that contain a blocker, for adding a new one and for removing it. */
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

/**
 * Answers that mean "nothing blocks me". Punctuation and emoji around them are removed before the comparison.
 */
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
