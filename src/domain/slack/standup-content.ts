import type {Blocker} from '../blockers/blocker.js';
import type {PrincipalId} from '../core/access.js';
import type {TextFormat} from '../core/markdown.js';
import type {Id} from '../core/ids.js';
import type {StandupAnswer} from '../questions/question.js';

/** A blocker as a standup's message shows it. */
export interface StandupBlocker extends Pick<Blocker, 'id' | 'text' | 'state'> {
  /** The name of the person who acknowledged the blocker; null for no one, or for a deleted person. */
  readonly by: string | null;
}

/** How people answered a standup, without names. */
export interface StandupCounts {
  readonly comments: number;
  readonly reactions: readonly {readonly emoji: string; readonly count: number}[];
}

export interface StandupContent {
  readonly id: Id<'standup'>;
  readonly update: string;
  readonly format?: TextFormat | undefined;
  /** The answers; undefined in an old revision without questions. */
  readonly answers?: readonly StandupAnswer[] | undefined;
  readonly author: {readonly name: string};
  /** The person who posted for the author; null when deleted, undefined if the author posted. */
  readonly poster?: string | null | undefined;
  /** The person who last changed the standup; null when deleted, undefined if the author did. */
  readonly editor?: string | null | undefined;
  /** The URL of the author's picture in Slack, if known. */
  readonly picture?: string | undefined;
  /** The blockers that the standup has raised, in their current state. */
  readonly blockers?: readonly StandupBlocker[] | undefined;
  /** The numbers of its reactions and comments; undefined if the message shows none. */
  readonly counts?: StandupCounts | undefined;
  readonly revision: number;
}

/** One revision of a standup, with its team, date and channel. */
export interface StandupAtRevision extends StandupContent {
  readonly team_id: Id<'team'>;
  readonly date: string;
  readonly author: {readonly id: PrincipalId; readonly name: string};
}

/** A person that a text may mention. */
export interface Nameable {
  readonly name: string;
  /** The Slack user id; null for a person who cannot or must not be notified. */
  readonly user: string | null;
}
