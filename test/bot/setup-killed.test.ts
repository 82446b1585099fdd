import {afterEach, expect, test} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import type {TeamMember} from '../../src/domain/teams/team.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {
  admin,
  botToken,
  channel,
  sendSigned,
  signingSecret,
  startEmulator,
} from '../support/slack-harness.js';
import {startFailureServer} from '../support/slack-failure-server.js';
import {startService} from '../support/service.js';
import {startServiceProcess} from '../support/service-process.js';
import {testRedisUrl} from '../support/redis-server.js';
import {until} from '../support/until.js';

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
});

test('regression: the bot joins the channel of a submitted form and people are added, even if the process is killed', async () => {
  const emulator = await startEmulator();
  closings.push(() => emulator.close());
  const slack = await startFailureServer(() => emulator.url);
  closings.push(() => slack.close());
  const redisUrl = await testRedisUrl();
  const env = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: `${slack.url}/api/`,
  };
  const command = await startService({redisUrl, env: {ROLES: 'web'}});
  closings.push(() => command.close());
  const workspace = await command.addWorkspace();
  const {members, teams, teamMembers} = command.core.services;
  await members.createMember(workspace.operator(), {name: 'Admin', role: 'owner', slack_user_id: admin.id});
  const service = await startServiceProcess({redisUrl, env});
  closings.push(() => service.kill());

  const chosen = ['U00000ADA', 'U0000GRACE', 'U0000ALAN'];
  const values = {
    name: {value: {type: 'plain_text_input', value: 'Mobile'}},
    zone: {value: {type: 'external_select', selected_option: {value: 'Europe/Berlin'}}},
    channel: {value: {type: 'conversations_select', selected_conversation: channel}},
    opens: {value: {type: 'timepicker', selected_time: '09:00'}},
  };
  const view = {
    callback_id: 'set-up-team',
    private_metadata: '{}',
    id: 'VKILLED',
    blocks: [],
    hash: 'h',
    state: {values},
  };
  const payload = {type: 'view_submission', team: {id: 'T000000001'}, user: admin, trigger_id: 't1', view};
  const team = async () => (await teams.findDirectory(workspace.operator())).byChannel(channel)?.id ?? '';
  slack.failAlways('conversations.join', {kind: 'hang'});
  const reply = await sendSigned(service.url, {payload: JSON.stringify(payload)});
  expect(JSON.stringify(reply.body)).toContain('Setting up');
  slack.failAlways('users.info', {kind: 'hang'});
  const people = {value: {type: 'multi_users_select', selected_users: chosen}};
  const adding = {
    ...view,
    callback_id: 'add-people',
    private_metadata: JSON.stringify({team: await team()}),
    id: 'VADDING',
    state: {values: {people}},
  };
  const added = await sendSigned(service.url, {payload: JSON.stringify({...payload, view: adding})});
  expect(JSON.stringify(added.body)).toContain('Saving');
  await until(() => slack.of('conversations.join').length > 0 && slack.of('users.info').length >= 3);
  await service.kill();

  slack.clear();
  await service.restart();
  // Makes the rest due, as if the first process's minute had passed.
  const ready = workspaceKeys(workspace.id).slackReady();
  const rests = ['finish-team/VKILLED', 'finish-team/VADDING'];
  await sendToRedis(
    redisUrl,
    rests.map((rest) => ['ZADD', ready, 'XX', '0', rest]),
  );
  const inTeam = async () => {
    const {rows} = await teamMembers.listTeamMembers(workspace.operator(), await team(), {limit: 100});
    return rows.map((row) => JSON.parse(row) as TeamMember);
  };
  await until(async () => (await inTeam()).length === 4, {what: 'everybody is in the team'});
  expect((await inTeam()).filter(({role}) => role === 'lead')).toHaveLength(1);
  await until(
    async () => {
      const left = await sendToRedis(
        redisUrl,
        rests.map((rest) => ['ZSCORE', ready, rest]),
      );
      return left.every((score) => score === null);
    },
    {what: 'nothing is left to do'},
  );
  const joined = slack.of('conversations.join').map(({body}) => body['channel']);
  expect(joined).toEqual([channel, channel]);
});
