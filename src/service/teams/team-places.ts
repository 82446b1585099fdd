import type {Principal} from '../../domain/core/access.js';
import type {CommitPart} from '../../domain/commit/commit.js';
import {
  type CreateWrite,
  createWrite,
  type How,
  type ReviseWrite,
  reviseWrite,
  type Write,
} from '../../domain/commit/writes.js';
import {drawnPart, idTime, type IdSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {type Draft, toDraft} from '../../domain/core/resource.js';
import {isExpected, type Team, type TeamMember} from '../../domain/teams/team.js';

/**
 * Adds a person to a team; `drawn` is the id suffix of the membership. The same commit may create the team.
 */
export function joinWrites(
  team: Pick<Team, 'id' | 'slug'>,
  member: Principal<'member'>,
  {role, accepted}: Pick<TeamMember, 'role' | 'accepted'>,
  drawn: IdSuffix<'team_member'>,
): readonly [CreateWrite, ...Write[]] {
  const [object, own] = ['team_member', {team: team.slug, team_id: team.id}] as const;
  const draft: Draft<TeamMember> = {object, ...own, member, role, accepted};
  const places = placesOf(draft).map((list) => ({list}));
  const isNew = idTime(team.id) === 0;
  const ofNew = isNew ? ({kind: 'team', drawn: drawnPart(team.id)} as const) : undefined;
  return [
    createWrite('team_member', drawn, draft, places, ofNew),
    {do: 'place', team: team.id, member: member.id, place: {role, accepted, drawn}},
  ];
}

/** Changes the role of a membership, the stored name of its member, or their consent. */
export function changeWrites(
  place: TeamMember,
  draft: Draft<TeamMember>,
): readonly [ReviseWrite, ...Write[]] {
  return [
    reviseWrite(place, draft),
    ...observeWrites(place, draft),
    {
      do: 'place',
      team: place.team_id,
      member: place.member.id,
      place: {role: draft.role, accepted: draft.accepted, drawn: drawnPart(place.id)},
    },
  ];
}

function observeWrites(place: TeamMember, draft: Draft<TeamMember>): Write[] {
  if (isExpected(place) === isExpected(draft)) return [];
  const [observers, placedAs] = [lists.observersOf(place.team_id), lists.teamMembers(place.team_id)];
  const move = isExpected(draft)
    ? {from: observers, to: null}
    : {from: null, to: {list: observers, placedAs}};
  return [{do: 'relist', drawn: drawnPart(place.id), ...move}];
}

/** A member who was added accepts the membership: the team's leads may act for them from then on. */
export function acceptPlace(place: TeamMember): CommitPart {
  const [about, revision, team] = [drawnPart(place.id), place.revision + 1, place.team_id];
  return {
    guards: [],
    writes: changeWrites(place, {...toDraft(place), accepted: true}),
    events: [{type: 'team.member_updated', about, revision, team}],
  };
}

/** Removes a person from a team; with `erase`, their name too. */
export function leaveWrites(place: TeamMember, how: How = 'remove'): Write[] {
  const {id, revision, team_id: team, member} = place;
  return [
    {do: 'remove', how, id, from: revision, lists: placesOf(toDraft(place)), names: [member.id]},
    {do: 'place', team, member: member.id, place: null},
  ];
}

function placesOf({team_id: team, member, role}: Draft<TeamMember>) {
  const observers = isExpected({role}) ? [] : [lists.observersOf(team)];
  return [lists.teamMembers(team), lists.teamsOfMember(member.id), ...observers];
}
