import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {limits} from '../../../src/domain/core/limits.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let grace: Person;
let lead: Person;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', email: 'ada@example.com', team: 'platform'});
  grace = await addPerson(service, workspace, {name: 'Grace', team: 'platform'});
  lead = await addPerson(service, workspace, {name: 'Lea', team: 'platform', as: 'lead'});
});

afterAll(() => service.close());

const ask = (method: string, path: string, {token}: {token?: string} = {}, body?: Json, more: Json = {}) =>
  workspace.request(method, path, {...(token && {token}), ...(body && {body}), ...more});
const raise = async (author: Person, text: string, team = 'platform') => {
  const answer = await ask('POST', '/v1/blockers', author, {team, text});
  expect(answer.status).toBe(201);
  return answer.body;
};
const change = (author: Person, {id}: Json, body: Json, more?: Json) =>
  ask('PATCH', `/v1/blockers/${id}`, author, body, more);
const list = async (query: string) => {
  const {body} = await ask('GET', `/v1/blockers?${query}`);
  return body.data.map(({text}: Json) => text);
};
const typesOf = async ({id}: Json) =>
  (await eventsOf(workspace)).filter(({data}) => data?.id === id).map(({type}) => type);

describe('a blocker', () => {
  it('is raised, acknowledged by any member of the team, resolved, and raised again, each with its event', async () => {
    const raised = await raise(ada, ' No access. ');
    expect(raised).toMatchObject({
      object: 'blocker',
      team: 'platform',
      team_id: workspace.team,
      author: {type: 'member', id: ada.id, name: 'Ada'},
      text: ' No access. ',
      state: 'raised',
      standup: null,
      question: null,
      acknowledged_by: null,
      resolved_at: null,
    });
    const seen = (await change(grace, raised, {state: 'acknowledged'})).body;
    expect(seen).toMatchObject({
      state: 'acknowledged',
      acknowledged_by: {type: 'member', id: grace.id, name: 'Grace'},
      acknowledged_at: expect.any(String),
    });
    const over = await change(ada, raised, {state: 'resolved'}, {headers: {'if-match': '"2"'}});
    expect(over.body).toMatchObject({state: 'resolved', resolved_by: {name: 'Ada'}, acknowledged_by: {}});
    const again = (await change(lead, raised, {state: 'raised'})).body;
    expect(again).toMatchObject({
      state: 'raised',
      acknowledged_by: null,
      resolved_by: null,
      resolved_at: null,
    });
    expect(await typesOf(raised)).toEqual([
      'blocker.raised',
      'blocker.acknowledged',
      'blocker.resolved',
      'blocker.raised',
    ]);
    const {body} = await ask('GET', `/v1/blockers/${raised.id}`);
    expect(body).toEqual(again);
  });

  it('has two events if one change edits its text and resolves it, and none if nothing changes', async () => {
    const raised = await raise(ada, 'Slow laptop');
    expect((await change(ada, raised, {text: 'Slow laptop', state: 'raised'})).body.revision).toBe(1);
    expect((await change(ada, raised, {text: 'Laptop', state: 'resolved'})).body.revision).toBe(2);
    expect(await typesOf(raised)).toEqual(['blocker.raised', 'blocker.updated', 'blocker.resolved']);
    const [updated] = (await eventsOf(workspace)).filter(
      ({type, data}) => type === 'blocker.updated' && data?.id === raised.id,
    );
    expect(updated.previous_attributes).toMatchObject({text: 'Slow laptop'});
  });

  it('changes only to an allowed next state, and respects If-Match; a refusal lists the allowed states', async () => {
    const raised = await raise(ada, 'Odd');
    const stale = await change(ada, raised, {state: 'resolved'}, {headers: {'if-match': '"7"'}});
    expectProblem(stale, 'precondition_failed');
    await change(ada, raised, {state: 'resolved'});
    const {detail, errors} = expectProblem(
      await change(ada, raised, {state: 'acknowledged'}),
      'validation_failed',
    );
    expect(detail).toContain('"raised"');
    expect(errors).toMatchObject([{pointer: '#/state'}]);
    expectProblem(await change(ada, raised, {state: 'gone'}), 'validation_failed');
    expectProblem(await change(ada, {id: 'blk_0'}, {state: 'raised'}), 'not_found');
  });

  it('can be resolved and edited by its author, leads and managers of the workspace, and by no other member', async () => {
    const raised = await raise(ada, 'Mine');
    expectProblem(await change(grace, raised, {state: 'resolved'}), 'forbidden');
    expectProblem(await change(grace, raised, {state: 'acknowledged', text: 'Hers'}), 'forbidden');
    const narrow = await workspace.addToken({name: 'narrow', scopes: ['standups:write']});
    const answer = await ask('PATCH', `/v1/blockers/${raised.id}`, {token: narrow.value}, {text: 'Its'});
    expectProblem(answer, 'forbidden');
    expect((await change(lead, raised, {text: 'Of the lead', state: 'resolved'})).status).toBe(200);
  });

  it('can be released by the member who acknowledged it, and by no other member of the team', async () => {
    const raised = await raise(ada, 'Given back');
    const other = await addPerson(service, workspace, {name: 'Other', team: 'platform'});
    await change(grace, raised, {state: 'acknowledged'});
    expectProblem(await change(other, raised, {state: 'raised'}), 'forbidden');
    expectProblem(await change(grace, raised, {state: 'raised', text: 'Hers'}), 'forbidden');
    const {body} = await change(grace, raised, {state: 'raised'});
    expect(body).toMatchObject({state: 'raised', acknowledged_by: null, acknowledged_at: null});
    expect(await typesOf(raised)).toEqual(['blocker.raised', 'blocker.acknowledged', 'blocker.raised']);
    expect(await list('team=platform&state=acknowledged')).not.toContain('Given back');
    expectProblem(await change(grace, raised, {state: 'raised', text: 'Hers'}), 'forbidden');
  });

  it('regression: can be resolved by the member who acknowledged it, and by no other member of the team', async () => {
    const {body: raised} = await ask('POST', '/v1/blockers', ada, {team: 'platform', text: 'Looked after'});
    const other = await addPerson(service, workspace, {name: 'Another', team: 'platform'});
    await change(grace, raised, {state: 'acknowledged'});
    expectProblem(await change(other, raised, {state: 'resolved'}), 'forbidden');
    const {body} = await change(grace, raised, {state: 'resolved'});
    expect(body).toMatchObject({state: 'resolved', resolved_by: {id: grace.id}});
  });

  it('can be raised for another member by a lead, and only for a member of the team', async () => {
    const body = {team: 'platform', text: 'For Ada', author: 'ADA@example.com'};
    const answer = await ask('POST', '/v1/blockers', lead, body);
    expect(answer.body.author).toMatchObject({id: ada.id, name: 'Ada'});
    expectProblem(await ask('POST', '/v1/blockers', grace, body), 'forbidden');
    const outside = await addPerson(service, workspace, {name: 'Out'});
    expectProblem(await ask('POST', '/v1/blockers', outside, {team: 'platform', text: 'x'}), 'forbidden');
    const outsider = await ask('POST', '/v1/blockers', lead, {...body, author: outside.id});
    expect(expectProblem(outsider, 'validation_failed').errors).toMatchObject([{pointer: '#/author'}]);
  });

  it('shows in a repeated answer the present name of the member who acknowledged it, or null', async () => {
    const raised = await raise(ada, 'Named');
    const helper = await addPerson(service, workspace, {name: 'Before', team: 'platform'});
    const key = {headers: {'idempotency-key': 'named'}};
    await change(helper, raised, {state: 'acknowledged'}, key);
    await workspace.request('PATCH', `/v1/members/${helper.id}`, {body: {name: 'After'}});
    const repeat = await change(helper, raised, {state: 'acknowledged'}, key);
    expect(repeat.body.acknowledged_by).toEqual({type: 'member', id: helper.id, name: 'After'});
    const event = (await eventsOf(workspace)).find(
      ({type, data}) => type === 'blocker.acknowledged' && data.id === raised.id,
    );
    expect(event?.data.acknowledged_by).toEqual({type: 'member', id: helper.id});
    await workspace.request('DELETE', `/v1/members/${helper.id}?erase=true`);
    const {body} = await ask('GET', `/v1/blockers/${raised.id}`);
    expect(body.acknowledged_by).toEqual({type: 'member', id: helper.id, name: null});
  });
});

