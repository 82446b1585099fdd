import type {Blocker} from '../../domain/blockers/blocker.js';
import type {PrincipalId, Reader} from '../../domain/core/access.js';
import {drawnPart, type Id, type IdSuffix, isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists, sequenceOfPlace} from '../../domain/core/lists.js';
import {parseWire} from '../../domain/core/resource.js';
import type {Another, Standup} from '../../domain/standups/standup.js';
import type {Team} from '../../domain/teams/team.js';
import type {Records} from '../../store/core/records.js';
import type {SlackPeople} from '../../store/slack/slack-people.js';

/** A standup with the names that those now have who posted or changed it for its author. */
export interface NamedStandup extends Standup {
  /** Null of who has left; undefined: the author. */
  readonly poster: string | null | undefined;
  readonly editor: string | null | undefined;
}

/** A blocker as a standup shows it. */
export interface StandupBlocker extends Pick<Blocker, 'id' | 'text' | 'state'> {
  /** The name of whoever has acknowledged it; null while nobody has, and of somebody who is gone. */
  readonly by: string | null;
}

/** Views of the workspace that a chat shows. */
export interface ChannelViews {
  /** The standup at one revision; undefined when retention or erasure has taken it. */
  findStandup: (
    call: Reader,
    drawn: IdSuffix<'standup'>,
    revision: number,
  ) => Promise<NamedStandup | undefined>;
  /** The blockers that a standup has told of, as they are now. */
  listBlockersOf: (
    call: Reader,
    standup: {readonly id: Id<'standup'>; readonly author: {readonly id: PrincipalId}},
  ) => Promise<StandupBlocker[]>;
  /** The address of a member's picture; undefined where it is not known. */
  findPicture: (call: Reader, author: PrincipalId) => Promise<string | undefined>;
  /** The names of the authors of standups, sorted. */
  listAuthors: (call: Reader, standups: readonly IdSuffix<'standup'>[]) => Promise<string[]>;
  /** Ids of the teams that a member is in. */
  listTeamsOf: (call: Reader, member: PrincipalId) => Promise<Set<Id<'team'>>>;
  /** The channel of a team, and those that it had before. */
  listChannels: (call: Reader, team: Team) => Promise<string[]>;
  listOpenBlockers: (call: Reader, teams: readonly Team[]) => Promise<Blocker[]>;
}

/**
 * A team that is changed more often while a run is open has its message of the day in an earlier channel
 * left as it is.
 */
const followedRevisions = 10;

/** The author's blockers that are looked at, from those raised with the standup on: one that an edit raises comes later. */
const looksAt = 200;

export function createChannelViews({
  records,
  slackPeople,
}: {
  readonly records: Records;
  readonly slackPeople: Pick<SlackPeople, 'findPicture'>;
}): ChannelViews {
  /** Null of who is gone. */
  async function nameOf(
    {workspace, deadline}: Reader,
    one: Another | null,
  ): Promise<string | null | undefined> {
    if (!one) return undefined;
    return (await records.findByDrawn(workspace, drawnPart(one.id), deadline))?.name ?? null;
  }

  return {
    async findStandup(call, drawn, revision) {
      const standup = await records.findRevision(call.workspace, drawn, revision, call.deadline);
      if (standup === undefined) return undefined;
      const {posted_by, edited_by} = standup;
      const [poster, editor] = await Promise.all([nameOf(call, posted_by), nameOf(call, edited_by)]);
      return {...standup, poster, editor};
    },
    async listBlockersOf(call, {id, author}) {
      const {workspace, deadline} = call;
      const own = lists.standupsOfAuthor(author.id);
      const place = await records.findPlace(workspace, own, drawnPart(id), deadline);
      if (place === undefined) return [];
      const from = sequenceOfPlace(place);
      const query = {list: lists.blockersOf(author.id), limit: looksAt, from, upward: true};
      const {rows} = await records.list(workspace, query, deadline);
      const told = rows.map(({json}) => parseWire(json)).filter(({standup}) => standup === id);
      return Promise.all(
        told.map(async ({id: blocker, text, state, acknowledged_by: by}): Promise<StandupBlocker> => {
          const name = state === 'acknowledged' ? await nameOf(call, by) : null;
          return {id: blocker, text, state, by: name ?? null};
        }),
      );
    },
    async findPicture({workspace, deadline}, author) {
      if (!isId('member', author)) return undefined;
      const member = await records.findByDrawn(workspace, drawnPart(author), deadline);
      const user = member?.slack_user_id ?? undefined;
      return user === undefined ? undefined : slackPeople.findPicture(workspace, user, deadline);
    },
    async listAuthors({workspace, deadline}, standups) {
      const found = await Promise.all(
        standups.map((drawn) => records.findByDrawn(workspace, drawn, deadline)),
      );
      const names = found.flatMap((standup) => (standup === undefined ? [] : [standup.author.name]));
      return names.toSorted((a, b) => a.localeCompare(b, 'en'));
    },
    async listTeamsOf({workspace, deadline}, member) {
      const query = {list: lists.teamsOfMember(member), limit: limits.teamsPerWorkspace};
      const {rows} = await records.list(workspace, query, deadline);
      return new Set(rows.map(({json}) => parseWire(json).team_id));
    },
    async listChannels({workspace, deadline}, {id, revision, slack_channel_id: channel}) {
      const range = {from: Math.max(1, revision - followedRevisions), to: revision - 1};
      const before = await records.listRevisions(workspace, drawnPart(id), range, deadline);
      const all = [channel, ...before.map((json) => parseWire(json).slack_channel_id)];
      return [...new Set(all.flatMap((one) => one ?? []))];
    },
    async listOpenBlockers({workspace, deadline}, teams) {
      const all = teams.map(({id}) => lists.openBlockersOfTeam(id));
      const blockers: Blocker[] = [];
      for (const list of await records.listFilled(workspace, all, 0, deadline)) {
        const {rows} = await records.list(workspace, {list, limit: limits.openBlockersPerTeam}, deadline);
        blockers.push(...rows.map(({json}) => parseWire(json)));
      }
      return blockers;
    },
  };
}
