import {describeUnknownMember, findReferredMember} from '../core/member-references.js';
import type {Call, Caller} from '../../domain/core/access.js';
import {type Commit, type Guard, nothing} from '../../domain/commit/commit.js';
import type {Answer} from '../core/answers.js';
import {AppError} from '../../domain/core/errors.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import {
  parseWire,
  type Draft,
  isUnchangedByDraft,
  toDraft,
  type WireJson,
} from '../../domain/core/resource.js';
import {
  isExpected,
  type Team,
  type TeamMember,
  createTeamNotFoundError,
  type TeamRole,
} from '../../domain/teams/team.js';
import {quoteForMessage} from '../../domain/core/text.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {readPage} from '../core/paging.js';
import type {Proof} from '../core/authority.js';
import {planNothing} from '../core/mutation.js';
import {type Precondition, requireRevision, refuseConditionOnMissing} from '../core/precondition.js';
import {createJoinPlanner} from './plan-join.js';
import {createChangeMembershipWrites, createRemoveMembershipWrites} from './membership-writes.js';
import type {ServiceContext} from '../core/context.js';
import {createTimeZoneChanges} from '../runs/time-zone-changes.js';

export function createTeamMemberService(context: ServiceContext) {
  const {mutate, records, teams, authority} = context;
  const timeZoneChanges = createTimeZoneChanges(context);
  const planJoin = createJoinPlanner(context);

  async function requireTeam(access: Caller, reference: string): Promise<{team: Team; guard: Guard}> {
    const directory = await teams.of(access);
    const team = directory.byReference(reference);
    if (team === undefined) throw createTeamNotFoundError(reference, directory, access);
    return {team, guard: {check: 'unchanged', collection: 'teams', version: directory.version}};
  }

  /** After a member is deleted, the membership exists until the job that clears the member's data is done. */
  async function findMemberAndMembership(
    access: Caller,
    team: Team,
    reference: string,
  ): Promise<{member: Member | undefined; membership: TeamMember | undefined}> {
    const {workspace, deadline} = access;
    const member = await findReferredMember(records, access, reference);
    if (member === undefined) return {member, membership: undefined};
    const found = await records.findMembership(workspace, team.id, member.id, deadline);
    const membership = found && (await records.findBySuffix(workspace, found.suffix, deadline));
    return {member, membership};
  }

  /** Checks that the caller may set the role. Members may only accept their own, unchanged. */
  async function requireMaySetRole(
    call: Call,
    team: Team,
    membership: TeamMember | undefined,
    role: TeamRole,
  ): Promise<Proof> {
    if (membership?.member.id === call.principal.id && membership.role === role) return [];
    return authority.requireLead(call, team, 'change who is in it');
  }

  async function planSetRole(
    call: Call,
    reference: string,
    memberReference: string,
    role: TeamRole,
    expected?: Precondition,
  ): Promise<Commit> {
    const {team, guard} = await requireTeam(call, reference);
    const {member, membership} = await findMemberAndMembership(call, team, memberReference);
    const proof = await requireMaySetRole(call, team, membership, role);
    if (member === undefined)
      throw new AppError('not_found', await describeUnknownMember(records, call, memberReference));
    const {id} = member;
    // A lead cannot gain the right to act for a member without the member's consent.
    const isConsent = call.principal.id === id || (await authority.findRole(call)) !== 'member';
    const principal = {type: 'member', id, name: member.name} as const;
    if (membership === undefined) {
      refuseConditionOnMissing(expected);
      const {created, guards, writes, events} = await planJoin(call, team, member, {
        role,
        accepted: isConsent,
      });
      const reply = {kind: 'resource', of: created} as const;
      return {guards: [...proof, guard, ...guards], writes, events, reply};
    }
    requireRevision(expected, membership.revision);
    const accepted = membership.accepted || isConsent;
    const draft: Draft<TeamMember> = {...toDraft(membership), member: principal, role, accepted};
    if (isUnchangedByDraft(membership, draft)) return planNothing(membership);
    const changed = createChangeMembershipWrites(membership, draft);
    const [suffix, revision] = [suffixOf(membership.id), membership.revision + 1];
    const isAsMuch = isExpected(membership) === isExpected(draft);
    const openings = isAsMuch ? nothing : await timeZoneChanges.ofTeam(call, team);
    return {
      guards: [...proof, guard, {check: 'revision', id, revision: member.revision}, ...openings.guards],
      writes: [...changed, ...openings.writes],
      events: [{type: 'team.member_updated', about: suffix, revision, team: team.id}],
      reply: {kind: 'resource', of: changed[0]},
    };
  }

  async function planRemoveMember(
    call: Call,
    reference: string,
    memberReference: string,
    expected?: Precondition,
  ): Promise<Commit> {
    const {team, guard} = await requireTeam(call, reference);
    const {member, membership} = await findMemberAndMembership(call, team, memberReference);
    const leaves = call.principal.id === member?.id;
    const proof = leaves ? [] : await authority.requireLead(call, team, 'change who is in it');
    if (membership === undefined) throw createNotInTeamError(team, memberReference);
    requireRevision(expected, membership.revision);
    const [about, revision] = [suffixOf(membership.id), membership.revision];
    const openings = await timeZoneChanges.ofTeam(call, team);
    return {
      effect: 'release',
      guards: [...proof, guard, ...openings.guards],
      writes: [...createRemoveMembershipWrites(membership), ...openings.writes],
      events: [{type: 'team.member_removed', about, revision, team: team.id}],
      reply: {kind: 'empty'},
    };
  }

  /** Returns memberships with the current names of their members, without members who are deleted. */
  async function addCurrentNames({workspace, deadline}: Caller, rows: readonly WireJson<TeamMember>[]) {
    const memberships = rows.map(parseWire);
    const ids = memberships.map(({member}) => member.id);
    const members = await records.findMany(workspace, ids, deadline);
    return memberships.flatMap((membership, i) => {
      const {name} = members[i] ?? {};
      return name === undefined
        ? []
        : [JSON.stringify({...membership, member: {...membership.member, name}})];
    });
  }

  return {
    /** Lists the members of a team with their current names, newest membership first. */
    async listTeamMembers(
      access: Caller,
      reference: string,
      page: PageQuery,
    ): Promise<Page<WireJson<TeamMember>>> {
      const {team} = await requireTeam(access, reference);
      const query = {list: lists.teamMembers(team.id), ...page};
      const {rows, next} = await readPage(records, access, query);
      return {rows: await addCurrentNames(access, rows), next};
    },
    async findTeamMember(access: Caller, reference: string, memberReference: string): Promise<TeamMember> {
      const {team} = await requireTeam(access, reference);
      const {member, membership} = await findMemberAndMembership(access, team, memberReference);
      if (member === undefined || membership === undefined) throw createNotInTeamError(team, memberReference);
      return {...membership, member: {...membership.member, name: member.name}};
    },
    /** Returns the number of members expected in a team; with `among`, of these members (ids) only. */
    async countExpected(access: Caller, reference: string, among?: readonly Id<'member'>[]): Promise<number> {
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
    /**
     * Adds a member of the workspace to a team with a role; 201 if they were not in it. A member added by a
     * lead still has to accept. Errors: `forbidden`, except for leads and for members who accept their own
     * membership.
     */
    setTeamMember: (
      call: Call,
      team: string,
      member: string,
      role: TeamRole,
      expected?: Precondition,
    ): Promise<Answer<TeamMember>> => mutate(call, () => planSetRole(call, team, member, role, expected)),
    /** Removes a member from a team. Every member may leave a team themselves. Errors: `forbidden`. */
    removeTeamMember: (
      call: Call,
      team: string,
      member: string,
      expected?: Precondition,
    ): Promise<Answer<void>> => mutate(call, () => planRemoveMember(call, team, member, expected)),
  };
}

function createNotInTeamError({slug}: Team, reference: string): AppError {
  const detail = `There is no member ${quoteForMessage(reference)} in the team "${slug}", as an id, an e-mail address or a Slack user. GET /v1/teams/${slug}/members lists its members.`;
  return new AppError('not_found', detail);
}
