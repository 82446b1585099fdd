import type {Blocker} from '../blockers/blocker.js';
import type {PrincipalId} from '../core/access.js';
import type {Id} from '../core/ids.js';
import type {StandupAnswer} from '../questions/question.js';

/** A blocker as a standup shows it. */
export interface StandupBlocker extends Pick<Blocker, 'id' | 'text' | 'state'> {
  /** The name of the person who has acknowledged it; null without one, and when they are gone. */
  readonly by: string | null;
}

/** The content of a standup's messages. */
export interface StandupContent {
  readonly id: Id<'standup'>;
  readonly update: string;
  /** Undefined in a revision from before there were questions. */
  readonly answers?: readonly StandupAnswer[] | undefined;
  readonly author: {readonly name: string};
  /** The name of the person who posted it for the author, null when they have left; undefined: the author. */
  readonly poster?: string | null | undefined;
  /** The same for the person who changed it last. */
  readonly editor?: string | null | undefined;
  /** The address of the author's picture in Slack, where it is known. */
  readonly picture?: string | undefined;
  /** The blockers that it has raised, as they are now. */
  readonly blockers?: readonly StandupBlocker[] | undefined;
  readonly revision: number;
}

/** A standup at one of its revisions, with where it belongs. */
export interface StandupAtRevision extends StandupContent {
  readonly team_id: Id<'team'>;
  readonly date: string;
  readonly author: {readonly id: PrincipalId; readonly name: string};
}

/** A person that a text may name. */
export interface Nameable {
  readonly name: string;
  /** Slack's id; null for a person who is not to be notified, or cannot be. */
  readonly user: string | null;
}
