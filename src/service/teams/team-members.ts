import type {Call, Caller} from '../../domain/core/access.js';
import {type Commit, type Guard, nothing} from '../../domain/commit/commit.js';
import type {Answer} from '../core/answers.js';
import {AppError} from '../../domain/core/errors.js';
import {type DrawId, drawnPart, type Id} from '../../domain/core/ids.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {parseWire, type Draft, isSame, toDraft, type WireJson} from '../../domain/core/resource.js';
import {
  isExpected,
  type Team,
  type TeamMember,
  teamNotFound,
  type TeamRole,
} from '../../domain/teams/team.js';
import {quoted} from '../../domain/core/text.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {readPage} from '../core/paging.js';
import type {Authority, Proof} from '../core/authority.js';
import {findReferredMember} from '../members/member-records.js';
import {createMemberReferences} from '../members/member-references.js';
import {type Mutate, planNothing} from '../core/mutation.js';
import {type Expected, requireRevision, requireUnconditional} from '../core/precondition.js';
import type {SettleClocks} from '../runs/settle-clocks.js';
import {createPlanJoin} from './plan-join.js';
import {changeWrites, leaveWrites} from './team-places.js';
import type {Teams} from '../../store/core/directories.js';
import type {Records} from '../../store/core/records.js';

export interface TeamMemberService {
  /** The members of a team, newest membership first, with their current names. */
  listTeamMembers: (access: Caller, team: string, page: PageQuery) => Promise<Page<WireJson<TeamMember>>>;
  findTeamMember: (access: Caller, team: string, member: string) => Promise<TeamMember>;
  /** The number of members expected in a team, or of those among `among`, by id. */
  countExpected: (access: Caller, team: string, among?: readonly Id<'member'>[]) => Promise<number>;
  /**
   * Puts a member of the workspace into a team with a role; 201 when they were not in it. A member added by a
   * lead still has to accept. Errors: `forbidden` except for leads, and for a member who accepts their own
   * membership.
   */
  setTeamMember: (
    call: Call,
    team: string,
    member: string,
    role: TeamRole,
    expected?: Expected,
  ) => Promise<Answer<TeamMember>>;
  /** Removes a member from a team; every member may leave by themselves. Errors: `forbidden`. */
  removeTeamMember: (call: Call, team: string, member: string, expected?: Expected) => Promise<Answer<void>>;
}

export interface TeamMemberParts {
  readonly mutate: Mutate;
  readonly records: Records;
  readonly teams: Teams;
  readonly drawId: DrawId;
  readonly authority: Authority;
  readonly settleClocks: Pick<SettleClocks, 'ofTeam'>;
}

