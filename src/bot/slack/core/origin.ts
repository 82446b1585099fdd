import type {AuthorizeResult, AuthorizeSourceData, Context} from '@slack/bolt';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';

/** The person's workspace, and the workspace of the app that shows the modal. */
interface InteractionOrigin {
  readonly team?: {readonly id?: string} | null;
  readonly view?: {readonly app_installed_team_id?: string};
}

/**
 * Finds the installation of a request. In a shared channel, only the view names the workspace that installed
 * the app, and Bolt does not read it for a press: https://github.com/slackapi/bolt-js/issues/1614
 */
export async function findInstallation(
  {teamId, enterpriseId, isEnterpriseInstall}: AuthorizeSourceData<boolean>,
  body: unknown,
): Promise<AuthorizeResult> {
  const found = {...(teamId !== undefined && {teamId}), ...(enterpriseId !== undefined && {enterpriseId})};
  const {team, view} = body as InteractionOrigin;
  const installed = view?.app_installed_team_id;
  // An organisation's installation serves all its workspaces.
  if (installed === undefined || team?.id === installed || isEnterpriseInstall) return found;
  // The empty text prevents Bolt from using its own value, as it would for undefined.
  return {teamId: installed, enterpriseId: ''};
}

export function readOrigin({teamId, enterpriseId, isEnterpriseInstall}: Context): SlackOrigin {
  return {team: teamId, enterprise: enterpriseId || undefined, orgWide: isEnterpriseInstall};
}

/** Returns the key of a Slack user. It includes the origin, since two workspaces may know one person. */
export function keyOfUser({enterprise, team}: SlackOrigin, user: string): string {
  return `${enterprise ?? ''}/${team ?? ''}/${user}`;
}
