import {parseWire} from '../../domain/core/resource.js';
import {type CommitPart, joinCommitParts, nothing} from '../../domain/commit/commit.js';
import type {Call, PrincipalId} from '../../domain/core/access.js';
import {lists} from '../../domain/core/lists.js';
import type {Team} from '../../domain/teams/team.js';
import type {Teams} from '../../store/core/directories.js';
import type {Records} from '../../store/core/records.js';
import type {OpenDueRuns} from './open-due-runs.js';

/**
 * For every change of the time zones that a team's members follow: its next run may then open at another
 * time. Returns the part that the commit of the change adds: nothing when the team uses its own time zone.
 */
export interface TimeZoneChanges {
  /** A member joins a team, or leaves it. */
  ofTeam: (call: Call, team: Pick<Team, 'id' | 'schedule'>) => Promise<CommitPart>;
  /** A member, who may be in many teams, changes their time zone. */
  ofMember: (call: Call, member: PrincipalId) => Promise<CommitPart>;
}

export function createTimeZoneChanges({
  openDueRuns,
  records,
  teams,
}: {
  readonly openDueRuns: OpenDueRuns;
  readonly records: Pick<Records, 'list'>;
  readonly teams: Pick<Teams, 'fresh'>;
}): TimeZoneChanges {
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
