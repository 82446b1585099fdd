import type {AuthorizeResult, AuthorizeSourceData, Context} from '@slack/bolt';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';

/** The person's workspace, and that of the app whose view they look at. */
interface InteractionOrigin {
  readonly team?: {readonly id?: string} | null;
  readonly view?: {readonly app_installed_team_id?: string};
}

/**
 * Bolt's `authorize`: finds the installation of a request. Bolt reads that from the body. In a channel that
 * two workspaces share, the body names the workspace and the organisation of the person; only the view names
 * the workspace that has installed the app. Bolt reads the view when it is submitted or closed, not for a
 * press within it, and it keeps the person's organisation. Source:
 * https://github.com/slackapi/bolt-js/issues/1614
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
  // Empty: Bolt replaces undefined with its own finding.
  return {teamId: installed, enterpriseId: ''};
}

/** The origin of a request, from the context that Bolt gives to its listener. */
export function originOf({
  teamId,
  enterpriseId,
  isEnterpriseInstall,
}: Pick<Context, 'teamId' | 'enterpriseId' | 'isEnterpriseInstall'>): SlackOrigin {
  return {team: teamId, enterprise: enterpriseId || undefined, orgWide: isEnterpriseInstall};
}
