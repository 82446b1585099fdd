import {parseWire} from '../../domain/core/resource.js';
import {type CommitPart, joinCommitParts, nothing} from '../../domain/commit/commit.js';
import type {Call, PrincipalId} from '../../domain/core/access.js';
import {lists} from '../../domain/core/lists.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {createDueRunOpener} from './open-due-runs.js';

/**
 * Plans what has to happen to a team's runs when time zones in the team change: the next run may then open at
 * another time. Returns the part that must be added to the commit of the change; empty if the team uses only
 * its own time zone.
 */
export interface TimeZoneChanges {
  /** Handles a member who joins or leaves a team. */
  ofTeam: (call: Call, team: Pick<Team, 'id' | 'schedule'>) => Promise<CommitPart>;
  /** Handles a member, perhaps in many teams, who changes their time zone. */
  ofMember: (call: Call, member: PrincipalId) => Promise<CommitPart>;
}

export function createTimeZoneChanges(context: ServiceContext): TimeZoneChanges {
  const {records, teams} = context;
  const openDueRuns = createDueRunOpener(context);

  async function planTeamOpenings(
    call: Call,
    {id, schedule}: Pick<Team, 'id' | 'schedule'>,
  ): Promise<CommitPart> {
    return schedule?.clock === 'member' ? openDueRuns(call, id, 'clocks') : nothing;
  }

  return {
    ofTeam: planTeamOpenings,
    async ofMember(call, member) {
      const directory = await teams.fresh(call.workspace, call.deadline);
      if (!directory.teams.some(({schedule}) => schedule?.clock === 'member')) return nothing;
      const query = {list: lists.teamsOfMember(member), limit: directory.teams.length};
      const {rows} = await records.list(call.workspace, query, call.deadline);
      const parts: CommitPart[] = [];
      for (const {json} of rows) {
        const team = directory.byReference(parseWire(json).team_id);
        if (team !== undefined) parts.push(await planTeamOpenings(call, team));
      }
      return joinCommitParts(parts);
    },
  };
}
