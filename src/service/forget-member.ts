import type {Absence} from '../domain/absence.js';
import type {AccessToken, Call} from '../domain/access.js';
import type {Blocker} from '../domain/blocker.js';
import type {EventDraft, Write} from '../domain/commit.js';
import type {LogEntry} from '../domain/event.js';
import {drawnPart} from '../domain/ids.js';
import {limits} from '../domain/limits.js';
import {type ListName, lists} from '../domain/lists.js';
import {type Resource, toDraft} from '../domain/resource.js';
import {type Standup, standupListings} from '../domain/standup.js';
import type {TeamMember} from '../domain/team.js';
import type {Work} from '../domain/work.js';
import {removal} from './absences.js';
import {leaveWrite} from './blocker-records.js';
import type {Mutate} from './mutation.js';
import type {AppendOnlyFile, EventLog, Progress, Records} from './stores.js';
import {leaveWrites} from './team-places.js';

/**
 * Clears up a bounded part of what a member who has left has left behind: places in teams, tokens and absences, and to be erased also
 * blockers, standups and every revision that names them. True while there is more, `later` when it has to wait for something. Safe to run at any
 * time, also twice at once.
 */
export type ForgetMember = (call: Call, member: string, erase: boolean) => Promise<boolean | 'later'>;

export interface ForgetMemberParts {
  readonly mutate: Mutate;
  readonly records: Records;
  readonly events: Pick<EventLog, 'listAfter' | 'span'>;
  readonly progress: Progress;
  readonly appendOnlyFile: AppendOnlyFile;
}

/** Each has up to seven keys, and a commit touches at most 200. */
const clearedAtOnce = 25;
/** Events whose revisions are looked at together; one key each. */
const searchedAtOnce = 100;

/**
 * In this order, since each step leaves what the next one finds by: places, tokens and absences, then blockers and standups, then whatever the events that
 * are kept lead to, then what receivers answered, and last the file that remembers every change.
 */
