import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {
  type Json,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {runConcurrently} from '../../support/side-by-side.js';
import {until} from '../../support/until.js';
import {addPerson} from '../people.js';
import {addFixtures, eventsOf, type Fixtures, make, randomName, routes, sampleOf} from '../samples.js';
import {sampleUnlessDeep} from '../../support/deep.js';

let service: TestService;
let receiver: Receiver;
let workspace: TestWorkspace;
let own: Fixtures;
let ada: {id: string; token: string};
/** Ada's blocker in the team. */
let blocker: string;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
  own = await addFixtures(workspace, receiver.url);
  ada = await addPerson(service, workspace, {team: own.slug, role: 'admin'});
  const posted = {team: own.slug, author: ada.id};
  await make(workspace, '/v1/standups', {...posted, update: 'Hers.'});
  blocker = (await make(workspace, '/v1/blockers', {...posted, text: 'Hers.'})).id;
  const said = {standup: own.standup, text: 'Hers.'};
  await workspace.request('POST', '/v1/comments', {token: ada.token, body: said});
  await make(workspace, '/v1/absences', {member: ada.id, team: own.slug, reason: 'Hers.'});
  // Only absences from all teams count as days off.
  await make(workspace, '/v1/absences', {member: ada.id});
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const likeOf = (id: string) => id.replace(/_.{10}/, '_01jd000000');
const unknownIdOf = (id: string) => `${id.split('_')[0]}_01jd0000007000000000000000`;

/** An answer without the requested id and without data of the single request. */
function essence({status, text}: TestResponse, asked: string): Json {
  const blotted = text.replaceAll(asked, '…');
  if (!blotted.startsWith('{')) return {status, text: blotted};
  const {request_id: _, instance: __, next_cursor: ___, ...body} = JSON.parse(blotted);
  return {status, body};
}

interface ReferenceRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly token?: string;
}

async function ask({method, path, body, token}: ReferenceRequest): Promise<TestResponse> {
  return workspace.request(method, path, {
    ...(token !== undefined && {token}),
    ...(body !== undefined && {body}),
  });
}

const inPaths = routes.flatMap((route) =>
  [...route.path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !['date', 'monday', 'trouble', 'user_code'].includes(name))
    .map((name) => ({operation: route.operation, name, route})),
);

describe('an id with a changed first half, in a path', () => {
  it.each([...new Set(inPaths.map(({name}) => name))])('is not found: %s', async (name) => {
    const id = own[name as keyof Fixtures];
    const before = await eventsOf(workspace);
    const asking = inPaths.filter((parameter) => parameter.name === name);
    await runConcurrently(sampleUnlessDeep(asking, 4), async ({operation, route}) => {
      const {path, body, token} = sampleOf(route, own);
      expect(path).toContain(id);
      const asked = (value: string) =>
        ask({method: route.method, path: path.replace(id, value), body, ...(token && {token})});
      const [like, unknown] = [await asked(likeOf(id)), await asked(unknownIdOf(id))];
      expect({operation, status: like.status}).toEqual({operation, status: 404});
      expect(essence(like, likeOf(id))).toEqual(essence(unknown, unknownIdOf(id)));
    });
    expect(await eventsOf(workspace)).toEqual(before);
  });
});

type IdUse = [what: string, of: () => string, ask: (id: string) => ReferenceRequest];

const post = (path: string, body: Json): ReferenceRequest => ({method: 'POST', path, body});
const patch = (path: string, body: Json): ReferenceRequest => ({method: 'PATCH', path, body});

const team = () => own.team;
const person = () => ada.id;
const calendar = () => own.holiday_calendar;

/** Requests with an id in the body. Each refuses a changed id like an unknown one. */
const idUses: IdUse[] = [
  ['postStandup, team', team, (id) => post('/v1/standups', {team: id, update: 'A'})],
  ['postStandup, teams', team, (id) => post('/v1/standups', {teams: [id], update: 'A'})],
  ['postStandup, author', person, (id) => post('/v1/standups', {team: own.slug, author: id, update: 'A'})],
  [
    'setDraftPart, team',
    team,
    (id) => ({
      ...post(`/v1/drafts/${ada.id}`, {team: id, source: 'git', update: 'A'}),
      method: 'PUT',
      token: ada.token,
    }),
  ],
  ['raiseBlocker, team', team, (id) => post('/v1/blockers', {team: id, text: 'A'})],
  ['raiseBlocker, author', person, (id) => post('/v1/blockers', {team: own.slug, author: id, text: 'A'})],
  ['createComment, standup', () => own.standup, (id) => post('/v1/comments', {standup: id, text: 'A'})],
  ['createAbsence, member', person, (id) => post('/v1/absences', {member: id})],
  ['createAbsence, team', team, (id) => post('/v1/absences', {member: ada.id, team: id, reason: 'A'})],
  ['changeAbsence, team', team, (id) => patch(`/v1/absences/${own.absence}`, {team: id})],
  [
    'createWebhook, teams',
    team,
    (id) => post('/v1/webhooks', {url: receiver.url, events: ['*'], teams: [id]}),
  ],
  ['changeWebhook, teams', team, (id) => patch(`/v1/webhooks/${own.webhook}`, {teams: [id, 'platform']})],
  [
    'createToken, member',
    person,
    (id) => ({...post('/v1/tokens', {name: 'A', member: id}), token: ada.token}),
  ],
  [
    'createSignInLink, member',
    person,
    (id) => ({...post('/v1/sign-in-links', {member: id}), token: own.owner}),
  ],
  ['createMember, calendar', calendar, (id) => post('/v1/members', {name: 'A', holidays: {calendar: id}})],
  ['changeMember, calendar', calendar, (id) => patch(`/v1/members/${ada.id}`, {holidays: {calendar: id}})],
];

