import type {CommitPart} from '../../domain/commit/commit.js';
import type {CreateWrite} from '../../domain/commit/writes.js';
import type {Call} from '../../domain/core/access.js';
import type {Id} from '../../domain/core/ids.js';
import type {Team, TeamMember} from '../../domain/teams/team.js';
import {createTimeZoneChanges} from '../runs/time-zone-changes.js';
import type {ServiceContext} from '../core/context.js';
import {createAddMembershipWrites} from './membership-writes.js';

/** A member who joins a team. Without a revision the same commit creates them, and their id is provisional. */
export interface Joiner {
  readonly id: Id<'member'>;
  readonly name: string;
  readonly revision?: number;
}

/**
 * Plans the addition of a member to a team. First opens the runs that are due by the time zones before that,
 * each in a commit of its own. Read everything else in the plan after this call.
 */
export type PlanJoin = ReturnType<typeof createJoinPlanner>;

export function createJoinPlanner(context: ServiceContext) {
  const {generateSuffix} = context;
  const timeZoneChanges = createTimeZoneChanges(context);

  return async function planJoin(
    call: Call,
    team: Team,
    {id, name, revision}: Joiner,
    membership: Pick<TeamMember, 'role' | 'accepted'>,
  ): Promise<CommitPart & {readonly created: CreateWrite}> {
    const suffix = generateSuffix();
    const openings = await timeZoneChanges.ofTeam(call, team);
    const joined = createAddMembershipWrites(team, {type: 'member', id, name}, membership, suffix);
    return {
      created: joined[0],
      guards: [
        ...(revision === undefined ? [] : [{check: 'revision', id, revision} as const]),
        {check: 'membership', team: team.id, member: id, is: 'none'},
        ...openings.guards,
      ],
      writes: [...joined, ...openings.writes],
      events: [{type: 'team.member_added', about: suffix, revision: 1, team: team.id}],
    };
  };
}
