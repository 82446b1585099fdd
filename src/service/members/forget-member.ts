import type {Absence} from '../../domain/absences/absence.js';
import {type AccessToken, type Call, completeToken} from '../../domain/core/access.js';
import type {Blocker} from '../../domain/blockers/blocker.js';
import type {Commit, EventDraft, Write} from '../../domain/commit/commit.js';
import type {ErasedCounts, ErasedKind} from '../../domain/members/erasure.js';
import {drawnPart} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {type ListName, lists, slackUserIn} from '../../domain/core/lists.js';
import {type Resource, toDraft} from '../../domain/core/resource.js';
import {type Standup, standupListings} from '../../domain/standups/standup.js';
import type {TeamMember} from '../../domain/teams/team.js';
import {removal} from '../absences/absences.js';
import {leaveWrite} from '../blockers/blocker-records.js';
import type {Mutate} from '../core/mutation.js';
import type {AppendOnlyFile, Records, SlackPeople} from '../core/stores.js';
import {leaveWrites} from '../teams/team-places.js';
import {tokenRemoval} from '../tokens/token-lines.js';

/**
 * Clears up a bounded part of what a member who has left has left behind: places in teams, tokens and
 * absences, and to be erased also blockers, standups, every revision that names them and Slack's ids. True
 * while there is more, `later` when it has to wait for something. Safe to run at any time, also twice at
 * once. What it does is noted at the erasure (drawn half of its id), in the same commits.
 */
export type ForgetMember = (
  call: Call,
  member: string,
  erase: boolean,
  erasure?: string,
) => Promise<boolean | 'later'>;

export interface ForgetMemberParts {
  readonly mutate: Mutate;
  readonly records: Records;
  readonly slackPeople: SlackPeople;
  readonly appendOnlyFile: AppendOnlyFile;
}

/** Each has up to ten keys, and a commit touches at most 240. */
const clearedAtOnce = 24;
/** Each has two keys. */
const erasedAtOnce = 90;

/**
 * In this order, since each step leaves what the next one finds by: places, tokens and absences, then
 * blockers and standups. What names somebody stands in a list of theirs, or is listed as removed of them, as
 * Slack's ids are: that comes next, then what receivers answered, and last the file that remembers every
 * change.
 */