export function createForgetMember({
  mutate,
  records,
  events,
  progress,
  appendOnlyFile,
}: ForgetMemberParts): ForgetMember {
  /** Clears some rows of a list; false when it was empty. Reads inside the plan: another process may be at the same work. */
  async function clear<R extends Resource>(
    call: Call,
    list: ListName,
    clearOne: (row: R) => {readonly writes: readonly Write[]; readonly events?: readonly EventDraft[]},
  ): Promise<boolean> {
    const {workspace, deadline} = call;
    if ((await records.count(workspace, list, deadline)) === 0) return false;
    await mutate(call, async () => {
      const {rows} = await records.list(workspace, {list, limit: clearedAtOnce}, deadline);
      const cleared = rows.map(({json}) => clearOne(JSON.parse(json) as R));
      return {
        commit: {
          effect: 'release',
          guards: [],
          writes: cleared.flatMap(({writes}) => writes),
          events: cleared.flatMap((one) => one.events ?? []),
          reply: {status: 204},
        },
      };
    });
    return true;
  }

  /** Receivers and Slack remove their copies when they hear of it. */
  function eraseStandup(standup: Standup): {writes: Write[]; events: EventDraft[]} {
    const {id, revision, team_id: team} = standup;
    const places = standupListings(standup).map(({list}) => list);
    return {
      writes: [{do: 'erase', id, from: revision, lists: places}],
      events: [{type: 'standup.deleted', about: drawnPart(id), revision, team}],
    };
  }

  /** What they have entered for another stays, without their name. */
  function unsign(absence: Absence): {writes: Write[]; events: EventDraft[]} {
    const {id, revision, created_at: createdAt, created_by} = absence;
    const draft = {...toDraft(absence), created_by: {...created_by, name: formerMember}};
    const from = lists.absencesEnteredBy(created_by.id);
    const [to, placedAs] = [lists.absences(), lists.absences()];
    return {
      writes: [
        {do: 'revise', id, from: revision, createdAt, draft},
        {do: 'erase-revisions', drawn: drawnPart(id)},
        {do: 'relist', drawn: drawnPart(id), from, to, placedAs},
      ],
      events: [
        {
          type: 'absence.updated',
          about: drawnPart(id),
          revision: revision + 1,
          ...(absence.team_id !== null && {team: absence.team_id}),
        },
      ],
    };
  }

  function eraseBlocker(blocker: Blocker): {writes: Write[]; events: EventDraft[]} {
    const {id, revision, team_id: team} = blocker;
    return {
      writes: [leaveWrite(blocker, 'erase')],
      events: [{type: 'blocker.deleted', about: drawnPart(id), revision, team}],
    };
  }

  /**
   * What was removed before its writer left stands in no list any more; the events that tell of it lead to its revisions, which live as
   * long as they do. False when the end of the log is reached.
   */
  async function searchLog(call: Call, work: Work, member: string): Promise<boolean | 'later'> {
    const {workspace, deadline} = call;
    const after = (await progress.find(workspace, work, deadline)) ?? (await startOf(call));
    const entries = await events.listAfter(workspace, after, searchedAtOnce, deadline);
    const last = entries.at(-1);
    if (last === undefined) {
      await forgetResponses(call);
      // Until then what is gone from memory is still on the disk.
      if ((await appendOnlyFile.rewrite(deadline)) === 'busy') return 'later';
      await progress.drop(workspace, work, deadline);
      return false;
    }
    const found = await records.findRevisions(
      workspace,
      entries.map(({about: drawn, revision}) => ({drawn, revision})),
      deadline,
    );
    const theirs = new Set<string>();
    entries.forEach(({about}: LogEntry, i) => {
      const json = found[i];
      if (json !== undefined && isAbout(JSON.parse(json) as Naming, member)) theirs.add(about);
    });
    if (theirs.size > 0) {
      const writes = [...theirs].map((drawn) => ({do: 'erase-revisions', drawn}) as const);
      await mutate(call, async () => ({
        commit: {effect: 'release', guards: [], writes, events: [], reply: {status: 204}},
      }));
    }
    await progress.keep(workspace, work, last.sequence, deadline);
    return true;
  }

  /** Receivers may have answered with the words they were sent. */
  async function forgetResponses(call: Call): Promise<void> {
    const {rows} = await records.list(
      call.workspace,
      {list: lists.webhooks(), limit: limits.webhooksPerWorkspace},
      call.deadline,
    );
    const writes = rows.map(({json}) => {
      const {id} = JSON.parse(json) as Resource;
      return {do: 'forget-responses', webhook: id} as const;
    });
    await mutate(call, async () => ({
      commit: {effect: 'release', guards: [], writes, events: [], reply: {status: 204}},
    }));
  }

  async function startOf({workspace, deadline}: Call): Promise<number> {
    return ((await events.span(workspace, deadline))?.oldest ?? 1) - 1;
  }

  return async function forgetMember(call, member, erase) {
    const how = erase ? 'erase' : 'remove';
    const leave = (place: TeamMember): {writes: Write[]} => ({
      writes: [...leaveWrites(place, how), {do: 'ask-look', team: place.team_id}],
    });
    const drop = ({id, revision, holder}: AccessToken): {writes: Write[]} => ({
      writes: [
        {do: how, id, from: revision, lists: [lists.accessTokens(), lists.accessTokensOf(holder.id)]},
        {do: 'revoke-token', id},
      ],
    });
    if (await clear<TeamMember>(call, lists.teamsOfMember(member), leave)) return true;
    if (await clear<AccessToken>(call, lists.accessTokensOf(member), drop)) return true;
    const end = (absence: Absence) => removal(absence, how);
    if (await clear<Absence>(call, lists.absencesOf(member), end)) return true;
    if (!erase) return false;
    if (await clear<Absence>(call, lists.absencesEnteredBy(member), unsign)) return true;
    if (await clear<Blocker>(call, lists.blockersOf(member), eraseBlocker)) return true;
    if (await clear<Standup>(call, lists.standupsOfAuthor(member), eraseStandup)) return true;
    return searchLog(call, {kind: 'forget-member', member, erase}, member);
  };
}

/** Stands for the name of somebody who has been erased where another's record goes on. */
const formerMember = 'Former member';

/** A resource, as far as it may name a person. */
interface Naming {
  readonly id: string;
  readonly author?: {readonly id: string};
  readonly member?: {readonly id: string};
  readonly holder?: {readonly id: string};
  readonly created_by?: {readonly id: string; readonly name: string};
}

function isAbout({id, author, member, holder, created_by: maker}: Naming, person: string): boolean {
  const names = maker !== undefined && maker.name !== formerMember;
  return [id, author?.id, member?.id, holder?.id, ...(names ? [maker.id] : [])].includes(person);
}
