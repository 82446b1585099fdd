import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {randomUUID} from 'node:crypto';
import {actions} from '../../src/bot/slack/blocks/names.js';
import type {Id} from '../../src/domain/core/ids.js';
import {operatorCall} from '../../src/service/workspaces/workspaces.js';
import {asId} from '../support/ids.js';
import {startService, type TestService} from '../support/service.js';
import {type FailureServer, startFailureServer} from '../support/slack-failure-server.js';
import {fillForm, type View, viewOf} from '../support/slack-form.js';
import {createRecordingLog, sendSigned, signingSecret} from '../support/slack-harness.js';
import {type SlackWorkspaces, startSlackWorkspaces} from '../support/slack-workspaces.js';
import {until} from '../support/until.js';

// The app is installed in both workspaces, each with its own team for the shared channel. Slack has one id
// for the channel.
const [inviting, visiting, organisation] = ['T0INVITES', 'T0VISITS', 'E0VISITS'];
const channel = 'C000000001';
/** A user of the visiting workspace who is linked to a member of the inviting one as well. */
const linked = {id: 'U0LINKED01', username: 'grace', name: 'grace', team_id: visiting};
/** A user of the visiting workspace without a member in the inviting one. */
const browser = {id: 'U0VISITOR1', username: 'alan', name: 'alan', team_id: visiting};

const publicUrl = 'https://standup.example.com';
const app = {
  app_id: 'A1',
  client_id: '123.456',
  client_secret: 'a-client-secret-of-the-tests',
  name: 'Standup',
  redirect_uris: [`${publicUrl}/slack/oauth_redirect`],
};

