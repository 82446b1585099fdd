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
export function createTimeZoneChanges(context: ServiceContext) {
  const {records, teams} = context;
  const openDueRuns = createDueRunOpener(context);

  /** Handles a member who joins or leaves a team. */
  async function planTeamOpenings(call: Call, {id, schedule}: Pick<Team, 'id' | 'schedule'>) {
    return schedule?.clock === 'member' ? openDueRuns(call, id, 'clocks') : nothing;
  }

  return {
    ofTeam: planTeamOpenings,
    /** Handles a member, perhaps in many teams, who changes their time zone. */
    async ofMember(call: Call, member: PrincipalId): Promise<CommitPart> {
      const directory = await teams.all(call);
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
