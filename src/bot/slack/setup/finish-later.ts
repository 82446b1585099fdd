import {AppError} from '../../../domain/core/errors.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Perform} from '../../../domain/core/work.js';
import type {TeamRest} from '../../../domain/slack/team-rest.js';
import type {SlackContext} from '../core/context.js';
import type {PeopleDeps} from './people.js';
import {completeTeamSetup, type Rest} from './save-team.js';
import type {Id} from '../../../domain/core/ids.js';

export interface FinishLaterParts extends PeopleDeps {
  readonly rests: SlackContext['rests'] & {
    take: (workspace: Id<'workspace'>, form: string, deadline: number) => Promise<TeamRest | undefined>;
  };
}

/** Finishes setups whose process has ended. Every step is safe to repeat. */
export function createFinishSetupJob(parts: FinishLaterParts): Perform<{kind: 'finish-team'; form: string}> {
  // Only the process in which a person opened their Home tab can update it.
  const deps = {...parts, refreshHome: () => undefined};
  const within = () => performance.now() + deadlines.job;

  async function findRemainingSetup(workspace: Id<'workspace'>, form: string): Promise<Rest | undefined> {
    const kept = await deps.rests.take(workspace, form, within());
    if (kept === undefined) return undefined;
    try {
      const slackWorkspace = await deps.identities.findSlackWorkspace(kept.origin, within());
      const call = await deps.identities.admit(slackWorkspace, kept.user, within());
      const team = await deps.services.teams.findTeamToChange(call, kept.team);
      const {texts} = await deps.identities.translationFor(kept.origin, kept.user);
      return {...kept, slackWorkspace, call, texts, viewId: form, team, text: undefined};
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'forbidden'))
        throw error;
      deps.log.warn({workspace, code: error.code}, 'dropped the rest of a setup');
      await deps.rests.drop(workspace, form, within());
      return undefined;
    }
  }

  return async ({workspace, work, signal}) => {
    const rest = await findRemainingSetup(workspace, work.form);
    if (rest === undefined) return {more: false};
    const stopping = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), {once: true});
    });
    // A process that is stopping leaves the setup to the next one.
    await Promise.race([completeTeamSetup(deps, rest), stopping]);
    return {more: false};
  };
}
