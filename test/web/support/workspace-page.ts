import type {Person} from '../../api/people.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {type FailureServer, startFailureServer} from '../../support/slack-failure-server.js';
import {signingSecret} from '../../support/slack-harness.js';
import {openDashboard, type BrowserStage, type Tab} from './stage.js';

// The page of a workspace with Slack connected, for both test files about it.
export let slack: FailureServer;
export let stage: BrowserStage;
export let tab: Tab;

export const newDeadline = () => performance.now() + 5_000;
export const channel = 'C024BE91L';

export async function openWorkspace(): Promise<void> {
  // No Slack behind the proxy: every call has a planned reply.
  slack = await startFailureServer(() => 'http://127.0.0.1:9');
  const scopes = ['commands', 'chat:write', 'users:read', 'channels:join', 'im:history'];
  const reply = {ok: true, team: 'Acme', team_id: 'T0ACME', user: 'standup', response_metadata: {scopes}};
  slack.failAlways('auth.test', {kind: 'replied', reply});
  slack.failAlways('auth.revoke', {kind: 'replied', reply: {ok: true, revoked: true}});
  stage = await openDashboard(
    {
      ROLES: 'web',
      SLACK_CLIENT_ID: '123.456',
      SLACK_CLIENT_SECRET: 'a-client-secret-of-the-tests',
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${slack.url}/api/`,
    },
    {name: 'Acme'},
  );
  const ada: Person = await stage.addPerson({
    name: 'Ada Lovelace',
    role: 'admin',
    team: 'platform',
    slack_user_id: 'U0ADA',
  });
  const {store, services} = stage.service.core;
  const {workspace} = stage;
  await store.slackInstallations.claim('T0ACME', workspace.id, {alone: false}, newDeadline());
  const installer = {slackUser: 'U0ADA', name: 'Ada Lovelace', timezone: null};
  const grant = {slackId: 'T0ACME', name: 'Acme', botToken: 'xoxb-test', installer};
  await services.slackConnections.connect(grant, newDeadline());
  await workspace.request('PATCH', '/v1/teams/platform', {body: {slack_channel_id: channel}});
  const trouble = {team: suffixOf(workspace.team), code: 'not_in_channel'};
  await store.slackTroubles.note(workspace.id, channel, trouble, newDeadline());
  await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Compiled.'}});
  // No job runs here, so the erasure stays in its first state.
  const leaver = await stage.addPerson({name: 'Alan Turing', team: 'platform'});
  await workspace.request('DELETE', `/v1/members/${leaver.id}?erase=true`);
  tab = await stage.signIn(ada, {path: '/workspace'});
}

export async function closeWorkspace(): Promise<void> {
  await stage.close();
  await slack.close();
}

export const asked = async () => (await stage.workspace.request('GET', '/v1/workspace')).body;