describe('the list of blockers', () => {
  it('can be filtered by team, author and state, and shows the newest first, page by page', async () => {
    await make(workspace, '/v1/teams', {slug: 'listed'});
    await ask('PUT', `/v1/teams/listed/members/${ada.id}`);
    await ask('PUT', `/v1/teams/listed/members/${grace.id}`);
    const [first, second] = [await raise(ada, '1', 'listed'), await raise(ada, '2', 'listed')];
    await raise(grace, '3', 'listed');
    await change(ada, first, {state: 'resolved'});
    await change(ada, second, {state: 'acknowledged'});
    expect(await list('team=listed')).toEqual(['3', '2', '1']);
    expect(await list('team=LISTED&state=open')).toEqual(['3', '2']);
    expect(await list('team=listed&state=acknowledged')).toEqual(['2']);
    expect(await list('team=listed&state=resolved')).toEqual(['1']);
    expect(await list(`team=listed&author=${ada.id}`)).toEqual(['2', '1']);
    await change(ada, first, {state: 'raised'});
    expect(await list('team=listed&state=open')).toEqual(['3', '2', '1']);
    const page = await ask('GET', '/v1/blockers?team=listed&limit=2');
    expect(page.body).toMatchObject({has_more: true});
    expect(await list(`team=listed&limit=2&cursor=${page.body.next_cursor}`)).toEqual(['1']);
    await make(workspace, '/v1/teams', {slug: 'beside'});
    await ask('PUT', `/v1/teams/beside/members/${ada.id}`);
    await change(ada, await raise(ada, '4', 'beside'), {state: 'resolved'});
    await raise(ada, '5', 'beside');
    await raise(grace, '6', 'listed');
    expect(await list('team=beside,listed')).toEqual(['6', '5', '4', '3', '2', '1']);
    expect(await list('team=beside,listed&state=open')).toEqual(['6', '5', '3', '2', '1']);
    expect(await list('team=listed,beside&state=resolved')).toEqual(['4']);
    expect(await list(`team=listed,beside&author=${ada.id}`)).toEqual(['5', '4', '2', '1']);
    const [unknown] = (await ask('GET', '/v1/blockers?team=listed,lsited')).body.errors;
    expect(unknown).toMatchObject({
      code: 'team_not_found',
      detail: expect.stringMatching(/^Name 2 of `team` is unknown\. .+"lsited".+"listed"/),
    });
    expectProblem(await ask('GET', '/v1/blockers?team=lsited'), 'team_not_found');
    expectProblem(await ask('GET', '/v1/blockers?state=old'), 'invalid_parameter');
  });

  it('is empty as soon as its team is deleted', async () => {
    await make(workspace, '/v1/teams', {slug: 'short-lived'});
    const raised = (await ask('POST', '/v1/blockers', {}, {team: 'short-lived', text: 'Gone soon'})).body;
    await ask('DELETE', '/v1/teams/short-lived');
    expectProblem(await ask('GET', `/v1/blockers/${raised.id}`), 'not_found');
    expect(await list('limit=100')).not.toContain('Gone soon');
  });
});

it(`a team has at most ${limits.openBlockersPerTeam} open blockers; resolving one makes room, and raising it again respects the limit`, async () => {
  await make(workspace, '/v1/teams', {slug: 'crowded'});
  const {blockers} = service.core.services;
  const call = {...workspace.operator(), principal: workspace.principal};
  const made = await Promise.all(
    Array.from({length: limits.openBlockersPerTeam}, (_, i) =>
      blockers.raiseBlocker({...call, deadline: performance.now() + 9_000}, {team: 'crowded', text: `${i}`}),
    ),
  );
  const once = {team: 'crowded', text: 'one more'};
  expect(expectProblem(await ask('POST', '/v1/blockers', {}, once), 'limit_reached').detail).toContain(
    'crowded',
  );
  const path = `/v1/blockers/${made[0]?.id}`;
  expect((await ask('PATCH', path, {}, {state: 'resolved'})).status).toBe(200);
  expect((await ask('POST', '/v1/blockers', {}, once)).status).toBe(201);
  expectProblem(await ask('PATCH', path, {}, {state: 'raised'}), 'limit_reached');
});