describe('an id with a changed first half, in a body', () => {
  it.each(idUses)('is not found: %s', async (_, of, asked) => {
    const id = of();
    const before = await eventsOf(workspace);
    const [like, unknown] = [await ask(asked(likeOf(id))), await ask(asked(unknownIdOf(id)))];
    expect(like.status).toBeGreaterThanOrEqual(400);
    expect(essence(like, likeOf(id))).toEqual(essence(unknown, unknownIdOf(id)));
    expect(await eventsOf(workspace)).toEqual(before);
    expect((await ask(asked(id))).status).toBeLessThan(300);
  });

  it('resolves no blocker in the field `resolved` of postStandup', async () => {
    const posted = {team: own.slug, author: ada.id, update: 'A'};
    await make(workspace, '/v1/standups', {...posted, resolved: [likeOf(blocker)]});
    const {body: open} = await workspace.request('GET', `/v1/blockers/${blocker}`);
    await make(workspace, '/v1/standups', {...posted, resolved: [blocker]});
    const {body: over} = await workspace.request('GET', `/v1/blockers/${blocker}`);
    expect([open.state, over.state]).toEqual(['raised', 'resolved']);
  });
});

/** Filters by an id. Each finds rows by a known id, and none by an unknown one. */
const filters: [operation: string, path: () => string, of: () => string][] = [
  ['listStandups', () => '/v1/standups?author=', person],
  ['listStandups of a team', () => `/v1/standups?team=${own.slug}&author=`, person],
  ['exportStandups', () => '/v1/export?author=', person],
  ['listBlockers', () => '/v1/blockers?author=', person],
  ['listComments', () => '/v1/comments?author=', person],
  ['listComments of a standup', () => '/v1/comments?standup=', () => own.standup],
  ['listAbsences', () => '/v1/absences?member=', person],
  ['exportAbsences', () => '/v1/export/absences?member=', person],
  ['listMembersOff', () => '/v1/days-off?member=', person],
  ['listTeams', () => '/v1/teams?member=', person],
  ['listParticipation', () => '/v1/participation?member=', person],
];

describe('regression: a filter by an id with a changed first half', () => {
  it.each(filters)('finds nothing: %s', async (_, path, of) => {
    const asked = (id: string) => ask({method: 'GET', path: `${path()}${id}`});
    const [found, like, unknown] = [
      await asked(of()),
      await asked(likeOf(of())),
      await asked(unknownIdOf(of())),
    ];
    expect(essence(like, likeOf(of()))).toEqual(essence(unknown, unknownIdOf(of())));
    expect(found.status).toBe(200);
    expect(found.text.length).toBeGreaterThan(unknown.text.length);
  });
});

describe('the remaining data of a former member', () => {
  // Erasing continues in the background and changes events, so it needs its own workspace.
  let apart: TestWorkspace;
  beforeEach(async () => {
    apart = await service.addWorkspace();
  });

  const erase = (id: string) => apart.request('DELETE', `/v1/members/${id}?erase=true`);
  const standupsOf = async (id: string) =>
    (await apart.request('GET', `/v1/standups?author=${id}`)).body.data.length;

  it('regression: is not erased by an id with a changed first half', async () => {
    const bob = await addPerson(service, apart, {team: 'platform'});
    const posted = {team: 'platform', update: 'His.'};
    await apart.request('POST', '/v1/standups', {token: bob.token, body: posted});
    await apart.request('DELETE', `/v1/members/${bob.id}`);
    expect((await erase(likeOf(bob.id))).status).toBe(404);
    expect(await standupsOf(bob.id)).toBe(1);
    expect((await erase(bob.id)).status).toBe(204);
    await until(async () => (await standupsOf(bob.id)) === 0 || undefined, {what: 'the erasure'});
  });

  it('regression: does not include the standups of a deleted service account, even if its id is sent as a member id', async () => {
    const name = randomName();
    const made = await make(apart, '/v1/tokens', {name, service_account: name});
    const account = made.holder.id;
    const posted = {team: 'platform', update: 'By a program.'};
    await apart.request('POST', '/v1/standups', {token: made.token, body: posted});
    await apart.request('DELETE', `/v1/service-accounts/${account}`);
    expect((await erase(account.replace(/^svc/, 'mem'))).status).toBe(404);
    expect(await standupsOf(account)).toBe(1);
  });
});
