import type {Access, PrincipalReference, RequestContext} from '../../domain/core/access.js';
import type {TeamDirectory} from '../../domain/teams/team.js';
import type {Teams} from '../../store/core/directories.js';

/**
 * A reader with the right by which it reads: its principal, and the scopes of its token. Without a principal: a
 * person of Slack who is no member yet.
 */
export interface TeamReader extends RequestContext, Pick<Access, 'scopes'> {
  readonly principal: PrincipalReference | undefined;
}

/**
 * The teams of a workspace, as use cases read them. Each use case names its reader: `of` a reader who is
 * shown what is found, or `all` for jobs and for rules that concern every team. This is the one place that
 * decides which teams a reader may see. Resources of other teams are treated like those of deleted teams.
 */
export type ReachedTeams = ReturnType<typeof createReachedTeams>;

export function createReachedTeams(teams: Teams) {
  const all = ({workspace, deadline}: RequestContext): Promise<TeamDirectory> =>
    teams.fresh(workspace, deadline);
  /** Returns those of these teams that a reader may see: at present, all of them. */
  const among = (directory: TeamDirectory, _reader: TeamReader): Promise<TeamDirectory> =>
    Promise.resolve(directory);

  return {
    /** Returns the current teams that a reader may see. */
    of: async (reader: TeamReader): Promise<TeamDirectory> => among(await all(reader), reader),
    all,
    among,
    /**
     * Returns what `of` returns, without waiting, but perhaps of an earlier version: the commit or the page that
     * depends on it checks its `version`. Undefined if none is known.
     */
    peekOf: ({workspace}: TeamReader): TeamDirectory | undefined => teams.peek(workspace),
    /** Returns what `of` returns, at this recent version or a newer one. */
    ofAt: async (reader: TeamReader, version: string): Promise<TeamDirectory> =>
      among(await teams.at(reader.workspace, version, reader.deadline), reader),
  };
}
