import type {Principal} from '../core/access.js';
import {dayNumber} from '../core/dates.js';
import {limits} from '../core/limits.js';
import {type Listing, lists} from '../core/lists.js';
import type {Resource} from '../core/resource.js';
import {codePoints} from '../core/text.js';
import type {Id} from '../core/ids.js';

/** Something that keeps somebody from going on, until it is resolved. */
export interface Blocker extends Resource<'blocker'> {
  readonly object: 'blocker';
  readonly team: string;
  readonly team_id: Id<'team'>;
  /** Whom it keeps. */
  readonly author: Principal;
  readonly text: string;
  readonly state: BlockerState;
  /** The standup that tells of it, the first of several; null for one that was raised by itself. */
  readonly standup: Id<'standup'> | null;
  /** The key of the question whose answer it was; null where nothing was asked. */
  readonly question: string | null;
  readonly acknowledged_by: Actor | null;
  readonly acknowledged_at: string | null;
  readonly resolved_by: Actor | null;
  readonly resolved_at: string | null;
}

/** Somebody who did something to what belongs to another: without a name, so that no revision of it has one when they are erased. */
export type Actor = Pick<Principal, 'type' | 'id'>;

/** An actor under the name that they have now; null when they are gone. */
export interface NamedActor extends Actor {
  readonly name: string | null;
}

/** A blocker as it is shown to who asks for it. */
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

/** What a blocker may become from each state; staying as it is changes nothing. */
export const nextStates: Readonly<Record<BlockerState, readonly BlockerState[]>> = {
  raised: ['acknowledged', 'resolved'],
  acknowledged: ['resolved', 'raised'],
  resolved: ['raised'],
};

/** A day behind all days: the last whose places are integers below 2^53. */
const noDay = 2 ** 15 - 1;

/** The day under which a blocker stands in `lists.blockersByEnd`. */
export function endDay(resolvedAt: string | null): number {
  return resolvedAt === null ? noDay : dayNumber(resolvedAt.slice(0, 10));
}

/** The lists that a blocker stands in; all that it may stand in for one that is to leave them. */
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
    {list: lists.blockersByEnd(), day: endDay(resolved_at)},
  ];
}

/** What people write where they are asked what is in their way and nothing is, but for signs and emoji, which say nothing by themselves. */
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

/** The text of the blocker that an answer raises: cut where a blocker must end; undefined when the answer says that there is none. */
export function blockerText(answer: string): string | undefined {
  const text = answer.trim();
  const bare = text.toLowerCase().replaceAll(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '');
  if (nothings.has(bare)) return undefined;
  if (codePoints(text) <= limits.blocker) return text;
  return `${Array.from(text)
    .slice(0, limits.blocker - 1)
    .join('')}…`;
}

/** Whether two texts say the same, however they are spaced and in whatever case. */
export function saysTheSame(one: string, other: string): boolean {
  return foldText(one) === foldText(other);
}

/** More than any language puts on one letter (UAX #15, Stream-Safe Text Format): to sort them takes long. */
const heapOfMarks = /\p{Mark}{31}/u;

function foldText(text: string): string {
  const composed = heapOfMarks.test(text) ? text : text.normalize('NFC');
  return composed.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
