import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {addPerson} from '../people.js';
import {addFixtures, make, routes, sampleOf} from '../samples.js';

let service: TestService;
let receiver: Receiver;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const single = routes.filter(
  ({method, success: {list, tagged, mediaTypes}}) =>
    method === 'GET' && list !== true && tagged !== false && mediaTypes === undefined,
);

it('no strong ETag of a GET stays the same while its bytes change, whatever happens to members named in it', async () => {
  const ids = await addFixtures(workspace, receiver.url);
  const helper = await addPerson(service, workspace, {name: 'Grace Hopper', team: ids.slug});
  await workspace.request('PATCH', `/v1/blockers/${ids.blocker}`, {
    body: {state: 'acknowledged'},
    token: helper.token,
  });
  const paths = single.map((route) => sampleOf(route, ids).path);
  paths.push(`/v1/teams/${ids.team}/members/${helper.id}`);
  const look = async (path: string) => {
    const {status, headers, text} = await workspace.request('GET', path);
    return {path, status, tag: headers.get('etag'), text};
  };
  const rename = (id: string, name: string) =>
    workspace.request('PATCH', `/v1/members/${id}`, {body: {name}});

  const changes = [
    () => rename(helper.id, 'Rear Admiral Hopper'),
    () => rename(ids.member, 'Countess Lovelace'),
    () => workspace.request('PATCH', `/v1/teams/${ids.team}`, {body: {name: 'Another name'}}),
    () => workspace.request('DELETE', `/v1/members/${helper.id}`),
  ];
  let before = await Promise.all(paths.map(look));
  expect(before.filter(({tag}) => tag !== null).length).toBeGreaterThan(5);
  let seen = 0;
  for (const change of changes) {
    expect([200, 202, 204]).toContain((await change()).status);
    const after = await Promise.all(paths.map(look));
    for (const [i, {path, tag, text}] of after.entries()) {
      const had = before[i];
      if (tag === null || had === undefined || text === had.text) continue;
      seen += 1;
      expect({path, stays: tag === had.tag}).toEqual({path, stays: false});
    }
    before = after;
  }
  expect(seen).toBeGreaterThan(2);
});

it('a GET with the ETag from before a rename gets the new name, and no 304', async () => {
  const {id, token} = await addPerson(service, workspace, {name: 'Alan Turing', team: 'platform'});
  const blocker = await make(workspace, '/v1/blockers', {team: 'platform', text: 'No tape.'});
  const at = `/v1/blockers/${blocker.id}`;
  const changed = await workspace.request('PATCH', at, {body: {state: 'acknowledged'}, token});
  const membershipPath = `/v1/teams/platform/members/${id}`;
  const first = [await workspace.request('GET', at), await workspace.request('GET', membershipPath)];
  expect(first[0]?.headers.get('etag')).toBe(changed.headers.get('etag'));
  await workspace.request('PATCH', `/v1/members/${id}`, {body: {name: 'Dr Turing'}});
  for (const [i, path] of [at, membershipPath].entries()) {
    const tag = first[i]?.headers.get('etag') ?? '';
    const answer = await workspace.request('GET', path, {headers: {'if-none-match': tag}});
    expect({path, status: answer.status}).toEqual({path, status: 200});
    expect(answer.text).toContain('Dr Turing');
    // The revision is unchanged, and If-Match compares only that.
    const kept = await workspace.request('GET', path, {
      headers: {'if-none-match': answer.headers.get('etag') ?? ''},
    });
    expect(kept.status).toBe(304);
  }
  const patch = {state: 'raised'};
  const tag = first[0]?.headers.get('etag') ?? '';
  expect(
    (await workspace.request('PATCH', at, {body: patch, headers: {'if-match': tag}, token})).status,
  ).toBe(200);
});

it('a repeated change of a blocker gets the stored answer, with the present name of its member', async () => {
  const {id, token} = await addPerson(service, workspace, {name: 'Joan Clarke', team: 'platform'});
  const blocker = await make(workspace, '/v1/blockers', {team: 'platform', text: 'No bombe.'});
  const patch = () =>
    workspace.request('PATCH', `/v1/blockers/${blocker.id}`, {
      body: {state: 'acknowledged'},
      headers: {'idempotency-key': 'acknowledge-once'},
      token,
    });
  const first = await patch();
  await workspace.request('PATCH', `/v1/members/${id}`, {body: {name: 'Joan Murray'}});
  await workspace.request('PATCH', `/v1/blockers/${blocker.id}`, {body: {text: 'Another text.'}});
  const repeat = await patch();
  expect(repeat.headers.get('idempotent-replayed')).toBe('true');
  expect(repeat.body).toEqual({
    ...first.body,
    acknowledged_by: {...first.body.acknowledged_by, name: 'Joan Murray'},
  });
});