let slacks: SlackWorkspaces;
let slack: FailureServer;
let service: TestService;
let home: Id<'workspace'>;
let away: Id<'workspace'>;
beforeAll(async () => {
  slacks = await startSlackWorkspaces([inviting, visiting], app);
  slack = await startFailureServer(() => slacks.url);
  service = await startService({
    log: createRecordingLog([]),
    env: {
      SLACK_CLIENT_ID: app.client_id,
      SLACK_CLIENT_SECRET: app.client_secret,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${slack.url}/api/`,
      PUBLIC_URL: publicUrl,
    },
  });
  home = await install(inviting, inviting);
  away = await install(visiting, organisation, {organisation});
  for (const {id} of [linked, browser]) {
    slacks.describe(inviting, id, {team_id: visiting});
    slacks.describe(visiting, id, {team_id: visiting});
  }
  const {members} = service.core.services;
  await members.createMember(operatorCall(home, newDeadline()), {name: 'Grace', slack_user_id: linked.id});
  for (const {id, name} of [linked, browser])
    await members.createMember(operatorCall(away, newDeadline()), {name, slack_user_id: id});
});
beforeEach(() => slack.clear());
afterAll(async () => {
  await service.close();
  await slack.close();
  await slacks.close();
});

const newDeadline = () => performance.now() + 5_000;

async function install(team: string, slackId: string, options: {organisation?: string} = {}) {
  const begun = await fetch(`${service.url}/slack/install`, {redirect: 'manual'});
  const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
  const back = await slacks.allow(team, begun.headers.get('location') ?? '', options);
  const {pathname, search} = new URL(back);
  await fetch(`${service.url}${pathname}${search}`, {headers: {cookie}});
  const id = await service.core.store.slackInstallations.findWorkspace(slackId, newDeadline());
  const workspace = id ?? asId('');
  const fields = {slug: 'platform', name: 'Platform', slack_channel_id: channel};
  await service.core.services.teams.createTeam(operatorCall(workspace, newDeadline()), fields);
  return workspace;
}

async function updatesIn(workspace: Id<'workspace'>): Promise<string[]> {
  const {rows} = await service.core.services.standups.listStandups(operatorCall(workspace, newDeadline()), {
    limit: 100,
  });
  return rows.map((row) => (JSON.parse(row) as {update: string}).update);
}

const send = (payload: object) => sendSigned(service.url, {payload: JSON.stringify(payload)});

/**
 * Slack's fields for a user of another workspace in a view: the user's workspace and organisation, not the
 * app's.
 */
const fromElsewhere = () => ({
  team: {id: visiting, domain: 'visits', enterprise_id: organisation, enterprise_name: 'Visiting'},
  enterprise: {id: organisation, name: 'Visiting'},
  is_enterprise_install: false,
  api_app_id: app.app_id,
  token: 'x',
  trigger_id: randomUUID(),
});

/** A view as Slack returns it, with the user's workspace and that of the app's installation. */
const within = (view: View, installed = inviting) => ({
  ...view,
  team_id: visiting,
  app_id: app.app_id,
  app_installed_team_id: installed,
  bot_id: 'B1',
  root_view_id: 'V0SHARED01',
  previous_view_id: null,
  external_id: '',
});

/** The form from a button in the shared channel, on a message of the inviting workspace's app. */
async function open(user: typeof linked): Promise<View> {
  const trigger = await slacks.trigger(inviting, 'U000000001');
  await send({
    type: 'block_actions',
    ...fromElsewhere(),
    // For a message, Slack names the app's workspace.
    team: {id: inviting, domain: 'invites'},
    enterprise: null,
    user,
    trigger_id: trigger,
    container: {type: 'message', message_ts: '1.1', channel_id: channel, is_ephemeral: false},
    channel: {id: channel, name: 'shared'},
    response_url: `${slack.url}/respond/${user.id}`,
    actions: [
      {type: 'button', block_id: 'b', action_id: actions.openForm, action_ts: '1', value: '{"mode":"new"}'},
    ],
  });
  const [opened] = await until(() => slack.of('views.open').length > 0 && slack.of('views.open'));
  expect(opened?.token).toBe(`Bearer ${slacks.tokenOf(inviting)}`);
  return viewOf(opened);
}

const submit = (view: View, user: typeof linked, today: string, installed?: string) =>
  send({
    type: 'view_submission',
    ...fromElsewhere(),
    user,
    view: {...within(view, installed), ...fillForm(view, 'V0SHARED01', {today})},
    response_urls: [],
  });

describe('a modal opened over a channel that two Slack workspaces share', () => {
  it('regression: is submitted to the workspace that has installed the app, by a member of the other one', async () => {
    const reply = await submit(await open(linked), linked, 'across the border');
    expect(reply).toMatchObject({status: 200, text: ''});
    expect((await updatesIn(home)).join()).toContain('across the border');
    expect((await updatesIn(away)).join()).not.toContain('across the border');
    await until(() => JSON.stringify(slack.of('chat.postMessage')).includes('across the border'));
    const posted = slack.of('chat.postMessage').filter(({body}) => JSON.stringify(body).includes('across'));
    expect(posted.map(({token}) => token)).toEqual([`Bearer ${slacks.tokenOf(inviting)}`]);
  });

  it('regression: has buttons that work with the token of the workspace that has installed the app', async () => {
    const view = await open(linked);
    const reply = await send({
      type: 'block_actions',
      ...fromElsewhere(),
      user: linked,
      container: {type: 'view', view_id: 'V0SHARED01'},
      view: {...within(view), ...fillForm(view, 'V0SHARED01')},
      actions: [{type: 'button', block_id: 'b', action_id: actions.newUpdate, action_ts: '1', value: '{}'}],
    });
    expect(reply.status).toBe(200);
    const [shown] = await until(() => slack.of('views.update').length > 0 && slack.of('views.update'));
    expect(shown?.token).toBe(`Bearer ${slacks.tokenOf(inviting)}`);
    expect(shown?.body['view_id']).toBe('V0SHARED01');
  });

  it('regression: says to a person without an account in that workspace that they belong to another one, and posts nowhere', async () => {
    const view = await open(linked);
    const reply = await submit(view, browser, 'not mine to say');
    expect(reply.text).toContain('You belong to another Slack workspace');
    for (const workspace of [home, away])
      expect((await updatesIn(workspace)).join()).not.toContain('not mine to say');
  });

  it('regression: is submitted nowhere once the app has left its workspace, not even in the submitter’s organisation', async () => {
    const view = await open(linked);
    const reply = await submit(view, linked, 'to an app that has left', 'T0LEFT');
    expect(reply.text).toContain('Standup is not installed in this workspace');
    for (const workspace of [home, away])
      expect((await updatesIn(workspace)).join()).not.toContain('to an app that has left');
  });
});
