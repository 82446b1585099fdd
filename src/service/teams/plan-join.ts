import type {CommitPart} from '../../domain/commit/commit.js';
import type {CreateWrite} from '../../domain/commit/writes.js';
import type {Call} from '../../domain/core/access.js';
import type {DrawId, Id} from '../../domain/core/ids.js';
import type {Team, TeamMember} from '../../domain/teams/team.js';
import type {SettleClocks} from '../runs/settle-clocks.js';
import {joinWrites} from './team-places.js';

/**
 * Adds a member to a team that they are not in. It first commits, on its own, the openings that are due by
 * the old time zones: everything else in the plan must be read after that.
 */
export type PlanJoin = (
  call: Call,
  team: Pick<Team, 'id' | 'slug' | 'schedule'>,
  member: {readonly id: Id<'member'>; readonly name: string; readonly revision: number},
  place: Pick<TeamMember, 'role' | 'accepted'>,
) => Promise<CommitPart & {readonly created: CreateWrite}>;

export function createPlanJoin({
  drawId,
  settleClocks,
}: {
  readonly drawId: DrawId;
  readonly settleClocks: Pick<SettleClocks, 'ofTeam'>;
}): PlanJoin {
  return async function planJoin(call, team, {id, name, revision}, place) {
    const drawn = drawId();
    const settled = await settleClocks.ofTeam(call, team);
    const joined = joinWrites(team, {type: 'member', id, name}, place, drawn);
    return {
      created: joined[0],
      guards: [
        {check: 'revision', id, revision},
        {check: 'place', team: team.id, member: id, is: 'none'},
        ...settled.guards,
      ],
      writes: [...joined, ...settled.writes],
      events: [{type: 'team.member_added', about: drawn, revision: 1, team: team.id}],
    };
  };
}
