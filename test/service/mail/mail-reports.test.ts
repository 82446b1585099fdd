import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {failingLimits} from '../../../src/domain/webhooks/webhook-failing.js';
import type {Services} from '../../../src/service/services.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {asId} from '../../support/ids.js';
import type {Run} from '../../../src/domain/runs/run.js';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {at, type MailScene, monday, startMailScene} from '../prompts/mail-scene.js';

let scene: MailScene;
beforeAll(async () => {
  scene = await startMailScene();
});
afterAll(() => scene.close());
beforeEach(() => scene.begin());

const tuesday = '2026-11-24';
const call = () => scene.workspace.operator();
const reports = async () =>
  (await scene.listMails()).filter(({fact}) => fact.kind === 'report' || fact.kind === 'week');
const add = (name: string, choice: Partial<Record<'daily' | 'weekly', boolean>>, more: object = {}) =>
  scene.addMember({name, email: `${name.toLowerCase()}@example.com`, reports: choice, ...more});
const post = (author: string, date = monday) =>
  scene.workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Tests.', author, date}});

/** Does the work that the closing of runs has made due, `times` at once. */
async function mailReports(times = 1): Promise<void> {
  const {waiting} = await scene.context.waitingWork.list(scene.workspace.id, 100, performance.now() + 5_000);
  for (const {work} of waiting) {
    if (work?.kind !== 'mail-reports') continue;
    await Promise.all(Array.from({length: times}, () => scene.services.mailReports(call(), work.run)));
  }
}

/** Forgets the work that is done, as its performer does. */
async function forgetWork(): Promise<void> {
  await sendToRedis(scene.service.redisUrl, [['DEL', workspaceKeys(scene.workspace.id).ready()]]);
}

async function composeReports() {
  const composed = (await reports()).map((mail) => scene.services.mails.compose(call(), mail));
  return (await Promise.all(composed)).map((mail) => mail?.content);
}

it('a run that closes is reported by mail to the members who chose that, once each', async () => {
  const ada = await add('Ada', {daily: true});
  await add('Lin', {}, {reminders: {enabled: false}});
  await add('Olga', {daily: true}, {reminders: {enabled: false}});
  await scene.addMember({name: 'Nameless', reports: {daily: true}});
  await scene.moveTo(at('09:00'));
  await post(ada);
  await scene.moveTo(at('11:00'));
  await mailReports(3);
  await mailReports();
  const found = await reports();
  expect(found.map(({to, fact}) => [to, fact.kind]).toSorted()).toEqual([
    ['ada@example.com', 'report'],
    ['olga@example.com', 'report'],
  ]);
  expect((await composeReports())[0]).toEqual({
    kind: 'report',
    team: 'Platform',
    date: monday,
    posted: 1,
    expected: 4,
    missing: [],
    missingCount: 3,
    away: [],
    url: 'http://localhost/app/t/platform?date=2026-11-23',
  });
});

it('the last run of a week is followed by its summary, and no other run is', async () => {
  const ada = await add('Ada', {weekly: true});
  await scene.moveTo(at('09:00'));
  await post(ada);
  await scene.moveTo(at('11:00'));
  await mailReports();
  expect(await reports()).toEqual([]);
  await scene.moveTo(at('09:00', tuesday));
  await scene.moveTo(at('11:00', tuesday));
  await mailReports(2);
  expect((await reports()).map(({fact}) => fact)).toEqual([
    {kind: 'week', team: suffixOf(scene.workspace.team), monday, run: expect.any(String)},
  ]);
  expect(await composeReports()).toMatchObject([{kind: 'week', posted: 1, expected: 2, runs: 2}]);
});

it('the summary of a week is sent when the team is paused before its last run, once', async () => {
  await add('Ada', {weekly: true, daily: true});
  await scene.moveTo(at('09:00'));
  await scene.moveTo(at('11:00'));
  await mailReports();
  expect((await reports()).map(({fact}) => fact.kind)).toEqual(['report']);
  await forgetWork();
  await scene.clock.set(at('14:00', tuesday) + 3 * 24 * 3_600_000);
  const change = (body: object) => scene.services.teams.changeTeam(call(), 'platform', body);
  await change({paused: true});
  await mailReports(2);
  const all = await reports();
  expect(all.map(({fact}) => fact.kind)).toEqual(['report', 'week']);
  expect(all[1]?.until).toBeGreaterThan(scene.context.clock.now());
  expect((await composeReports())[1]).toMatchObject({kind: 'week', runs: 1, expected: 1});
});

it('regression: the pause of a team queues no report of a run that closed more than a day before', async () => {
  const ada = await add('Ada', {});
  await scene.moveTo(at('09:00'));
  await scene.moveTo(at('11:00'));
  await mailReports();
  await forgetWork();
  await scene.clock.set(at('12:00', tuesday));
  await scene.workspace.request('PATCH', `/v1/members/${ada}`, {
    body: {reports: {daily: true, weekly: true}},
  });
  await scene.services.teams.changeTeam(call(), 'platform', {paused: true});
  await mailReports(2);
  expect((await reports()).map(({fact}) => fact.kind)).toEqual(['week']);
});

