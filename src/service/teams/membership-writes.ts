import type {Principal} from '../../domain/core/access.js';
import type {CommitPart} from '../../domain/commit/commit.js';
import {
  type CreateWrite,
  createWrite,
  type RemovalMode,
  type ReviseWrite,
  reviseWrite,
  type Write,
} from '../../domain/commit/writes.js';
import {type Id, suffixOf, parseCreationTime, type IdSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {type Draft, toDraft} from '../../domain/core/resource.js';
import {isExpected, type Team, type TeamMember} from '../../domain/teams/team.js';

/** Adds a person to a team. The same commit may create one of both. `suffix`: that of the membership. */
export function createAddMembershipWrites(
  team: Pick<Team, 'id' | 'slug'>,
  member: Principal<'member'>,
  {role, accepted}: Pick<TeamMember, 'role' | 'accepted'>,
  suffix: IdSuffix<'team_member'>,
): readonly [CreateWrite, ...Write[]] {
  const [object, own] = ['team_member', {team: team.slug, team_id: team.id}] as const;
  const draft: Draft<TeamMember> = {object, ...own, member, role, accepted};
  const listings = listMembershipLists(draft).map((list) => ({list}));
  const isNew = (id: Id) => parseCreationTime(id) === 0;
  const ofNew = isNew(team.id)
    ? ({kind: 'team', suffix: suffixOf(team.id)} as const)
    : isNew(member.id)
      ? ({kind: 'member', suffix: suffixOf(member.id)} as const)
      : undefined;
  return [
    createWrite('team_member', suffix, draft, listings, ofNew),
    {do: 'set-membership', team: team.id, member: member.id, membership: {role, accepted, suffix}},
  ];
}

/** Changes a membership: its role, its member's stored name, or the member's consent. */
export function createChangeMembershipWrites(
  membership: TeamMember,
  draft: Draft<TeamMember>,
): readonly [ReviseWrite, ...Write[]] {
  return [
    reviseWrite(membership, draft),
    ...createMoveObserverWrites(membership, draft),
    {
      do: 'set-membership',
      team: membership.team_id,
      member: membership.member.id,
      membership: {role: draft.role, accepted: draft.accepted, suffix: suffixOf(membership.id)},
    },
  ];
}

function createMoveObserverWrites(membership: TeamMember, draft: Draft<TeamMember>): Write[] {
  if (isExpected(membership) === isExpected(draft)) return [];
  const [observers, positionFrom] = [
    lists.observersOf(membership.team_id),
    lists.teamMembers(membership.team_id),
  ];
  const move = isExpected(draft)
    ? {from: observers, to: null}
    : {from: null, to: {list: observers, positionFrom}};
  return [{do: 'relist', suffix: suffixOf(membership.id), ...move}];
}

/** Accepts a membership for its member. From then on the team's leads may act for the member. */
export function acceptMembership(membership: TeamMember): CommitPart {
  const [about, revision, team] = [suffixOf(membership.id), membership.revision + 1, membership.team_id];
  return {
    guards: [],
    writes: createChangeMembershipWrites(membership, {...toDraft(membership), accepted: true}),
    events: [{type: 'team.member_updated', about, revision, team}],
  };
}

/** Removes a person from a team. `erase`: removes their name too. */
export function createRemoveMembershipWrites(membership: TeamMember, how: RemovalMode = 'remove'): Write[] {
  const {id, revision, team_id: team, member} = membership;
  return [
    {
      do: 'remove',
      how,
      id,
      from: revision,
      lists: listMembershipLists(toDraft(membership)),
      names: [member.id],
    },
    {do: 'set-membership', team, member: member.id, membership: null},
  ];
}

function listMembershipLists({team_id: team, member, role}: Draft<TeamMember>) {
  const observers = isExpected({role}) ? [] : [lists.observersOf(team)];
  return [lists.teamMembers(team), lists.teamsOfMember(member.id), ...observers];
}
