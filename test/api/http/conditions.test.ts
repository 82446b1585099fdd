import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {startReceiver, type Receiver} from '../../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {runConcurrently} from '../../support/side-by-side.js';
import {expectProblem} from './expect-problem.js';
import {eventsOf, make, randomName} from '../samples.js';
import {sampleUnlessDeep} from '../../support/deep.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

interface ResourceKind {
  readonly noun: string;
  readonly collection: string;
  readonly create: () => object;
  readonly change: object;
  readonly same: object;
}

/** All kinds of resources with revisions. */
const kinds: readonly ResourceKind[] = [
  {
    noun: 'standup',
    collection: '/v1/standups',
    create: () => ({team: 'platform', update: 'One.', metadata: {build: '1'}}),
    change: {update: 'Two.'},
    same: {update: 'One.', metadata: {build: '1', absent: null}},
  },
  {
    noun: 'team',
    collection: '/v1/teams',
    create: () => ({slug: randomName(), name: 'One'}),
    change: {name: 'Two'},
    same: {name: 'One', timezone: 'UTC', slack_channel_id: null, slack_post_mode: 'thread'},
  },
  {
    noun: 'webhook',
    collection: '/v1/webhooks',
    create: () => ({url: receiver.url, events: ['team.deleted'], description: 'One'}),
    change: {description: 'Two'},
    same: {description: 'One', events: ['team.deleted'], enabled: true, teams: null},
  },
];