it('regression: a week whose team was paused and went on has another summary after its last run', async () => {
  await add('Ada', {weekly: true});
  const change = (paused: boolean) => scene.services.teams.changeTeam(call(), 'platform', {paused});
  await scene.moveTo(at('09:00'));
  await scene.moveTo(at('11:00'));
  for (const paused of [true, false, true, false]) {
    await change(paused);
    await mailReports(2);
  }
  expect(await reports()).toHaveLength(1);
  await forgetWork();
  await scene.moveTo(at('09:00', tuesday));
  await scene.moveTo(at('11:00', tuesday));
  await mailReports(2);
  await change(true);
  await mailReports(2);
  expect((await reports()).map(({fact}) => fact.kind)).toEqual(['week', 'week']);
});

it('a report names who is missing only in a team that shows it', async () => {
  await scene.workspace.request('PATCH', '/v1/teams/platform', {body: {names_missing: true}});
  await add('Ada', {daily: true});
  await scene.moveTo(at('09:00'));
  await scene.moveTo(at('11:00'));
  await mailReports();
  expect(await composeReports()).toMatchObject([{missing: ['Ada'], missingCount: 1}]);
});

it('a report that waits is dropped when its member no longer wants it, or has left the team', async () => {
  const ada = await add('Ada', {daily: true});
  const lin = await add('Lin', {daily: true});
  await scene.moveTo(at('09:00'));
  await scene.moveTo(at('11:00'));
  await mailReports();
  expect(await reports()).toHaveLength(2);
  await scene.workspace.request('PATCH', `/v1/members/${ada}`, {body: {reports: {daily: false}}});
  await scene.workspace.request('DELETE', `/v1/teams/platform/members/${lin}`);
  expect(await composeReports()).toEqual([undefined, undefined]);
});

it('a run that closed too late, because the service was down, is not reported by mail', async () => {
  await add('Ada', {daily: true});
  await scene.moveTo(at('09:00'));
  await scene.moveTo(at('14:00'));
  const {body} = await scene.workspace.request('GET', '/v1/teams/platform/runs');
  expect((body.data as Run[])[0]).toMatchObject({state: 'closed'});
  await mailReports();
  expect(await reports()).toEqual([]);
});

it('a report is queued for no member who is erased while it is planned', async () => {
  const ada = await add('Ada', {daily: true});
  await scene.moveTo(at('09:00'));
  await scene.moveTo(at('11:00'));
  const {commits} = scene.context;
  let left = 1;
  const run: typeof commits.run = async (...given) => {
    if (left-- > 0) await scene.workspace.request('DELETE', `/v1/members/${ada}?erase=true`);
    return commits.run(...given);
  };
  const services = scene.createServices({commits: {...commits, run}});
  const {body} = await scene.workspace.request('GET', '/v1/teams/platform/runs');
  await services.mailReports(call(), suffixOf((body.data as Run[])[0]?.id as Run['id']));
  expect(left).toBeLessThan(1);
  expect(await reports()).toEqual([]);
});

it('a mail warns only those owners and admins of a failing webhook who are not warned in Slack', async () => {
  const admin = (name: string, more: object = {}) => add(name, {}, {role: 'admin', ...more});
  await admin('Ada', {slack_user_id: 'U0ADA'});
  await admin('Lin');
  const body = {url: 'https://hooks.example.com', events: ['*']};
  const {id} = (await scene.workspace.request('POST', '/v1/webhooks', {body})).body;
  const webhook = suffixOf(asId<'webhook'>(id));
  const slack = {mode: 'token', transport: 'http', workspace: scene.workspace.id} as const;
  const warnBy = async (services: Services): Promise<string[]> => {
    const key = workspaceKeys(scene.workspace.id).webhookState(webhook);
    const since = String(scene.clock.now() - failingLimits.warn.ms);
    const fields = ['failing', since, 'failed', '5'];
    const {connection} = scene.service.core.store;
    await connection.call(performance.now() + 5_000, ['HSET', key, ...fields]);
    await connection.call(performance.now() + 5_000, ['HDEL', key, 'warned']);
    await services.webhookFailures.judgeWebhook(call(), webhook);
    return (await scene.listMails()).map(({to}) => to).toSorted();
  };
  expect(await warnBy(scene.createServices({slack}))).toEqual(['lin@example.com']);
  await scene.moveTo(at('07:00'));
  expect(await warnBy(scene.services)).toEqual(['ada@example.com', 'lin@example.com', 'lin@example.com']);
});

