import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {type EventStreamClient, openEvents} from '../../support/event-stream-client.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {copyDatabase} from '../../support/set-back.js';
import {until} from '../../support/until.js';
import {expectProblem} from './expect-problem.js';
import {make} from '../samples.js';

let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;
let setBack: () => Promise<void>;
const open: EventStreamClient[] = [];

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}, streaming: {pulse: 100}});
  twin = await startService({env: {ROLES: 'web'}, redisUrl: service.redisUrl});
});

afterAll(async () => {
  await twin.close();
  await service.close();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
  setBack = await copyDatabase(service.redisUrl);
});

afterEach(() => {
  for (const client of open.splice(0)) client.cut();
});

/** Sends a request to the process that remembers nothing of the lost data. */
const ofTwin = (method: string, path: string, body?: unknown) =>
  sendRequest(twin.url, method, path, {token: workspace.token, body});

const post = (team = 'platform') =>
  workspace.request('POST', '/v1/standups', {body: {team, update: `For ${team}.`}});

const feed = (query = '') => workspace.request('GET', `/v1/events${query}`);

describe('regression: a restored store', () => {
  it('refuses a standup for a team that was lost, even in the process that created it', async () => {
    await make(workspace, '/v1/teams', {slug: 'lost'});
    expect((await post('lost')).status).toBe(201);
    await setBack();
    // As many changes as were lost, so that their number reveals nothing.
    await ofTwin('POST', '/v1/teams', {slug: 'found'});
    expect((await post('lost')).body).toMatchObject({code: 'team_not_found'});
    expect((await feed('?limit=100')).body.data.map(({type}: Json) => type)).not.toContain('standup.created');
  });

  it('shows a team created after the restore at once in every process', async () => {
    await make(workspace, '/v1/teams', {slug: 'lost'});
    expect((await post('lost')).status).toBe(201);
    await setBack();
    await ofTwin('POST', '/v1/teams', {slug: 'found'});
    expect((await post('found')).status).toBe(201);
    expect((await workspace.request('GET', '/v1/teams/found')).status).toBe(200);
    expect((await workspace.request('GET', '/v1/teams/lost')).status).toBe(404);
  });

  it('does not find a lost event, and shows the new event that has the same number', async () => {
    await post();
    const {body} = await feed('?limit=100');
    const lost = body.data.at(-1);
    expect((await workspace.request('GET', `/v1/events/${lost.id}`)).status).toBe(200);
    await setBack();
    const {id} = (await ofTwin('POST', '/v1/standups', {team: 'platform', update: 'Real.'})).body;
    expectProblem(await workspace.request('GET', `/v1/events/${lost.id}`), 'not_found');
    const real = (await feed('?limit=100')).body.data.at(-1);
    expect(real).toMatchObject({sequence: lost.sequence, data: {id}});
    expect((await workspace.request('GET', `/v1/events/${real.id}`)).body).toEqual(real);
  });
});

describe('regression: a consumer of the feed that has read lost events', () => {
  let lost: string;

  beforeEach(async () => {
    for (let i = 0; i < 3; i++) await post();
    lost = (await feed('?limit=100')).body.next_cursor;
    await setBack();
  });

  it('gets cursor_expired while the log ends before its cursor', async () => {
    expectProblem(await feed(`?cursor=${lost}`), 'cursor_expired');
    expectProblem(await workspace.request('GET', `/v1/events/stream?after=${lost}`), 'cursor_expired');
  });

  it('gets cursor_expired when the log ends at its cursor again, and when the log has grown past it', async () => {
    for (let i = 0; i < 4; i++) {
      await post();
      if (i >= 2) expectProblem(await feed(`?cursor=${lost}`), 'cursor_expired');
    }
    expectProblem(await workspace.request('GET', `/v1/events/stream?after=${lost}`), 'cursor_expired');
  });

  it('can continue from a cursor that was not lost', async () => {
    const {next_cursor: kept} = (await feed('?limit=2')).body;
    const {id} = (await post()).body;
    expect((await feed(`?cursor=${kept}`)).body.data.at(-1).data.id).toBe(id);
  });
});

describe('regression: a stream that has sent lost events', () => {
  let client: EventStreamClient;

  const follow = async (lastEventId?: string): Promise<EventStreamClient> => {
    const opened = await openEvents(service.url, {token: workspace.token, lastEventId});
    open.push(opened);
    return opened;
  };

  beforeEach(async () => {
    client = await follow();
    await until(() => client.lastId());
    for (let i = 0; i < 2; i++) await post();
    await until(() => client.events.length === 2);
    await setBack();
  });

  it('ends when the log has grown past its position again, and cannot be resumed', async () => {
    for (let i = 0; i < 5; i++) await ofTwin('POST', '/v1/standups', {team: 'platform', update: `${i}`});
    expect(await client.ended).toBe('end');
    expect(client.events).toHaveLength(2);
    const again = await follow(client.lastId());
    expect(again.status).toBe(410);
  });

  it('ends when the log ends before its position', async () => {
    expect(await client.ended).toBe('end');
    expect((await follow(client.lastId())).status).toBe(410);
  });
});
