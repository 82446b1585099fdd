import type {Principal} from '../../domain/core/access.js';
import type {Commit, Write} from '../../domain/commit/commit.js';
import {drawnPart, idTime} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {type Draft, toDraft} from '../../domain/core/resource.js';
import {isExpected, type Team, type TeamMember} from '../../domain/teams/team.js';
import type {How} from '../core/kind-rules.js';

/** Puts a person into a team; `drawn` is the drawn half of their place's id. The team may be one that the same commit makes. */
export function joinWrites(
  team: Pick<Team, 'id' | 'slug'>,
  member: Principal<'member'>,
  {role, accepted}: Pick<TeamMember, 'role' | 'accepted'>,
  drawn: string,
): Write[] {
  const [object, own] = ['team_member', {team: team.slug, team_id: team.id}] as const;
  const draft: Draft<TeamMember> = {object, ...own, member, role, accepted};
  const places = placesOf(draft).map((list) => ({list}));
  const isNew = idTime(team.id) === 0;
  return [
    {
      do: 'create',
      kind: 'team_member',
      drawn,
      draft,
      lists: places,
      ...(isNew && {ofNew: {kind: 'team', drawn: drawnPart(team.id)} as const}),
    },
    {do: 'join', team: team.id, member: member.id, role, accepted, place: drawn},
  ];
}

/** Gives a place in a team another role, the name that its member has by now, or their consent. */
export function changeWrites(place: TeamMember, draft: Draft<TeamMember>): Write[] {
  const {id, revision, created_at: createdAt} = place;
  return [
    {do: 'revise', id, from: revision, createdAt, draft},
    ...observeWrites(place, draft),
    {
      do: 'join',
      team: place.team_id,
      member: place.member.id,
      role: draft.role,
      accepted: draft.accepted,
      place: drawnPart(id),
    },
  ];
}

function observeWrites(place: TeamMember, draft: Draft<TeamMember>): Write[] {
  if (isExpected(place) === isExpected(draft)) return [];
  const [observers, placedAs] = [lists.observersOf(place.team_id), lists.teamMembers(place.team_id)];
  const [from, to] = isExpected(draft) ? [observers, null] : [null, observers];
  return [{do: 'relist', drawn: drawnPart(place.id), from, to, placedAs}];
}

/** Somebody who was put into a team takes part in it: its leads may act for them from then on. */
export function acceptPlace(place: TeamMember): Pick<Commit, 'writes' | 'events'> {
  const [about, revision, team] = [drawnPart(place.id), place.revision + 1, place.team_id];
  return {
    writes: changeWrites(place, {...toDraft(place), accepted: true}),
    events: [{type: 'team.member_updated', about, revision, team}],
  };
}

/** Takes a person out of a team; with `erase`, their name too. */
export function leaveWrites(place: TeamMember, how: How = 'remove'): Write[] {
  const {id, revision, team_id: team, member} = place;
  return [
    {do: how, id, from: revision, lists: placesOf(toDraft(place)), names: [member.id]},
    {do: 'leave', team, member: member.id},
  ];
}

function placesOf({team_id: team, member, role}: Draft<TeamMember>) {
  const observers = isExpected({role}) ? [] : [lists.observersOf(team)];
  return [lists.teamMembers(team), lists.teamsOfMember(member.id), ...observers];
}