describe.each(kinds)('a $noun', ({noun, collection, create, change, same}) => {
  let path: string;

  beforeAll(async () => {
    workspace = await service.addWorkspace();
  });
  beforeEach(async () => {
    path = `${collection}/${(await make(workspace, collection, create())).id}`;
  });

  const get = (headers: Record<string, string> = {}) => workspace.request('GET', path, {headers});
  const patch = (body: object, headers: Record<string, string> = {}) =>
    workspace.request('PATCH', path, {body, headers});

  it('has its revision as the strong ETag of every answer', async () => {
    const made = await workspace.request('POST', collection, {body: create()});
    expect(made.headers.get('etag')).toBe('"1"');
    expect(made.headers.get('location')).toBe(`${collection}/${made.body.id}`);
    expect((await get()).headers.get('etag')).toBe('"1"');
    expect((await patch(change)).headers.get('etag')).toBe('"2"');
    expect((await get()).headers.get('etag')).toBe('"2"');
  });

  it('If-None-Match with the present tag, weak or strong, alone or among others, or with * is answered 304', async () => {
    for (const tag of ['"1"', 'W/"1"', '"7", "1"', '*']) {
      const {status, text, headers} = await get({'if-none-match': tag});
      expect({tag, status, text}).toEqual({tag, status: 304, text: ''});
      expect(headers.get('etag')).toBe('"1"');
      expect(headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  it('the full resource is sent for If-None-Match with another tag, and without If-None-Match', async () => {
    for (const tag of ['"2"', '"10"', '1', '""'])
      expect({tag, status: (await get({'if-none-match': tag})).status}).toEqual({tag, status: 200});
  });

  it.each(['"1"', '*', '"7", "1"'])('changes with If-Match: %s', async (tag) => {
    expect((await patch(change, {'if-match': tag})).body.revision).toBe(2);
  });

  const others = [
    '"2"',
    'W/"1"',
    '"one"',
    '"7", "8"',
    '"01"',
    '"1.0"',
    '"1.x.y"',
    '"1."',
    '" 1"',
    '"+1"',
    '"1e0"',
  ];
  it(`a change with another tag in If-Match is refused: ${others.join(' or ')}`, async () => {
    const before = await eventsOf(workspace);
    await runConcurrently(sampleUnlessDeep(others, 5), async (tag) => {
      const refused = await patch(change, {'if-match': tag});
      expectProblem(refused, 'precondition_failed', {header: 'If-Match'});
      expect({tag, now: refused.headers.get('etag')}).toEqual({tag, now: '"1"'});
      const kept = await workspace.request('DELETE', path, {headers: {'if-match': tag}});
      expectProblem(kept, 'precondition_failed');
    });
    expect((await get()).body.revision).toBe(1);
    expect(await eventsOf(workspace)).toEqual(before);
  });

  it('a weak or foreign tag in If-Match is refused as not comparable, not as a conflict', async () => {
    for (const tag of ['W/"1"', '"01"', '"one"']) {
      const {body} = await patch(change, {'if-match': tag});
      expect(body.detail).toBe(
        '`If-Match` has no strong entity tag as the service gives them; a weak one (`W/"…"`) matches nothing. The resource is at revision 1: send `If-Match: "1"`.',
      );
    }
  });

  it('an If-Match that is no entity tag is refused', async () => {
    await runConcurrently(['1', '"1', 'x"1"', '"1",', ''], async (tag) => {
      expectProblem(await patch(change, {'if-match': tag}), 'invalid_parameter', {header: 'If-Match'});
    });
  });

  it('a deletion with If-Match succeeds, and the same request afterwards gets a 404', async () => {
    const headers = {'if-match': '"1"'};
    const gone = await workspace.request('DELETE', path, {headers});
    expect({status: gone.status, text: gone.text}).toEqual({status: 204, text: ''});
    expectProblem(await get(), 'not_found');
    expectProblem(await patch(change, headers), 'not_found');
    expectProblem(await workspace.request('DELETE', path, {headers}), 'not_found');
  });

  it.each([
    ['an empty one', {}],
    ['one with the present values', same],
  ])('is not changed by a patch without effect: %s', async (_, body) => {
    const before = await eventsOf(workspace);
    const {body: first} = await get();
    const answer = await patch(body);
    expect({status: answer.status, body: answer.body}).toEqual({status: 200, body: first});
    expect(answer.headers.get('etag')).toBe('"1"');
    expect(await eventsOf(workspace)).toEqual(before);
  });

  it('a change causes one event, and leaves the id and created_at as they are', async () => {
    const {body: first} = await get();
    const {body: next} = await patch(change);
    expect(next).toMatchObject({id: first.id, created_at: first.created_at, ...change});
    expect(Date.parse(next.updated_at)).toBeGreaterThanOrEqual(Date.parse(first.updated_at));
    const [event] = (await eventsOf(workspace)).slice(-1);
    // The position in Slack and the thread are no part of a revision, and so of no event.
    const {slack: _slack, thread: _thread, ...revision} = next;
    expect(event).toMatchObject({type: `${noun}.updated`, data: revision});
    expect(Object.keys(event.previous_attributes)).toEqual(expect.arrayContaining(Object.keys(change)));
  });

  it('only one of two concurrent changes with the same revision in If-Match is made', async () => {
    const headers = {'if-match': '"1"'};
    const answers = await Promise.all([
      patch(change, headers),
      patch(change, headers),
      patch(change, headers),
    ]);
    expect(answers.map(({status}) => status).toSorted()).toEqual([200, 412, 412]);
    expect((await get()).body.revision).toBe(2);
  });

  it('unknown fields, null where it is not allowed, and a body that is no object are refused', async () => {
    expectProblem(await patch({id: 'x'}), 'validation_failed', {pointer: '#/id'});
    expectProblem(await patch({[Object.keys(change)[0] ?? '']: 7}), 'validation_failed');
    expectProblem(await patch([]), 'validation_failed', {pointer: '#'});
  });
});

it('concurrent edits without If-Match are all made, each as its own revision', async () => {
  const {id} = await make(workspace, '/v1/standups', {team: 'platform', update: 'Start.'});
  const answers = await Promise.all(
    Array.from({length: 8}, (_, i) =>
      workspace.request('PATCH', `/v1/standups/${id}`, {body: {update: `Edit ${i}`}}),
    ),
  );
  const made = answers.filter(({status}) => status === 200).map(({body}) => body.revision);
  expect(made.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});
