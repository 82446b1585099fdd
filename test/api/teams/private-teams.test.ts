import {randomBytes} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {isReadOnly, type Route} from '../../../src/api/http/route.js';
import {scopes} from '../../../src/domain/core/access.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {openEvents} from '../../support/event-stream-client.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {seedRun} from '../../support/seed-runs.js';
import {
  type Json,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {until} from '../../support/until.js';
import {addPerson, type Person} from '../people.js';
import {addFixtures, type Fixtures, make, mutations, routes, sampleOf} from '../samples.js';

/** Stands in every field of the private team that people write. */
const mark = `mark${randomBytes(8).toString('hex')}`;
const slug = `team-${randomBytes(8).toString('hex')}`;

type Caller = 'owner' | 'admin' | 'lead' | 'member' | 'observer' | 'other' | 'program' | 'privateProgram';

/** Who reads a private team (docs: who reads what). */
const reaches: Readonly<Record<Caller, boolean>> = {
  owner: true,
  admin: true,
  lead: true,
  member: true,
  observer: true,
  other: false,
  program: false,
  privateProgram: true,
};
const callers = Object.keys(reaches) as Caller[];
const outside = callers.filter((caller) => !reaches[caller]);

let service: TestService;
let receiver: Receiver;
let workspace: TestWorkspace;
let fixtures: Fixtures;
let people: Record<'owner' | 'admin' | 'lead' | 'member' | 'observer' | 'other', Person>;
let tokens: Record<Caller, string>;
/** What no one else may be shown: the mark, and the names and ids of the team and of all in it. */
let secrets: readonly string[];

const reading = routes.filter((route) => isReadOnly(route) || route.operation === 'previewScheduleDraft');

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
  const general = await addFixtures(workspace, receiver.url);
  const team = await make(workspace, '/v1/teams', {
    slug,
    name: `Team ${mark}`,
    visibility: 'private',
    prompt_at: 'before_closing',
    questions: [{key: 'plan', label: `Plan ${mark}`, type: 'text'}],
  });
  const add = (name: string, more: object = {}) => addPerson(service, workspace, {name, ...more});
  people = {
    owner: await add('Olga Owner', {role: 'owner'}),
    admin: await add('Adam Admin', {role: 'admin'}),
    lead: await add('Lena Lead', {team: slug, as: 'lead'}),
    member: await add('Mia Member', {team: slug}),
    observer: await add('Otto Observer', {team: slug, as: 'observer'}),
    other: await add('Olaf Other', {team: 'platform'}),
  };
  const program = scopes.filter((scope) => scope !== 'teams:private');
  tokens = {
    owner: people.owner.token,
    admin: people.admin.token,
    lead: people.lead.token,
    member: people.member.token,
    observer: people.observer.token,
    other: people.other.token,
    program: (await workspace.addToken({scopes: program, name: 'program'})).value,
    // The same account as `program`: what one token was shown must not reach the other one.
    privateProgram: (await workspace.addToken({name: 'program'})).value,
  };
  fixtures = await fill(general, team);
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** Fills the private team, and returns the fixtures with its parts in place of those of the open team. */
async function fill(general: Fixtures, team: Json): Promise<Fixtures> {
  const write = async (path: string, body: Json, token = tokens.member): Promise<Json> => {
    const {status, text, body: made} = await workspace.request('POST', path, {body, token});
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`);
    return made;
  };
  const past = {date: '2025-12-02', closes_at: '2025-12-02T10:00:00.000Z'};
  const run = await seedRun(service, workspace, {...past, team: slug, team_id: team.id});
  const webhook = await make(workspace, '/v1/webhooks', {
    url: receiver.url,
    events: ['standup.created'],
    teams: [slug],
    description: `For ${mark}`,
  });
  const standup = await write('/v1/standups', {team: slug, answers: [{question: 'plan', value: mark}]});
  await workspace.request('PATCH', `/v1/standups/${standup.id}`, {
    body: {answers: [{question: 'plan', value: `${mark} again`}]},
    token: tokens.member,
  });
  const blocker = await write('/v1/blockers', {team: slug, text: `Blocked by ${mark}`});
  const absence = await write('/v1/absences', {team: slug, reason: `Away with ${mark}`});
  await workspace.request('PUT', `/v1/drafts/${people.member.id}`, {
    body: {team: slug, source: 'git', update: `Draft of ${mark}`},
  });
  const invite = await write('/v1/invites', {teams: [{team_id: slug}]}, tokens.owner);
  const trouble = `C${randomBytes(6).toString('hex').toUpperCase()}`;
  const details = {team: suffixOf<'team'>(team.id), code: 'not_in_channel'};
  await service.core.store.slackTroubles.note(workspace.id, trouble, details, performance.now() + 5_000);
  await workspace.request('PATCH', `/v1/teams/${slug}`, {body: {slack_channel_id: trouble}});
  const delivery = await until(
    async () => (await workspace.request('GET', `/v1/webhooks/${webhook.id}/deliveries`)).body.data[0],
    {what: 'a delivery of the private team'},
  );
  const {body: members} = await workspace.request('GET', `/v1/teams/${slug}/members`);
  secrets = [
    mark,
    slug,
    trouble,
    ...[team, run, webhook, standup, blocker, absence, delivery].map(({id}) => id as string),
    ...members.data.map(({id}: Json) => id),
  ];
  return {
    ...general,
    team: team.id,
    slug,
    date: past.date,
    member: people.member.id,
    standup: standup.id,
    blocker: blocker.id,
    absence: absence.id,
    webhook: webhook.id,
    delivery: delivery.id,
    event: delivery.event_id,
    trouble,
    invite: invite.data[0].id,
  };
}

interface Shown {
  readonly route: Route;
  readonly answer: TestResponse;
  /** The secrets in the answer, apart from those that the request had named itself. */
  readonly found: readonly string[];
}

/** Queries by which a list says more than by default. */
const wholeQueries: Readonly<Record<string, string>> = {
  listEvents: '?order=desc&limit=100',
  listMembers: '?include=teams&limit=100',
};

/** Sends the sample request of an operation as a caller. */
async function ask(route: Route, token: string, method: string = route.method): Promise<Shown> {
  const {path: plain, body} = sampleOf(route, fixtures);
  const path = plain + (wholeQueries[route.operation] ?? '');
  const answer = await workspace.request(method, path, {token, ...(body !== undefined && {body})});
  const said = `${path} ${JSON.stringify(body ?? '')}`;
  // A refusal repeats what was asked for; an answer of another kind does not.
  const given = answer.status >= 400 ? secrets.filter((secret) => said.includes(secret)) : [];
  const rest = given.reduce((text, secret) => text.replaceAll(secret, ''), answer.text);
  return {route, answer, found: secrets.filter((secret) => rest.includes(secret))};
}

async function askAll(token: string): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const route of reading) if (!route.operation.startsWith('stream')) shown.push(await ask(route, token));
  return shown;
}

const leaks = (shown: readonly Shown[]) =>
  shown
    .filter(({found}) => found.length > 0)
    .map(({route, found, answer}) => `${route.operation} ${answer.status}: ${found.join(', ')}`);

/** The operations whose answers show something of the team to everyone who reads it. */
const showing = [
  'exportStandups',
  'getAbsence',
  'getBlocker',
  'getEvent',
  'getMemberParticipation',
  'getParticipation',
  'getRun',
  'getStandup',
  'getTeam',
  'getTeamDay',
  'getTeamMember',
  'listAbsences',
  'listBlockers',
  'listDaysOff',
  'listEvents',
  'listMembers',
  'listParticipation',
  'listRuns',
  'listSlackChannels',
  'listSlackTroubles',
  'listStandupRevisions',
  'listStandups',
  'listTeamMembers',
  'listTeams',
  'previewSchedule',
  'previewScheduleDraft',
];

async function expectReads(token: string, isInside: boolean): Promise<void> {
  const shown = await askAll(token);
  if (!isInside) {
    expect(leaks(shown)).toEqual([]);
    const named = shown.filter(({route}) => sampleOf(route, fixtures).path.includes(fixtures.team));
    // A team in a query or body is refused as an unknown name, and one in a path is not found.
    const isRefused = ({route, answer}: Shown) =>
      route.path.includes('{team}')
        ? answer.status === 404
        : answer.body.code === 'team_not_found' || answer.status === 404;
    expect(named.filter((one) => !isRefused(one)).map(({route}) => route.operation)).toEqual([]);
    return;
  }
  const saying = new Set(shown.filter(({found}) => found.length > 0).map(({route}) => route.operation));
  expect(showing.filter((operation) => !saying.has(operation))).toEqual([]);
}

describe('a private team, in the answers of all operations that read,', () => {
  it.each(callers)('is shown to %s exactly as the table says', async (caller) => {
    await expectReads(tokens[caller], reaches[caller]);
  });

  it('is never suggested for a name that is nearly its own', async () => {
    const near = `${slug.slice(0, -1)}0`;
    for (const caller of outside) {
      const {text, status} = await workspace.request('GET', `/v1/teams/${near}`, {token: tokens[caller]});
      expect([caller, status, text.includes(slug)]).toEqual([caller, 404, false]);
    }
    const {text} = await workspace.request('GET', `/v1/teams/${near}`, {token: tokens.member});
    expect(text).toContain(slug);
  });
});

describe('a private team, in the answers of all operations that change something,', () => {
  it.each(outside)('is not shown to %s, and stays as it is', async (caller) => {
    const before = await workspace.request('GET', `/v1/teams/${fixtures.team}`);
    const touching = mutations.filter((route) => {
      const {path, body, token} = sampleOf(route, fixtures);
      const said = `${path} ${JSON.stringify(body ?? '')}`;
      return token === undefined && secrets.some((secret) => said.includes(secret));
    });
    const shown: Shown[] = [];
    for (const route of touching)
      if (!['createTeam', 'createMember', 'createInvite'].includes(route.operation))
        shown.push(await ask(route, tokens[caller]));
    expect(shown.length).toBeGreaterThan(20);
    expect(leaks(shown)).toEqual([]);
    const done = shown.filter(
      ({answer, route}) => answer.status < 400 && route.operation !== 'addImportRows',
    );
    expect(done.map(({route}) => route.operation)).toEqual([]);
    const after = await workspace.request('GET', `/v1/teams/${fixtures.team}`);
    expect(after.text).toBe(before.text);
  });
});

describe('the events of a private team', () => {
  it.each(['/v1/events/stream', '/v1/changes/stream'])(
    'reach open streams of %s by the table',
    async (path) => {
      const streams = await Promise.all(
        callers.map(async (caller) => ({
          caller,
          stream: await openEvents(service.url, {token: tokens[caller], path}),
        })),
      );
      const post = (team: string, body: Json, token: string) =>
        workspace.request('POST', '/v1/blockers', {body: {team, ...body}, token});
      const {body: hidden} = await post(slug, {text: `Streamed ${mark}`}, tokens.member);
      const {body: open} = await post('platform', {text: 'Streamed.'}, tokens.other);
      for (const {caller, stream} of streams) {
        await until(async () => stream.events.some(({data}) => data.includes(open.id)) || undefined, {
          what: `the event of the open team for ${caller}`,
        });
        const sees = stream.events.some(({data}) => data.includes(hidden.id));
        expect([caller, sees]).toEqual([caller, reaches[caller]]);
        stream.cut();
      }
    },
  );

  it('go only to webhooks that name the team, but for the change that makes it private', async () => {
    const named = await make(workspace, '/v1/webhooks', {
      url: `${receiver.url}/named`,
      events: ['*'],
      teams: [slug],
    });
    const all = await make(workspace, '/v1/webhooks', {url: `${receiver.url}/all`, events: ['*']});
    const sentTo = (path: string) =>
      receiver.received
        .filter((one) => one.path.endsWith(path))
        .map(({body}) => JSON.parse(String(body)))
        .filter(({type}) => type === 'team.updated')
        .map(({data}) => data.name);
    const change = (body: Json) => workspace.request('PATCH', `/v1/teams/${slug}`, {body});
    // Who gets an event depends on what its team is when the event is read, so each step waits for the last one.
    await change({name: `Hidden ${mark}`});
    await until(async () => sentTo('/named').length === 1 || undefined, {what: 'the first change'});
    await change({visibility: 'open', name: 'Open for a while'});
    await until(async () => sentTo('/all').length === 1 || undefined, {what: 'the change of an open team'});
    await change({visibility: 'private'});
    await change({name: `Hidden ${mark} again`});
    await workspace.request('PATCH', '/v1/teams/platform', {body: {name: 'The end'}});
    await until(
      async () => (sentTo('/all').includes('The end') && sentTo('/named').length >= 4) || undefined,
      {
        what: 'the changes of both teams at the webhooks',
      },
    );
    expect(sentTo('/all')).toEqual(['Open for a while', 'Open for a while', 'The end']);
    expect(sentTo('/named')).toEqual([
      `Hidden ${mark}`,
      'Open for a while',
      'Open for a while',
      `Hidden ${mark} again`,
    ]);
    for (const {id} of [named, all]) await workspace.request('DELETE', `/v1/webhooks/${id}`);
  });
});

describe('the visibility of a team', () => {
  it('can be set by leads, owners, admins and programs with the scope, and by no one else', async () => {
    const set = async (caller: Caller, to: string) =>
      (
        await workspace.request('PATCH', `/v1/teams/${slug}`, {
          body: {visibility: to},
          token: tokens[caller],
        })
      ).status;
    for (const caller of ['lead', 'owner', 'admin', 'privateProgram'] as const) {
      expect([caller, await set(caller, 'open'), await set(caller, 'private')]).toEqual([caller, 200, 200]);
    }
    expect(await set('member', 'open')).toBe(403);
    expect(await set('observer', 'open')).toBe(403);
    expect(await set('other', 'open')).toBe(404);
    expect(await set('program', 'open')).toBe(404);
    const {status, body} = await workspace.request('PATCH', '/v1/teams/platform', {
      body: {visibility: 'private'},
      token: tokens.program,
    });
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
  });

  it('is not private while its Slack channel is public', async () => {
    const channel = 'C0PUBLIC01';
    await service.core.store.slackChannels.notePublic(workspace.id, channel, performance.now() + 5_000);
    const {body: made} = await workspace.request('POST', '/v1/teams', {
      body: {slug: 'in-public', slack_channel_id: channel},
    });
    const closed = await workspace.request('PATCH', `/v1/teams/${made.id}`, {body: {visibility: 'private'}});
    expect([closed.status, closed.body.code]).toEqual([422, 'channel_is_public']);
    const moved = await workspace.request('PATCH', `/v1/teams/${made.id}`, {
      body: {visibility: 'private', slack_channel_id: null},
    });
    expect(moved.status).toBe(200);
    const back = await workspace.request('PATCH', `/v1/teams/${made.id}`, {
      body: {slack_channel_id: channel},
    });
    expect([back.status, back.body.code]).toEqual([422, 'channel_is_public']);
    await workspace.request('DELETE', `/v1/teams/${made.id}`);
  });
});

describe('the right to read a private team', () => {
  it('begins with joining it and ends with leaving it, at once and for repeated requests', async () => {
    await workspace.request('PUT', `/v1/teams/${slug}/members/${people.other.id}`);
    await expectReads(tokens.other, true);
    const body = {team: slug, text: `Raised with ${mark}`};
    const headers = {'idempotency-key': randomBytes(8).toString('hex')};
    const first = await workspace.request('POST', '/v1/blockers', {body, headers, token: tokens.other});
    expect(first.status).toBe(201);
    const again = await workspace.request('POST', '/v1/blockers', {body, headers, token: tokens.other});
    expect(again.body.id).toBe(first.body.id);
    await workspace.request('DELETE', `/v1/teams/${slug}/members/${people.other.id}`);
    const late = await workspace.request('POST', '/v1/blockers', {body, headers, token: tokens.other});
    expect([late.status, late.text.includes(first.body.id)]).toEqual([404, false]);
    await workspace.request('DELETE', `/v1/blockers/${first.body.id}`);
    await expectReads(tokens.other, false);
  });

  it('begins and ends with the role of an admin', async () => {
    const setRole = (role: string) =>
      workspace.request('PATCH', `/v1/members/${people.other.id}`, {body: {role}, token: tokens.owner});
    await setRole('admin');
    await expectReads(tokens.other, true);
    await setRole('member');
    await expectReads(tokens.other, false);
  });

  it('is that of everyone while the team is open', async () => {
    await workspace.request('PATCH', `/v1/teams/${slug}`, {body: {visibility: 'open'}});
    await expectReads(tokens.other, true);
    await workspace.request('PATCH', `/v1/teams/${slug}`, {body: {visibility: 'private'}});
    await expectReads(tokens.other, false);
  });

  it('stays as it was in the events of a team that was deleted', async () => {
    const {status} = await workspace.request('DELETE', `/v1/teams/${slug}?force=true`, {token: tokens.owner});
    expect(status).toBe(204);
    const eventsFor = async (caller: Caller) => {
      const {text} = await workspace.request('GET', '/v1/events?order=desc&limit=100', {
        token: tokens[caller],
      });
      return text.includes(fixtures.team);
    };
    expect(await eventsFor('owner')).toBe(true);
    expect(await eventsFor('privateProgram')).toBe(true);
    expect(await eventsFor('other')).toBe(false);
    expect(await eventsFor('program')).toBe(false);
  });
});
