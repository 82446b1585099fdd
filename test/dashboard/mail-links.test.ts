import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {AppError} from '../../src/domain/core/errors.js';
import type {Id} from '../../src/domain/core/ids.js';
import {expectProblem} from '../api/http/expect-problem.js';
import {sendRequest, type Json, type TestResponse} from '../support/service.js';
import {at, type MailScene, monday, startMailScene} from '../service/prompts/mail-scene.js';
import {createTestBrowser, passOf} from './test-browser.js';

let scene: MailScene;
let ada: Id<'member'>;
/** The links of the mail that reminds Ada. */
let later: string;
let stop: string;

beforeAll(async () => {
  scene = await startMailScene();
});
afterAll(() => scene.close());
beforeEach(async () => {
  await scene.begin();
  ada = await scene.addMember({email: 'ada@example.com'});
  await scene.moveTo(at('09:00'));
  const [mail] = await scene.listMails();
  const composed = mail && (await scene.services.mails.compose(scene.workspace.operator(), mail));
  if (composed?.content.kind !== 'reminder') throw new Error('no reminder');
  later = passOf(composed.content.laterUrl);
  stop = new URL(composed.stopUrl ?? '').pathname;
});

const ask = (path: string, body?: Json): Promise<TestResponse> =>
  createTestBrowser(scene.service).ask('POST', path, {body});
const follow = (act: Json, token = later) => ask('/app/reminder', {token, ...act});
const member = async (): Promise<Json> => (await scene.workspace.request('GET', `/v1/members/${ada}`)).body;
const skips = async (): Promise<Json[]> =>
  (await scene.workspace.request('GET', `/v1/absences?member=${ada}`)).body.data;

describe('a link that snoozes or skips', () => {
  it('shows what is open, and only a press changes something', async () => {
    for (const method of ['GET', 'HEAD'])
      expect((await sendRequest(scene.service.url, method, '/app/reminder')).status).toBe(200);
    const {status, body} = await follow({look: true});
    expect(status).toBe(200);
    expect(body).toEqual({
      member: ada,
      name: 'Ada',
      date: monday,
      state: 'open',
      teams: ['Platform'],
      until: null,
    });
    expect(await skips()).toEqual([]);
  });

  it('snoozes for 30 minutes, and skips the day once, however often it is opened', async () => {
    const until = new Date(at('09:30')).toISOString();
    expect((await follow({snooze: 30})).body).toMatchObject({state: 'snoozed', until});
    await scene.clock.set(at('09:10'));
    expect((await follow({snooze: 30})).body).toMatchObject({state: 'snoozed', until});
    for (let i = 0; i < 2; i += 1)
      expect((await follow({skip: true})).body).toMatchObject({state: 'skipped', teams: []});
    expect(await skips()).toMatchObject([{kind: 'skip', from: monday, until: monday}]);
    await scene.moveTo(at('09:30'));
    expect(await scene.listMails()).toHaveLength(1);
  });

  it('does nothing after the run has closed', async () => {
    await scene.moveTo(at('11:00'));
    for (const act of [{look: true}, {snooze: 30}, {skip: true}])
      expect((await follow(act)).body).toMatchObject({state: 'over', teams: []});
    expect(await skips()).toEqual([]);
  });

  it('ends when the address of the member changes or the member leaves, and opens nothing else', async () => {
    expectProblem(await follow({look: true}, stop.slice(stop.lastIndexOf('/') + 1)), 'invalid_token');
    expectProblem(await follow({look: true}, `${later.slice(0, -2)}AA`), 'invalid_token');
    await scene.workspace.request('PATCH', `/v1/members/${ada}`, {body: {email: 'new@example.com'}});
    expectProblem(await follow({skip: true}), 'invalid_token');
    await scene.workspace.request('DELETE', `/v1/members/${ada}`);
    expectProblem(await follow({skip: true}), 'invalid_token');
  });

  it.each([{snooze: 31}, {}, {skip: false}, {skip: true, snooze: 30}])('refuses the body %o', async (act) =>
    expectProblem(await follow(act), 'validation_failed'),
  );
});

describe('a link that unsubscribes', () => {
  it('ends reminders by mail with one click of a mail client, any number of times, and changes nothing else', async () => {
    const before = await member();
    for (let i = 0; i < 3; i += 1) {
      const headers = {'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example'};
      const body = 'List-Unsubscribe=One-Click';
      const answer = await sendRequest(scene.service.url, 'POST', stop, {headers, body});
      expect(answer.status).toBe(200);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    const after = await member();
    expect(after).toMatchObject({revision: before.revision + 1, reminders: {channels: ['slack']}});
    expect({...after, revision: 0, updated_at: '', reminders: {}}).toEqual({
      ...before,
      revision: 0,
      updated_at: '',
      reminders: {},
    });
  });

  it('shows a page, which changes nothing by itself', async () => {
    for (const method of ['GET', 'HEAD']) {
      const {status, headers} = await sendRequest(scene.service.url, method, stop);
      expect(status).toBe(303);
      expect(headers.get('location')).toBe(stop.replace('/unsubscribe/', '/reminder#stop.'));
    }
    const token = stop.slice(stop.lastIndexOf('/') + 1);
    const look = async () => (await ask('/app/unsubscribe', {token})).body;
    expect(await look()).toEqual({from: 'reminders', email: 'a…@example.com', active: true});
    await ask(stop);
    expect(await look()).toMatchObject({active: false});
  });

  it('ends when the address of the member changes, and is no link of another kind', async () => {
    expectProblem(await ask(`/app/unsubscribe/${later}`), 'invalid_token');
    await scene.workspace.request('PATCH', `/v1/members/${ada}`, {body: {email: 'new@example.com'}});
    expectProblem(await ask(stop), 'invalid_token');
    expect((await member()).reminders.channels).toEqual(['slack', 'mail']);
  });
});

it('a repeated press is answered only by a commit, so that replicas confirm what the first one changed', async () => {
  const {mailLinks} = scene.createServices({
    commits: {
      ...scene.context.commits,
      run: async (...given) => {
        await scene.context.commits.run(...given);
        throw new AppError('service_unavailable', 'Too few replicas confirm changes.');
      },
    },
  });
  const asked = () => ({deadline: performance.now() + 5_000});
  const day = await mailLinks.requireReminder(later, asked());
  const presses = {
    snooze: () => mailLinks.actOnDay(day, {snooze: 30}, asked()),
    skip: () => mailLinks.actOnDay(day, {skip: true}, asked()),
    stop: async () => {
      const token = stop.slice(stop.lastIndexOf('/') + 1);
      await mailLinks.unsubscribe(await mailLinks.requireSubscription(token, asked()), asked());
    },
  };
  for (const press of Object.values(presses))
    for (let i = 0; i < 2; i += 1) await expect(press()).rejects.toMatchObject({code: 'service_unavailable'});
});

it.each(['/app/reminder', '/app/unsubscribe'])('%s is refused to pages of other sites', async (path) => {
  const headers = {'sec-fetch-site': 'cross-site'};
  const answer = await createTestBrowser(scene.service).ask('POST', path, {
    headers,
    body: {token: later, skip: true},
  });
  expectProblem(answer, 'forbidden');
  expect(await skips()).toEqual([]);
});
