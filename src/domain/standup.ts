import type {Principal} from './access.js';
import {dayNumber} from './dates.js';
import {composeId, drawnPart, sequencedPart} from './ids.js';
import type {Listing} from './lists.js';
import {lists} from './lists.js';
import type {Draft, Resource} from './resource.js';
import type {SlackPlace} from './slack-post.js';

/** Which door a standup came through. Open: more doors will come. */
export type Source = 'api' | 'slack' | 'dashboard' | 'cli';

export type Metadata = Readonly<Record<string, string>>;

export interface Standup extends Resource {
  readonly object: 'standup';
  readonly team: string;
  readonly team_id: string;
  /** Stored exactly as sent. */
  readonly update: string;
  readonly author: Principal;
  /** Calendar day in the team's zone. */
  readonly date: string;
  readonly source: Source;
  readonly late: boolean;
  readonly edited: boolean;
  readonly metadata: Metadata;
}

/** As it is shown: where it stands in Slack changes without it, so that is no part of a revision. */
export interface ShownStandup extends Standup {
  /** Null while it has no message of its own there. */
  readonly slack: SlackPlace | null;
}

/** What a standup said before it was changed. */
export interface StandupRevision extends Resource {
  readonly object: 'standup_revision';
  readonly standup: string;
  readonly update: string;
  readonly date: string;
  readonly metadata: Metadata;
}

/** Presents an earlier text: its instants are that of its writing, and `revision` is the `ETag` that the standup had then. */
export function presentRevision({
  id,
  revision,
  update,
  date,
  metadata,
  updated_at,
}: Standup): StandupRevision {
  return {
    id: composeId('standup_revision', Date.parse(updated_at), sequencedPart(drawnPart(id), revision)),
    object: 'standup_revision',
    standup: id,
    update,
    date,
    metadata,
    revision,
    created_at: updated_at,
    updated_at,
  };
}

/** The lists a standup stands in: by day, then by creation. */
export function standupListings(standup: Pick<Draft<Standup>, 'team_id' | 'author' | 'date'>): Listing[] {
  const day = dayNumber(standup.date);
  return [
    {list: lists.standups(), day},
    {list: lists.standupsOfTeam(standup.team_id), day},
    {list: lists.standupsOfAuthor(standup.author.id), day},
  ];
}

/** The members among those who wrote these, each once, whether they are still there or not. */
export function listMembers(standups: readonly Pick<Standup, 'author'>[]): string[] {
  return [...new Set(standups.flatMap(({author: {type, id}}) => (type === 'member' ? [id] : [])))];
}
