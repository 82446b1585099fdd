import type {Principal} from '../core/access.js';
import {dayNumber} from '../core/dates.js';
import {limits} from '../core/limits.js';
import {type Listing, lists} from '../core/lists.js';
import type {Resource} from '../core/resource.js';
import {countCodePoints} from '../core/text.js';
import type {Id} from '../core/ids.js';

/** Something that keeps its author from going on, until it is resolved. */
export interface Blocker extends Resource<'blocker'> {
  readonly object: 'blocker';
  readonly team: string;
  readonly team_id: Id<'team'>;
  /** The person who is blocked. */
  readonly author: Principal;
  readonly text: string;
  readonly state: BlockerState;
  /** The first standup that reports it; null for a blocker raised by itself. */
  readonly standup: Id<'standup'> | null;
  /** The key of the question that it answered; null when no question was asked. */
  readonly question: string | null;
  readonly acknowledged_by: PrincipalReference | null;
  readonly acknowledged_at: string | null;
  readonly resolved_by: PrincipalReference | null;
  readonly resolved_at: string | null;
}

/**
 * The principal who acted on another's resource. It carries no name, so that no revision keeps one after an
 * erasure.
 */
export type PrincipalReference = Pick<Principal, 'type' | 'id'>;

/** An actor with their present name; null when they are gone. */
export interface NamedActor extends PrincipalReference {
  readonly name: string | null;
}

/** A blocker with the names of its actors, as callers see it. */
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

/** The states that may follow each state. Keeping the same state changes nothing. */
export const nextStates: Readonly<Record<BlockerState, readonly BlockerState[]>> = {
  raised: ['acknowledged', 'resolved'],
  acknowledged: ['resolved', 'raised'],
  resolved: ['raised'],
};

/** A day after all real days: the last one whose list positions are integers below 2^53. */
const noDay = 2 ** 15 - 1;

/** The day of a blocker in `lists.blockersByEnd`. */
export function resolutionDayOf(resolvedAt: string | null): number {
  return resolvedAt === null ? noDay : dayNumber(resolvedAt.slice(0, 10));
}

/** The lists that a new blocker enters, and all lists that a removed one may be in. */
export function blockerListings({
  team_id,
  author,
  resolved_at,
}: Pick<Blocker, 'team_id' | 'author' | 'resolved_at'>): Listing[] {
  return [
    {list: lists.blockers()},
    {list: lists.blockersOfTeam(team_id)},
    {list: lists.openBlockersOfTeam(team_id)},
    {list: lists.blockersOf(author.id)},
    {list: lists.blockersByEnd(), day: resolutionDayOf(resolved_at)},
  ];
}

/** Answers that mean "nothing blocks me". Signs and emoji around them are stripped before the comparison. */
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
 * The text of the blocker that an answer raises, cut to the maximum length; undefined when the answer says
 * there is none.
 */
export function blockerText(answer: string): string | undefined {
  const text = answer.trim();
  const bare = text.toLowerCase().replaceAll(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '');
  if (nothings.has(bare)) return undefined;
  if (countCodePoints(text) <= limits.blocker) return text;
  return `${Array.from(text)
    .slice(0, limits.blocker - 1)
    .join('')}…`;
}

/** True when two texts differ only in white space, case and composition of letters. */
export function isSameText(one: string, other: string): boolean {
  return foldText(one) === foldText(other);
}

/**
 * More marks than any language puts on one letter (UAX #15, Stream-Safe Text Format). Sorting them takes
 * long.
 */
const heapOfMarks = /\p{Mark}{31}/u;

function foldText(text: string): string {
  const composed = heapOfMarks.test(text) ? text : text.normalize('NFC');
  return composed.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