it('regression: a mail says that a webhook was disabled also after an edit, until it is enabled', async () => {
  await add('Lin', {}, {role: 'admin'});
  const body = {url: 'https://hooks.example.com', events: ['*']};
  const {id} = (await scene.workspace.request('POST', '/v1/webhooks', {body})).body;
  const disable = () => scene.services.webhookFailures.disableWebhook(call(), asId(id), 'gone');
  const change = (changed: object) => scene.workspace.request('PATCH', `/v1/webhooks/${id}`, {body: changed});
  const compose = async () => {
    const composed = (await scene.listMails()).map((mail) => scene.services.mails.compose(call(), mail));
    return (await Promise.all(composed)).map((mail) => mail?.content.kind);
  };
  await disable();
  expect((await change({description: 'For the wall'})).status).toBe(200);
  expect(await compose()).toEqual(['webhook']);
  await change({enabled: true});
  expect(await compose()).toEqual([undefined]);
  await scene.moveTo(at('07:00'));
  await disable();
  expect(await compose()).toEqual([undefined, 'webhook']);
});

it('a lead without Slack gets a mail when a run closes with someone missing or blocked, in place of the daily report', async () => {
  const ada = await add('Ada', {daily: true});
  const lin = await add('Lin', {});
  await scene.workspace.request('PUT', `/v1/teams/platform/members/${ada}`, {body: {role: 'lead'}});
  await scene.clock.set(at('08:00', '2026-11-21'));
  const raise = {body: {team: 'platform', text: 'No tape.', author: lin}};
  await scene.workspace.request('POST', '/v1/blockers', raise);
  await scene.moveTo(at('09:00'));
  await post(ada);
  await scene.moveTo(at('11:00'));
  await mailReports(3);
  const [mail, ...others] = (await scene.listMails()).filter(({fact}) => fact.kind !== 'reminder');
  expect(others).toEqual([]);
  if (mail === undefined) throw new Error('no mail');
  expect([mail.to, mail.fact]).toMatchObject(['ada@example.com', {kind: 'notice', about: 'lead_summary'}]);
  const compose = async () => (await scene.services.mails.compose(call(), mail))?.content;
  expect(await compose()).toEqual({
    kind: 'lead_summary',
    summary: {
      team: {id: scene.workspace.team, slug: 'platform', name: 'Platform'},
      date: monday,
      posted: 1,
      expected: 2,
      missing: ['Lin'],
      away: [],
      blockers: [{id: expect.any(String), author: 'Lin', text: 'No tape.', days: 2, owner: null}],
    },
    url: 'http://localhost/app/t/platform?date=2026-11-23',
  });
  const change = (path: string, body: object) => scene.workspace.request('PATCH', path, {body});
  await change('/v1/teams/platform', {lead_summary: 'never'});
  expect(await compose()).toBeUndefined();
  await change('/v1/teams/platform', {lead_summary: 'always'});
  await change(`/v1/members/${ada}`, {reports: {notices: false}});
  expect(await compose()).toBeUndefined();
  await change(`/v1/members/${ada}`, {reports: {notices: true}});
  expect(await compose()).toBeDefined();
  await scene.workspace.request('PUT', `/v1/teams/platform/members/${ada}`, {body: {role: 'member'}});
  expect(await compose()).toBeUndefined();
});

it('no lead is mailed about a closing that needs nothing, unless the team wants it always', async () => {
  const ada = await add('Ada', {});
  await scene.workspace.request('PUT', `/v1/teams/platform/members/${ada}`, {body: {role: 'lead'}});
  const mailed = async (): Promise<number> =>
    (await scene.listMails()).filter(({fact}) => fact.kind === 'notice').length;
  await scene.moveTo(at('09:00'));
  await post(ada);
  await scene.moveTo(at('11:00'));
  await mailReports();
  expect(await mailed()).toBe(0);
  await scene.workspace.request('PATCH', '/v1/teams/platform', {body: {lead_summary: 'always'}});
  await scene.moveTo(at('09:00', tuesday));
  await post(ada, tuesday);
  await scene.moveTo(at('11:00', tuesday));
  await mailReports();
  expect(await mailed()).toBe(1);
});

it('a run that two processes close at once is closed once, and each lead gets one mail about it', async () => {
  const leads = [await add('Ada', {}), await add('Grace', {}), await add('Lin', {})];
  for (const lead of leads)
    await scene.workspace.request('PUT', `/v1/teams/platform/members/${lead}`, {body: {role: 'lead'}});
  await scene.moveTo(at('09:00'));
  await post(leads[0]!);
  await scene.clock.set(at('11:00'));
  const processes: Services[] = [scene.services, scene.createServices({}), scene.createServices({})];
  const team = suffixOf(asId<'team'>(scene.workspace.team));
  await Promise.all(
    processes.map(async ({runs}) => {
      while (await runs.advanceRuns(call(), team));
    }),
  );
  const {body} = await scene.workspace.request('GET', '/v1/events?limit=100');
  const closed = (body.data as {type: string}[]).filter(({type}) => type === 'run.closed');
  expect(closed).toHaveLength(1);
  await Promise.all(processes.map(() => mailReports(2)));
  const notices = (await scene.listMails()).filter(({fact}) => fact.kind === 'notice');
  expect(notices.map(({to}) => to).toSorted()).toEqual([
    'ada@example.com',
    'grace@example.com',
    'lin@example.com',
  ]);
});