export function createTeamMemberService({
  mutate,
  records,
  teams,
  drawId,
  authority,
  settleClocks,
}: TeamMemberParts): TeamMemberService {
  const references = createMemberReferences({records});
  const planJoin = createPlanJoin({drawId, settleClocks});

  async function requireTeam(access: Caller, reference: string): Promise<{team: Team; guard: Guard}> {
    const directory = await teams.fresh(access.workspace, access.deadline);
    const team = directory.byReference(reference);
    if (team === undefined) throw teamNotFound(reference, directory, access);
    return {team, guard: {check: 'unchanged', collection: 'teams', version: directory.version}};
  }

  /** A membership outlives its member until the job that clears up after them is done. */
  async function findBoth(
    access: Caller,
    team: Team,
    reference: string,
  ): Promise<{member: Member | undefined; place: TeamMember | undefined}> {
    const {workspace, deadline} = access;
    const member = await findReferredMember(records, access, reference);
    if (member === undefined) return {member, place: undefined};
    const found = await records.findTeamPlace(workspace, team.id, member.id, deadline);
    const place = found && (await records.findByDrawn(workspace, found.drawn, deadline));
    return {member, place};
  }

  /** Members may accept their own membership as it is; every other change is for the team's leads. */
  async function requireSettable(
    call: Call,
    team: Team,
    place: TeamMember | undefined,
    role: TeamRole,
  ): Promise<Proof> {
    if (place?.member.id === call.principal.id && place.role === role) return [];
    return authority.requireLead(call, team, 'change who is in it');
  }

  async function planSet(
    call: Call,
    reference: string,
    whom: string,
    role: TeamRole,
    expected?: Expected,
  ): Promise<Commit> {
    const {team, guard} = await requireTeam(call, reference);
    const {member, place} = await findBoth(call, team, whom);
    const proof = await requireSettable(call, team, place, role);
    if (member === undefined) throw new AppError('not_found', await references.unknown(call, whom));
    const {id} = member;
    // A lead cannot decide alone on whose behalf they may act.
    const isConsent = call.principal.id === id || (await authority.findStanding(call)) !== 'member';
    const principal = {type: 'member', id, name: member.name} as const;
    if (place === undefined) {
      requireUnconditional(expected);
      const {created, guards, writes, events} = await planJoin(call, team, member, {
        role,
        accepted: isConsent,
      });
      const reply = {kind: 'resource', of: created} as const;
      return {guards: [...proof, guard, ...guards], writes, events, reply};
    }
    requireRevision(expected, place.revision);
    const accepted = place.accepted || isConsent;
    const draft: Draft<TeamMember> = {...toDraft(place), member: principal, role, accepted};
    if (isSame(place, draft)) return planNothing(place);
    const changed = changeWrites(place, draft);
    const [drawn, revision] = [drawnPart(place.id), place.revision + 1];
    const isAsMuch = isExpected(place) === isExpected(draft);
    const settled = isAsMuch ? nothing : await settleClocks.ofTeam(call, team);
    return {
      guards: [...proof, guard, {check: 'revision', id, revision: member.revision}, ...settled.guards],
      writes: [...changed, ...settled.writes],
      events: [{type: 'team.member_updated', about: drawn, revision, team: team.id}],
      reply: {kind: 'resource', of: changed[0]},
    };
  }

  async function planRemove(
    call: Call,
    reference: string,
    whom: string,
    expected?: Expected,
  ): Promise<Commit> {
    const {team, guard} = await requireTeam(call, reference);
    const {member, place} = await findBoth(call, team, whom);
    const leaves = call.principal.id === member?.id;
    const proof = leaves ? [] : await authority.requireLead(call, team, 'change who is in it');
    if (place === undefined) throw notInTeam(team, whom);
    requireRevision(expected, place.revision);
    const [about, revision] = [drawnPart(place.id), place.revision];
    const settled = await settleClocks.ofTeam(call, team);
    return {
      effect: 'release',
      guards: [...proof, guard, ...settled.guards],
      writes: [...leaveWrites(place), ...settled.writes],
      events: [{type: 'team.member_removed', about, revision, team: team.id}],
      reply: {kind: 'empty'},
    };
  }

  /** Current memberships with the current names of their members, without members who are gone. */
  async function named(
    {workspace, deadline}: Caller,
    rows: readonly WireJson<TeamMember>[],
  ): Promise<WireJson<TeamMember>[]> {
    const places = rows.map(parseWire);
    const ids = places.map(({member}) => member.id);
    const members = await records.findMany(workspace, ids, deadline);
    return places.flatMap((place, i) => {
      const {name} = members[i] ?? {};
      return name === undefined ? [] : [JSON.stringify({...place, member: {...place.member, name}})];
    });
  }

  return {
    async listTeamMembers(access, reference, page) {
      const {team} = await requireTeam(access, reference);
      const query = {list: lists.teamMembers(team.id), ...page};
      const {rows, next} = await readPage(records, access, query);
      return {rows: await named(access, rows), next};
    },
    async findTeamMember(access, reference, whom) {
      const {team} = await requireTeam(access, reference);
      const {member, place} = await findBoth(access, team, whom);
      if (member === undefined || place === undefined) throw notInTeam(team, whom);
      return {...place, member: {...place.member, name: member.name}};
    },
    async countExpected(access, reference, among) {
      const {team} = await requireTeam(access, reference);
      if (among !== undefined)
        return (await records.listExpected(access.workspace, team.id, among, access.deadline)).size;
      const [all, observers] = await Promise.all(
        [lists.teamMembers(team.id), lists.observersOf(team.id)].map((list) =>
          records.count(access.workspace, list, access.deadline),
        ),
      );
      return (all ?? 0) - (observers ?? 0);
    },
    setTeamMember: (call, team, member, role, expected) =>
      mutate(call, () => planSet(call, team, member, role, expected)),
    removeTeamMember: (call, team, member, expected) =>
      mutate(call, () => planRemove(call, team, member, expected)),
  };
}

function notInTeam({slug}: Team, reference: string): AppError {
  const detail = `There is no member ${quoted(reference)} in the team "${slug}", as an id, an e-mail address or a Slack user. GET /v1/teams/${slug}/members lists its members.`;
  return new AppError('not_found', detail);
}
