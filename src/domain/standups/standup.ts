import type {Principal} from '../core/access.js';
import {dayNumber} from '../core/dates.js';
import {type Id, composeId, suffixOf, suffixWithSequence} from '../core/ids.js';
import type {Listing} from '../core/lists.js';
import {lists} from '../core/lists.js';
import type {StandupAnswer} from '../questions/question.js';
import {type Draft, type Resource, type WireJson, parseWire} from '../core/resource.js';
import type {SlackMessage} from '../slack/slack-post.js';

/** The entry point through which a standup came. There may be more in the future. */
export type Source = 'api' | 'slack' | 'dashboard' | 'cli';

export type Metadata = Readonly<Record<string, string>>;

/** A principal other than the author. It has no name, so that an erasure need not search for one. */
export type OtherPrincipal = Pick<Principal, 'type' | 'id'>;

/** Returns the principal who acted on a standup; null if that was its author. */
export function findPrincipalUnlessAuthor(author: Principal, {type, id}: Principal): OtherPrincipal | null {
  return id === author.id ? null : {type, id};
}

export interface Standup extends Resource<'standup'> {
  readonly object: 'standup';
  readonly team: string;
  readonly team_id: Id<'team'>;
  /** The text exactly as sent. Without a text in the request, it is composed from the answers. */
  readonly update: string;
  /** Answers to the team's questions; empty for a standup with only an update. */
  readonly answers: readonly StandupAnswer[];
  /** The version of the team's questions to which the answers belong; null without answers. */
  readonly questions_version: number | null;
  readonly author: Principal;
  /** The principal who posted for the author; null if the author did. */
  readonly posted_by: OtherPrincipal | null;
  /** The calendar day in the time zone that counts for the standup. */
  readonly date: string;
  readonly source: Source;
  readonly late: boolean;
  readonly edited: boolean;
  /** The principal who last changed the text; null if it was the author. */
  readonly edited_by: OtherPrincipal | null;
  readonly metadata: Metadata;
}

/**
 * A standup together with its Slack message. The message may change without the standup, so it is not part of
 * a revision.
 */
export interface ShownStandup extends Standup {
  /** The standup's own Slack message; null while it has none. */
  readonly slack: SlackMessage | null;
}

/** The answer to a post: one standup, or a list of standups if the request names teams in a list. */
export type PostResult = ShownStandup | {readonly data: PostedStandups};

type PostedStandups = readonly [ShownStandup, ...ShownStandup[]];

/** Returns the standups that a post has created. */
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
 * Presents an earlier version of a standup. Its times are when that text was written, and `revision` is the
 * `ETag` of the standup at that time.
 */
export function presentStandupRevision(standup: Standup): StandupRevision {
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

/** Returns the lists that contain a standup, each with the day under which it sorts the standup. */
export function findListsWithStandup(
  standup: Pick<Draft<Standup>, 'team_id' | 'author' | 'date'>,
): Listing[] {
  const day = dayNumber(standup.date);
  return [
    {list: lists.standups(), day},
    {list: lists.standupsOfTeam(standup.team_id), day},
    {list: lists.standupsOfAuthor(standup.author.id), day},
  ];
}

/** Lists the members among the authors, each once, even if they no longer exist. */
export function listMemberAuthors(standups: readonly Pick<Standup, 'author'>[]): Id<'member'>[] {
  return [...new Set(standups.flatMap(({author}) => (author.type === 'member' ? [author.id] : [])))];
}
