import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {scopes} from '../../src/domain/core/access.js';
import {describeNextStep} from '../../src/domain/workspaces/setup.js';
import {prepareFirstRun} from '../../src/service/first-run.js';
import {operatorCall} from '../../src/service/workspaces/workspaces.js';
import {rowsOf, runStandup} from '../cli/run-standup.js';
import {testRedisUrl} from '../support/redis-server.js';
import {sendRequest, startService, type TestService} from '../support/service.js';

let service: TestService;

beforeEach(async () => {
  service = await startService();
});

afterEach(() => service.close());

const newDeadline = () => performance.now() + 5_000;
const prepare = () => prepareFirstRun(service.core.services, newDeadline());

it('the first start creates a workspace, a team, an owner of both, and one token that works in the first request', async () => {
  const {workspace, token = '', liveTokens} = await prepare();
  expect({slug: workspace.slug, liveTokens}).toEqual({slug: 'default', liveTokens: 1});
  const me = await sendRequest(service.url, 'GET', '/v1/me', {token});
  expect(me.body.principal).toMatchObject({type: 'member', name: 'Owner'});
  expect(me.body.scopes.toSorted()).toEqual([...scopes].toSorted());
  const body = {team: 'platform', update: 'Started the standup service.'};
  expect((await sendRequest(service.url, 'POST', '/v1/standups', {token, body})).status).toBe(201);
});

it('the first start knows what the owner does next', async () => {
  const {setup} = await prepare();
  expect(describeNextStep(setup)).toBe('name your workspace (1 of 7 done)');
});

it('regression: standup-admin doctor names the same next step as `npm start`, with the same count', async () => {
  const redisUrl = await testRedisUrl();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'standup-first-run-'));
  await writeFile(path.join(dataDir, 'redis.json'), JSON.stringify({url: redisUrl, pid: process.pid}));
  const local = await startService({redisUrl, mail: 'kept'});
  try {
    const {setup} = await prepareFirstRun(local.core.services, newDeadline());
    const rows = rowsOf((await runStandup(['doctor'], {DATA_DIR: dataDir})).stdout);
    expect(rows).toContainEqual(['Next', describeNextStep(setup)]);
    expect(rows).toContainEqual(['Mail', 'in the log', 'to send mails: set SMTP_URL and MAIL_FROM']);
  } finally {
    await local.close();
    await rm(dataDir, {recursive: true});
  }
});

it('a second start creates only a sign-in link and shows no token', async () => {
  const first = await prepare();
  const second = await prepare();
  expect(second).toMatchObject({workspace: first.workspace, token: undefined, liveTokens: 1});
});

it('an unfinished first start is completed by the next start', async () => {
  const {services} = service.core;
  const made = await services.workspaces.createWorkspace('default', newDeadline());
  await services.people.ensureOwner(operatorCall(made.id, newDeadline()), 'Owner');
  const {workspace, token} = await prepare();
  expect(workspace.id).toBe(made.id);
  expect(token).toBeDefined();
  const {teams} = await services.teams.findDirectory(operatorCall(made.id, newDeadline()));
  expect(teams.map(({slug}) => slug)).toEqual(['platform']);
});

it('the next start creates a token again when all have been revoked', async () => {
  const {workspace} = await prepare();
  const {tokens} = service.core.services;
  const call = () => operatorCall(workspace.id, newDeadline());
  for (const {id} of await tokens.listTokens(call())) await tokens.revokeToken(call(), id);
  expect((await prepare()).token).toBeDefined();
});
