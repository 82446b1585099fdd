import type {Call} from '../domain/access.js';
import type {Guard} from '../domain/commit.js';
import {notFound} from '../domain/errors.js';
import type {Team, TeamDirectory} from '../domain/team.js';
import type {Teams} from './stores.js';

/** A team by id or slug, and the teams of its workspace as they were then. Errors: `not_found`. */
export type RequireTeam = (
  access: Pick<Call, 'workspace' | 'deadline'>,
  reference: string,
) => Promise<[Team, TeamDirectory]>;

export function createRequireTeam({teams}: {readonly teams: Pick<Teams, 'fresh'>}): RequireTeam {
  return async function requireTeam({workspace, deadline}, reference) {
    const directory = await teams.fresh(workspace, deadline);
    const team = directory.byReference(reference);
    if (team === undefined) throw notFound('team');
    return [team, directory];
  };
}

/** No team has been made, changed or deleted since they were read. */
export function unchangedSince({version}: TeamDirectory): Guard {
  return {check: 'unchanged', collection: 'teams', version};
}
