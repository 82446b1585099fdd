import type {Principal} from '../core/access.js';
import {dayNumber} from '../core/dates.js';
import {type Id, composeId, suffixOf, suffixWithSequence} from '../core/ids.js';
import type {Listing} from '../core/lists.js';
import {lists} from '../core/lists.js';
import type {StandupAnswer} from '../questions/question.js';
import {type Draft, type Resource, type WireJson, parseWire} from '../core/resource.js';
import type {SlackMessage} from '../slack/slack-post.js';

/** The entry point that a standup came through. More will be added. */
export type Source = 'api' | 'slack' | 'dashboard' | 'cli';

export type Metadata = Readonly<Record<string, string>>;

/** A principal other than the author, without a name, which an erasure would have to find. */
export type OtherPrincipal = Pick<Principal, 'type' | 'id'>;

/** Null where it is the author. */
export function otherThanAuthor(author: Principal, {type, id}: Principal): OtherPrincipal | null {
  return id === author.id ? null : {type, id};
}

export interface Standup extends Resource<'standup'> {
  readonly object: 'standup';
  readonly team: string;
  readonly team_id: Id<'team'>;
  /** Stored exactly as sent; composed of the answers where none was sent. */
  readonly update: string;
  /** Answers to the team's questions; empty when there is only an update. */
  readonly answers: readonly StandupAnswer[];
  /** The version of the team's questions that they answer; null without answers. */
  readonly questions_version: number | null;
  readonly author: Principal;
  /** The principal who posted it for the author; null: the author. */
  readonly posted_by: OtherPrincipal | null;
  /** Calendar day in the team's zone. */
  readonly date: string;
  readonly source: Source;
  readonly late: boolean;
  readonly edited: boolean;
  /** The principal who changed its text last, unless that was the author. */
  readonly edited_by: OtherPrincipal | null;
  readonly metadata: Metadata;
}

/** A standup with its message in Slack, which changes without the standup and so is no part of a revision. */
export interface ShownStandup extends Standup {
  /** Null while it has no message of its own there. */
  readonly slack: SlackMessage | null;
}

/** The answer to a post: the standup, or a list of standups when it names its teams in a list. */
export type PostResult = ShownStandup | {readonly data: PostedStandups};

type PostedStandups = readonly [ShownStandup, ...ShownStandup[]];

/** The standups that a post has made. */
export function standupsOfPostResult(body: WireJson<PostResult>): PostedStandups {
  const posted = parseWire(body);
  return 'data' in posted ? posted.data : [posted];
}

/** The text of a standup before a change. */
export interface StandupRevision extends Resource<'standup_revision'> {
  readonly object: 'standup_revision';
  readonly standup: Id<'standup'>;
  readonly update: string;
  readonly answers: readonly StandupAnswer[];
  readonly questions_version: number | null;
  readonly date: string;
  readonly metadata: Metadata;
}

/**
 * Presents an earlier text: its instants are the time it was written, and `revision` is the `ETag` that the
 * standup had then.
 */
export function presentRevision(standup: Standup): StandupRevision {
  const {id, revision, update, answers, questions_version, date, metadata, updated_at} = standup;
  return {
    id: composeId('standup_revision', Date.parse(updated_at), suffixWithSequence(suffixOf(id), revision)),
    object: 'standup_revision',
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

/** The lists of a standup: by day, then by creation. */
export function standupListings(standup: Pick<Draft<Standup>, 'team_id' | 'author' | 'date'>): Listing[] {
  const day = dayNumber(standup.date);
  return [
    {list: lists.standups(), day},
    {list: lists.standupsOfTeam(standup.team_id), day},
    {list: lists.standupsOfAuthor(standup.author.id), day},
  ];
}

/** The members among the authors, each once, whether they still exist or not. */
export function listMembers(standups: readonly Pick<Standup, 'author'>[]): Id<'member'>[] {
  return [...new Set(standups.flatMap(({author}) => (author.type === 'member' ? [author.id] : [])))];
}