export function createForgetMember({
  mutate,
  records,
  slackPeople,
  appendOnlyFile,
}: ForgetMemberParts): ForgetMember {
  /** Clears some rows of a list; false when nothing of it is kept any more. Reads inside the plan: another process may be at the same work. */
  async function clear<R extends Resource>(
    call: Call,
    list: ListName,
    note: (count: number) => readonly Write[],
    clearOne: (row: R) => {readonly writes: readonly Write[]; readonly events?: readonly EventDraft[]},
  ): Promise<boolean> {
    const {workspace, deadline} = call;
    if ((await records.count(workspace, list, deadline)) === 0) return false;
    let found = 0;
    await mutate(call, async () => {
      const {rows} = await records.list(workspace, {list, limit: clearedAtOnce}, deadline);
      found = rows.length;
      const cleared = rows.map(({json}) => clearOne(JSON.parse(json) as R));
      return {
        commit: {
          ...release([...cleared.flatMap(({writes}) => writes), ...note(found)]),
          events: cleared.flatMap((one) => one.events ?? []),
        },
      };
    });
    return found > 0;
  }

  /** Receivers and Slack remove their copies when they hear of it. */
  function eraseStandup(standup: Standup): {writes: Write[]; events: EventDraft[]} {
    const {id, revision, team_id: team} = standup;
    const places = standupListings(standup).map(({list}) => list);
    return {
      writes: [{do: 'erase', id, from: revision, lists: places, names: [standup.author.id]}],
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
   * Erases whatever was removed before, or has been meanwhile, and all that stands under Slack's ids of them.
   * False when there is none.
   */
  async function eraseRemoved(call: Call, member: string, note: Note): Promise<boolean> {
    const {workspace, deadline} = call;
    const list = lists.removedOf(member);
    const found = await records.listEntries(workspace, list, erasedAtOnce, deadline);
    if (found.length === 0) return false;
    const writes: Write[] = [];
    for (const entry of found) {
      const slackUser = slackUserIn(entry);
      if (slackUser === undefined) writes.push({do: 'erase-revisions', drawn: entry});
      else if (await slackPeople.forget(workspace, slackUser, deadline)) continue;
      writes.push({do: 'unlist', drawn: entry, list});
    }
    const gone = writes.filter((write) => write.do === 'unlist').length;
    if (gone > 0) await mutate(call, async () => ({commit: release([...writes, ...note({traces: gone})])}));
    return true;
  }

  /** Receivers may have answered with the words they were sent. */
  async function forgetResponses(call: Call, note: Note): Promise<void> {
    const {rows} = await records.list(
      call.workspace,
      {list: lists.webhooks(), limit: limits.webhooksPerWorkspace},
      call.deadline,
    );
    const writes = rows.map(({json}) => {
      const {id} = JSON.parse(json) as Resource;
      return {do: 'forget-responses', webhook: id} as const;
    });
    await mutate(call, async () => ({commit: release([...writes, ...note({})])}));
  }

  const forgetSome: ForgetMember = async (call, member, erase, erasure) => {
    const note: Note = (erased, state = 'running') =>
      erasure === undefined ? [] : [{do: 'note-erasure', erasure, state, erased}];
    const counted = (kind: ErasedKind) => (count: number) => note({[kind]: count});
    const how = erase ? 'erase' : 'remove';
    const leave = (place: TeamMember): {writes: Write[]} => ({
      writes: [...leaveWrites(place, how), {do: 'ask-look', team: place.team_id}],
    });
    const drop = (token: AccessToken): {writes: Write[]} => ({
      writes: tokenRemoval(completeToken(token), how),
    });
    if (await clear<TeamMember>(call, lists.teamsOfMember(member), counted('team_places'), leave))
      return true;
    if (await clear<AccessToken>(call, lists.accessTokensOf(member), counted('access_tokens'), drop))
      return true;
    if (await clear<AccessToken>(call, lists.accessTokensBy(member), counted('access_tokens'), drop))
      return true;
    const end = (absence: Absence) => removal(absence, how);
    if (await clear<Absence>(call, lists.absencesOf(member), counted('absences'), end)) return true;
    if (!erase) return false;
    if (await clear<Absence>(call, lists.absencesEnteredBy(member), counted('traces'), unsign)) return true;
    if (await clear<Blocker>(call, lists.blockersOf(member), counted('blockers'), eraseBlocker)) return true;
    if (await clear<Standup>(call, lists.standupsOfAuthor(member), counted('standups'), eraseStandup))
      return true;
    if (await eraseRemoved(call, member, note)) return true;
    await forgetResponses(call, note);
    // Until then what is gone from memory is still on the disk.
    if ((await appendOnlyFile.rewrite(call.deadline)) === 'busy') return 'later';
    const done = note({}, 'done');
    if (done.length > 0) await mutate(call, async () => ({commit: release(done)}));
    return false;
  };

  return async function forgetMember(call, member, erase, erasure) {
    try {
      return await forgetSome(call, member, erase, erasure);
    } catch (error) {
      if (erasure !== undefined) {
        const failed = {do: 'note-erasure', erasure, state: 'failed', erased: {}} as const;
        // If even that cannot be noted, the next try says how it is.
        await mutate(call, async () => ({commit: release([failed])})).catch(() => undefined);
      }
      throw error;
    }
  };
}

type Note = (erased: Partial<ErasedCounts>, state?: 'running' | 'done') => readonly Write[];

/** Stands for the name of somebody who has been erased where another's record goes on. */
const formerMember = 'Former member';

function release(writes: readonly Write[]): Commit {
  return {effect: 'release', guards: [], writes, events: [], reply: {status: 204}};
}
