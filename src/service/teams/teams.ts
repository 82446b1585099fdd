import type {WireJson} from '../../domain/core/resource.js';
import type {Page, PageQuery} from '../../domain/core/lists.js';
import type {Call, Caller} from '../../domain/core/access.js';
import type {Answer} from '../core/answers.js';
import {createNameSearch} from '../../domain/core/name-search.js';
import type {NewTeam, Team, TeamChange, TeamDirectory} from '../../domain/teams/team.js';
import {createTeamChangePlanner} from './change-team.js';
import {createTeamCreationPlanner} from './create-team.js';
import {createTeamDeletion} from './delete-team.js';
import {createTeamFinder, listTeamsBelowPosition} from './find-team.js';
import {listTeamsOfReference} from '../core/memberships.js';
import type {Precondition} from '../core/precondition.js';
import type {ChannelChoice} from './team-channels.js';
import type {ServiceContext} from '../core/context.js';

export interface TeamQuery extends PageQuery {
  /** A search text: beginnings of words in the team's name or slug. */
  readonly name?: string | undefined;
  /** A member of the team: an id, an e-mail address, a Slack user or `me`. */
  readonly member?: string | undefined;
}

export type TeamService = ReturnType<typeof createTeamService>;

export function createTeamService(context: ServiceContext) {
  const {mutate, teams, authority} = context;
  const requireTeam = createTeamFinder(context);
  const planCreate = createTeamCreationPlanner(context);
  const planChange = createTeamChangePlanner(context);
  const {planDelete, purgeTeam} = createTeamDeletion(context);

  return {
    /**
     * Creates a team. Errors: `slug_taken`, `limit_reached`, `validation_failed` for a Slack channel that
     * another team has, `forbidden` if a plain member names a Slack channel by its id (`by-id`, the
     * default of `choice`).
     */
    createTeam: (call: Call, input: NewTeam, choice: ChannelChoice = 'by-id'): Promise<Answer<Team>> =>
      mutate(call, () => planCreate(call, input, choice)),
    findTeam: async (access: Caller, reference: string): Promise<Team> =>
      (await requireTeam(access, reference))[0],
    /** Finds a team for a form that changes it. Errors: `forbidden` as for `changeTeam`. */
    async findTeamToChange(access: Caller, reference: string): Promise<Team> {
      const [team] = await requireTeam(access, reference);
      await authority.requireLead(access, team, 'change it');
      return team;
    },
    /** Leaves out the teams that a person may not see from a channel of Slack. */
    narrowDirectory: teams.amongIn,
    findDirectory: (access: Caller): Promise<TeamDirectory> => teams.of(access),
    /** Lists teams, newest first. Errors: `invalid_parameter` and `insufficient_scope` for `member`. */
    async listTeams(access: Caller, {name, member, past, limit}: TeamQuery): Promise<Page<WireJson<Team>>> {
      const [directory, among] = await Promise.all([
        teams.of(access),
        listTeamsOfReference(context.records, access, member),
      ]);
      const isNamed = name === undefined ? () => true : createNameSearch(name);
      const isWanted = ({id, name: own, slug}: Team) => among?.has(id) !== false && isNamed([own, slug]);
      const found = listTeamsBelowPosition(directory, past, isWanted);
      const page = found.slice(0, limit);
      return {
        rows: page.map(({team}) => JSON.stringify(team)),
        next: found.length > limit ? page.at(-1)?.position : undefined,
      };
    },
    /** Changes a team. Errors: `forbidden` except for leads and admins; otherwise as `createTeam`. */
    changeTeam: (
      call: Call,
      reference: string,
      change: TeamChange,
      expected?: Precondition,
      choice: ChannelChoice = 'by-id',
    ): Promise<Answer<Team>> => mutate(call, () => planChange(call, reference, change, choice, expected)),
    /** Deletes a team. Errors: `team_not_empty` without `force`, which also removes the team's standups. */
    deleteTeam: (
      call: Call,
      reference: string,
      {force}: {force: boolean},
      expected?: Precondition,
    ): Promise<Answer<void>> => mutate(call, () => planDelete(call, reference, force, expected)),
    /** Removes some of what a deleted team has left. Returns true if there is more. */
    purgeTeam,
  };
}
