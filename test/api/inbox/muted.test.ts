import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {limits} from '../../../src/domain/core/limits.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {asId} from '../../support/ids.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let grace: Person;

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  grace = await addPerson(service, workspace, {name: 'Grace', team: 'platform'});
});

afterAll(() => service.close());

const ask = async (method: string, path: string, {token}: Person, body?: Json): Promise<Json> => {
  const answer = await workspace.request(method, path, {token, ...(body && {body})});
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};
const post = (author: Person, more: Json = {}) =>
  ask('POST', '/v1/standups', author, {team: 'platform', update: 'Shipped.', ...more});
const say = (author: Person, {id: standup}: Json, text: string, more: Json = {}) =>
  ask('POST', '/v1/comments', author, {standup, text, ...more});
const mute = (person: Person, {id}: Json, muted: boolean) =>
  ask('POST', '/v1/inbox/read', person, {standups: [id], muted});
const inboxOf = async (person: Person): Promise<Json[]> => (await ask('GET', '/v1/inbox', person))['data'];
const unreadOf = async (person: Person): Promise<number> =>
  (await ask('GET', '/v1/me', person))['inbox'].unread;
const dueOf = () =>
  service.core.store.connection.call<string[]>(performance.now() + 5_000, [
    'ZRANGE',
    workspaceKeys(workspace.id).noticesDue(),
    '0',
    '-1',
  ]);
const mention = (text: string) => ({text, format: 'markdown'});

it('a muted conversation is read, and adds nothing to the inbox, the badge or what is sent', async () => {
  const standup = await post(ada);
  await say(grace, standup, 'First');
  expect(await inboxOf(ada)).toMatchObject([{muted: false, unread: 1}]);
  await mute(ada, standup, true);
  await service.core.store.connection.call(performance.now() + 5_000, [
    'DEL',
    workspaceKeys(workspace.id).noticesDue(),
  ]);
  await say(grace, standup, 'Second');
  await ask('POST', '/v1/reactions', grace, {subject: standup['id'], add: ['👍']});
  expect(await inboxOf(ada)).toMatchObject([{muted: true, unread: 0, latest: {excerpt: 'First'}}]);
  expect(await unreadOf(ada)).toBe(0);
  expect(await dueOf()).toEqual([]);
  await mute(ada, standup, false);
  await say(grace, standup, 'Third');
  expect(await inboxOf(ada)).toMatchObject([{muted: false, unread: 1, latest: {excerpt: 'Third'}}]);
});

it('a mention by name ends a muting, and one of a team does not', async () => {
  const standup = await post(ada);
  await mute(ada, standup, true);
  const {team_id: team} = standup;
  await say(grace, standup, '', mention(`[@Platform](mention:${team})`));
  expect(await unreadOf(ada)).toBe(0);
  await say(grace, standup, '', mention(`[@Ada](mention:${ada.id})`));
  expect(await inboxOf(ada)).toMatchObject([{muted: false, unread: 1, reasons: ['mention']}]);
});

it('a comment of their own ends the muting of a member, and not that of others', async () => {
  const standup = await post(ada);
  await say(grace, standup, 'First');
  await mute(ada, standup, true);
  await mute(grace, standup, true);
  await say(ada, standup, 'Back again');
  await say(grace, standup, 'Welcome');
  expect(await unreadOf(ada)).toBe(1);
  const [ofAda] = await inboxOf(ada);
  expect(ofAda?.['muted']).toBe(false);
});

it('a muting needs the standups that it is about', async () => {
  const body = {until: 5, muted: true};
  const answer = await workspace.request('POST', '/v1/inbox/read', {token: ada.token, body});
  expectProblem(answer, 'validation_failed');
  expect(answer.body['errors']).toMatchObject([{pointer: '#/standups'}]);
});

it('a standup that does not exist, or that its reader may not see, is not muted', async () => {
  const {id: hidden} = await post(grace);
  const keys = workspaceKeys(workspace.id).muted(asId(ada.id));
  await mute(ada, {id: 'std_01h455vb4pex5vsknk084sn02q'}, true);
  const owner = await addPerson(service, workspace, {name: 'Olga', role: 'owner'});
  await ask('DELETE', `/v1/teams/platform/members/${ada.id}`, owner);
  await ask('PATCH', '/v1/teams/platform', owner, {visibility: 'private'});
  await mute(ada, {id: hidden}, true);
  const found = await service.core.store.connection.call(performance.now() + 5_000, ['EXISTS', keys]);
  expect(found).toBe(0);
});

it('the oldest muted conversations beyond the limit are forgotten', async () => {
  const standup = await post(ada);
  const keys = workspaceKeys(workspace.id).muted(asId(ada.id));
  const many = Array.from({length: limits.inboxMuted}, (_, i) => [String(i + 1), `old${i}`]).flat();
  const {call} = service.core.store.connection;
  await call(performance.now() + 5_000, ['ZADD', keys, ...many]);
  await mute(ada, standup, true);
  expect(await call(performance.now() + 5_000, ['ZCARD', keys])).toBe(limits.inboxMuted);
  expect(await call(performance.now() + 5_000, ['ZSCORE', keys, 'old0'])).toBeNull();
});
