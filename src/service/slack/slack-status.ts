import type {Page, PageQuery} from '../../domain/core/lists.js';
import type {Caller, RequestContext} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import type {Team} from '../../domain/teams/team.js';
import {createRefusedTokenMessage} from '../../domain/slack/slack-installation.js';
import type {SlackTroubleRecords} from '../../store/slack/slack-troubles.js';
import type {SlackConnection} from '../../domain/slack/slack-status.js';
import type {ServiceContext} from '../core/context.js';
import type {SlackSetup} from '../core/environment.js';
import type {People} from '../members/people.js';
import {createWorkspaceService} from '../workspaces/workspaces.js';

export function createSlackStatus(context: ServiceContext, {people}: {readonly people: People}) {
  const {slack, slackGateway, slackInstallations, slackTroubles, teams} = context;
  const {findWorkspace} = createWorkspaceService(context);

  return {
    async findConnection(call: RequestContext): Promise<SlackConnection> {
      const {workspace, deadline} = call;
      const known = slack?.mode === 'oauth' ? await slackInstallations.find(workspace, deadline) : undefined;
      const {connected} = (await findWorkspace(call)).slack;
      const refusal = slackGateway?.refusal();
      const [look, by] = await Promise.all([
        connected || refusal !== undefined ? slackGateway?.look(workspace, deadline) : undefined,
        connected && known?.by !== undefined
          ? people.findPrincipal(workspace, known.by, deadline)
          : undefined,
      ]);
      const kept = known && {id: known.slackId, name: known.name ?? known.slackId, url: null};
      return {
        object: 'slack_connection',
        connected,
        mode: slack?.mode ?? null,
        transport: slack?.transport ?? null,
        slack_workspace: look?.workspace ?? kept ?? null,
        bot_name: look?.bot ?? null,
        connected_at: connected && known !== undefined ? toInstant(known.installedAt) : null,
        connected_by: by ?? null,
        missing_scopes: look?.missing ?? [],
        missing_optional_scopes: look?.missingOptional ?? [],
        problem: look?.problem ?? null,
        install_url: slack?.installUrl ?? null,
        advice: chooseAdvice(slack, {connected, wasConnected: known !== undefined, refusal}),
      };
    },
    /** Lists the channels that belong to a team, in the order in which the teams were created; as `Page`. */
    async listChannels(access: Caller, {past, limit}: PageQuery): Promise<Page> {
      const {workspace, deadline} = access;
      const directory = await teams.of(access);
      const start = past ?? 0;
      const having = directory.teams.filter(({slack_channel_id: channel}) => channel !== null);
      const shown = having.slice(start, start + limit);
      const troubles = await Promise.all(
        shown.map(({slack_channel_id: channel}) => slackTroubles.find(workspace, channel ?? '', deadline)),
      );
      const rows = shown.map((team, i) => JSON.stringify(presentChannel(team, troubles[i])));
      return {rows, next: start + limit < having.length ? start + limit : undefined};
    },
  };
}

function presentChannel(
  {id, slug, name, slack_channel_id: channel, slack_digest: digest}: Team,
  trouble: Awaited<ReturnType<SlackTroubleRecords['find']>>,
) {
  return {
    object: 'slack_channel',
    id: channel,
    team: slug,
    team_id: id,
    team_name: name,
    posts: ['standups', ...(digest === 'off' ? [] : ['reports'])],
    trouble: trouble !== undefined && (trouble.state !== 'done' || trouble.lost.length > 0),
  };
}

function chooseAdvice(
  slack: SlackSetup | undefined,
  {
    connected,
    wasConnected,
    refusal,
  }: {connected: boolean; wasConnected: boolean; refusal: string | undefined},
): string {
  if (slack === undefined) {
    return 'Slack is not set up in this installation. The operator sets it up as described in docs/slack.md.';
  }
  if (refusal !== undefined) return createRefusedTokenMessage(refusal);
  if (slack.mode === 'token') {
    return connected
      ? 'The connection is set by configuration. The operator changes or removes SLACK_BOT_TOKEN. For a missing permission, install the app again in Slack.'
      : 'The configured Slack token is for another workspace here. The operator names that workspace with SLACK_WORKSPACE.';
  }
  const install = `Anyone who can add apps to the Slack workspace opens ${slack.installUrl}`;
  if (connected) return `${install} again to grant a missing permission, or to renew the token.`;
  if (wasConnected) return `${install} to connect it again. Waiting posts are sent then.`;
  return `${install}. That creates a separate workspace for a new Slack workspace, unless SLACK_WORKSPACE and SLACK_WORKSPACE_TEAM name this one.`;
}
