import {connect} from 'node:net';
import {once} from 'node:events';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {createTeamWeeks} from '../../../src/service/runs/team-week.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {closeRun, seedRun} from '../../support/seed-runs.js';
import {createTestContext} from '../../support/service-context.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {dumpRedis} from '../../store/dump.js';
import {addPerson, type Person} from '../people.js';
import {expectProblem} from '../http/expect-problem.js';
import {make} from '../samples.js';

/** Sends bytes, and returns what is answered. */
async function exchange(bytes: string): Promise<{status: number; text: string; body: string}> {
  const {hostname, port} = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  const [, status = '0'] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
  return {status: Number(status), text, body: text.slice(text.indexOf('\r\n\r\n') + 4)};
}

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let grace: Person;
const logLines: string[] = [];

/** The week of the tests; the clock shows its Wednesday. */
const monday = '2026-11-23';

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, Date.parse('2026-11-25T12:00:00Z'));
  const note = (...line: unknown[]) => void logLines.push(JSON.stringify(line));
  const log = {debug: note, info: note, warn: note, error: note};
  const env = {ROLES: 'web', RATE_LIMIT_AUTH_FAILURES: '200'};
  service = await startService({redisUrl, time: clock.time, log, env});
  workspace = await service.addWorkspace();
  await workspace.request('PATCH', '/v1/teams/platform', {
    body: {timezone: 'UTC', questions: [{key: 'mood', label: 'Mood', type: 'mood'}]},
  });
  ada = await addPerson(service, workspace, {name: 'Ada Lovelace', team: 'platform'});
  grace = await addPerson(service, workspace, {name: 'Grace Hopper', team: 'platform'});
  const closes_at = `${monday}T10:00:00.000Z`;
  const participants = [ada, grace].map(({id}) => ({member: id, timezone: null}));
  for (const [date, mood] of [
    ['2026-11-19', 2],
    [monday, 4],
  ]) {
    const body = {team: 'platform', date, update: 'Done.', answers: [{question: 'mood', value: mood}]};
    expect((await workspace.request('POST', '/v1/standups', {token: ada.token, body})).status).toBe(201);
  }
  const run = await seedRun(service, workspace, {date: monday, closes_at, participants});
  await closeRun(service, workspace, run);
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

const get = async (path: string): Promise<Json> => {
  const {status, body} = await workspace.request('GET', `/v1/teams/${path}`);
  expect(status).toBe(200);
  return body;
};

const raise = (team: string, text: string) => make(workspace, '/v1/blockers', {team, text});

const resolve = (blocker: Json) =>
  workspace.request('PATCH', `/v1/blockers/${blocker.id}`, {body: {state: 'resolved'}});

describe('the week of a team', () => {
  it('the week of a team shows its closed runs, how often each member posted, and its trends with the weeks before', async () => {
    const week = await get(`platform/weeks/${monday}`);
    expect(week).toMatchObject({monday, sunday: '2026-11-29', participation: {since: monday}});
    const {counts, by_date: dates, by_member: members} = week.participation;
    expect(counts).toMatchObject({expected: 2, posted: 1, missed: 1, participation: 0.5});
    expect(dates.map(({date}: Json) => date)).toEqual([monday]);
    expect(members.map(({member, counts: own}: Json) => [member.name, own.posted])).toEqual([
      ['Ada Lovelace', 1],
      ['Grace Hopper', 0],
    ]);
    const [mood] = week.trends.questions;
    expect(mood.periods.map(({from, mean}: Json) => [from, mean])).toEqual([
      ['2026-11-16', 2],
      [monday, 4],
    ]);
    expect(week.trends.blockers).toHaveLength(4);
  });

  it('the week of a team counts the blockers of the team alone, and lists those that are still open', async () => {
    await make(workspace, '/v1/teams', {slug: 'beside', timezone: 'UTC'});
    await make(workspace, '/v1/teams', {slug: 'blocked', timezone: 'UTC'});
    const first = await raise('blocked', 'No access.');
    await raise('blocked', 'No tests.');
    await resolve(await raise('beside', 'Not ours.'));
    await resolve(first);
    const {blockers} = await get(`blocked/weeks/${monday}`);
    expect(blockers).toMatchObject({
      raised: 2,
      resolved: 1,
      open: [{text: 'No tests.', since: '2026-11-25', days: 0}],
    });
    expect((await get('blocked/weeks/2026-11-16')).blockers).toEqual({raised: 0, resolved: 0, open: []});
  });

  it('the week of a team counts every resolved blocker, however many other teams have resolved in the same days', async () => {
    await make(workspace, '/v1/teams', {slug: 'small', timezone: 'UTC'});
    await make(workspace, '/v1/teams', {slug: 'large', timezone: 'UTC'});
    await resolve(await raise('small', 'Ours.'));
    for (const text of ['One.', 'Two.', 'Three.']) await resolve(await raise('large', text));
    const {findTeamWeek} = createTeamWeeks(createTestContext(service.core), 2);
    expect((await findTeamWeek(workspace.operator(), 'small', monday)).blockers.resolved).toBe(1);
  });

  it('the week of a team is empty but complete without a run, and has no trends if its weeks have too many standups', async () => {
    await make(workspace, '/v1/teams', {slug: 'empty', timezone: 'UTC'});
    const empty = await get('empty/weeks/2026-11-02');
    expect(empty.participation.by_date).toEqual([]);
    expect(empty.trends).toMatchObject({since: '2026-10-12', until: '2026-11-08', questions: []});
    const {findTeamWeek} = createTeamWeeks(createTestContext(service.core), 1);
    const week = await findTeamWeek(workspace.operator(), 'platform', monday);
    expect([week.trends, week.participation.counts.posted]).toEqual([null, 1]);
  });

  it('the week of a team is refused for a day that is no Monday, with the Monday of that week, and for an unknown team', async () => {
    const ask = (path: string) => workspace.request('GET', `/v1/teams/${path}`);
    const refused = await ask('platform/weeks/2026-11-25');
    expectProblem(refused, 'invalid_parameter');
    expect(refused.body.detail).toBe(
      'The date in the address must be a Monday, such as 2026-11-23; 2026-11-25 is another day.',
    );
    expectProblem(await ask('platform/weeks/2026-02-30'), 'invalid_parameter');
    expectProblem(await ask(`missing/weeks/${monday}`), 'not_found');
  });
});

describe('a share link', () => {
  let workspace: TestWorkspace;
  let ada: Person;
  let grace: Person;
  let admin: Person;
  let overPage: string;

  beforeAll(async () => {
    workspace = await service.addWorkspace();
    await workspace.request('PATCH', '/v1/teams/platform', {
      body: {
        name: 'Platform & Co',
        names_missing: true,
        timezone: 'UTC',
        questions: [{key: 'mood', label: 'Mood <today>', type: 'mood'}],
      },
    });
    ada = await addPerson(service, workspace, {name: 'Ada <b>Lovelace', team: 'platform'});
    grace = await addPerson(service, workspace, {name: 'Grace Hopper', team: 'platform'});
    admin = await addPerson(service, workspace, {name: 'Ann Admin', role: 'admin'});
    await setRole(ada, 'lead');
    const body = {
      team: 'platform',
      date: monday,
      update: 'A secret update.',
      answers: [{question: 'mood', value: 4}],
    };
    expect((await workspace.request('POST', '/v1/standups', {token: ada.token, body})).status).toBe(201);
    const participants = [ada, grace].map(({id}) => ({member: id, timezone: null}));
    const closes_at = `${monday}T10:00:00.000Z`;
    await closeRun(
      service,
      workspace,
      await seedRun(service, workspace, {date: monday, closes_at, participants}),
    );
    await make(workspace, '/v1/blockers', {team: 'platform', text: 'No <script>alert(1)</script> access.'});
    const never = `/shared/${workspace.id}.0000000000000000.${'A'.repeat(43)}.team_${'0'.repeat(26)}.2026-11-23.`;
    overPage = await (await fetch(service.url + never)).text();
  });

  beforeEach(() => workspace.request('PATCH', '/v1/teams/platform', {body: {visibility: 'open'}}));

  async function setRole({id}: Person, role: string): Promise<void> {
    const {status} = await workspace.request('PUT', `/v1/teams/platform/members/${id}`, {body: {role}});
    expect([200, 201]).toContain(status);
  }

  const ask = (person: Person, body: object = {}) =>
    workspace.request('POST', '/v1/share-links', {
      token: person.token,
      body: {team: 'platform', monday, ...body},
    });

  async function share(body: object = {}, person = ada): Promise<Json> {
    const {status, body: link} = await ask(person, body);
    expect(status).toBe(201);
    return link;
  }

  const open = (url: string, headers: Record<string, string> = {}) =>
    fetch(service.url + new URL(url).pathname, {headers});

  const read = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await open(url, headers);
    expect(answer.status).toBe(200);
    return answer.text();
  };

  async function expectOver(url: string): Promise<void> {
    const answer = await open(url);
    expect(answer.status).toBe(404);
    const page = await answer.text();
    expect(page).toContain('Ask the person who sent it for a new one.');
    expect(page).toBe(overPage);
    expect(page).not.toContain('Platform');
  }

  it('a share link shows the week of its team without an account: counts, trends and how many blockers are open', async () => {
    const link = await share();
    expect(link).toMatchObject({kind: 'share_link', name: `Week of ${monday}`, scopes: ['standups:read']});
    const page = await read(link.url);
    expect(page).toMatch(/<h1>Week of Nov 23\s–\s29, 2026: Platform &amp; Co<\/h1>/);
    expect(page).toContain('1 of 2 expected standups posted (50%) in 1 run.');
    expect(page).toContain('shared by Ada &lt;b&gt;Lovelace');
    expect(page).toContain('Mood &lt;today&gt;');
    expect(page).toContain('1 raised, 0 resolved, 1 still open.');
    expect(page).toContain('This link works until Wednesday, December 2, 2026.');
  });

  it('a share link shows no text of a standup, no name of a person and no text of a blocker unless its maker chose so', async () => {
    const plain = await read((await share()).url);
    for (const hidden of ['secret update', 'Grace', 'access.']) expect(plain).not.toContain(hidden);
    const named = await read((await share({names: true})).url);
    expect(named).toContain('Grace Hopper');
    expect(named).not.toContain('access.');
    const blockers = await read((await share({blockers: true})).url);
    expect(blockers).toContain('No &lt;script&gt;alert(1)&lt;/script&gt; access.');
    expect(blockers).not.toContain('Grace');
    for (const page of [plain, named, blockers]) expect(page).not.toContain('secret update');
  });

  it('regression: a share link shows the first 300 characters of a long blocker', async () => {
    await make(workspace, '/v1/blockers', {team: 'platform', text: '😀'.repeat(1_000)});
    const page = await read((await share({blockers: true})).url);
    expect(page).toContain(`${'😀'.repeat(299)}…<`);
  });

  it('a share link names no one in a team that does not show who is missing', async () => {
    const {url} = await share({names: true});
    await workspace.request('PATCH', '/v1/teams/platform', {body: {names_missing: false}});
    expectProblem(await ask(ada, {names: true}), 'validation_failed');
    expect(await read(url)).not.toContain('Grace');
    await workspace.request('PATCH', '/v1/teams/platform', {body: {names_missing: true}});
    expect(await read(url)).toContain('Grace');
  });

  it('a share link is made by leads, owners and admins, of a private team by owners and admins alone, and by no program', async () => {
    expectProblem(await ask(grace), 'forbidden');
    expectProblem(
      await workspace.request('POST', '/v1/share-links', {body: {team: 'platform', monday}}),
      'forbidden',
    );
    expect((await ask(admin)).status).toBe(201);
    await workspace.request('PATCH', '/v1/teams/platform', {body: {visibility: 'private'}});
    expectProblem(await ask(ada), 'forbidden');
    expectProblem(await ask(grace), 'forbidden');
    const stranger = await addPerson(service, workspace, {name: 'Stranger'});
    expectProblem(await ask(stranger), 'not_found');
    const {url} = await share({}, admin);
    expect(await read(url)).toContain('Platform &amp; Co');
  });

  it('a share link ends when it is revoked, when its time is over, and never lives longer than 30 days', async () => {
    expectProblem(await ask(ada, {expires_in: 31 * 24 * 3600}), 'validation_failed');
    const [revoked, short] = [await share(), await share({expires_in: 3600})];
    const token = ada.token;
    const {body: listed} = await workspace.request('GET', '/v1/tokens?kind=share_link&limit=100', {token});
    expect(listed.data.map(({id}: Json) => id)).toEqual(expect.arrayContaining([revoked.id, short.id]));
    await workspace.request('DELETE', `/v1/tokens/${revoked.id}`, {token});
    await expectOver(revoked.url);
    await read(short.url);
    expect(Date.parse(short.expires_at) - clock.time.now()).toBeLessThanOrEqual(3_600_000);
    await clock.advance(7_200_000);
    await expectOver(short.url);
  });

  it('a share link ends when its maker no longer leads the team, and works again when they do', async () => {
    const {url} = await share();
    await setRole(ada, 'member');
    await expectOver(url);
    await setRole(ada, 'lead');
    await read(url);
    await workspace.request('DELETE', `/v1/teams/platform/members/${ada.id}`);
    await expectOver(url);
    await setRole(ada, 'lead');
  });

  it('a share link ends with its maker', async () => {
    const gone = await addPerson(service, workspace, {name: 'Gone', role: 'admin'});
    const {url} = await share({}, gone);
    await read(url);
    await workspace.request('DELETE', `/v1/members/${gone.id}`);
    await expectOver(url);
  });

  it('a share link of an open team ends when the team becomes private, also for an admin’s link', async () => {
    const [byLead, byAdmin] = [await share(), await share({}, admin)];
    await workspace.request('PATCH', '/v1/teams/platform', {body: {visibility: 'private'}});
    await expectOver(byLead.url);
    await expectOver(byAdmin.url);
  });

  it('a share link ends with its team', async () => {
    await make(workspace, '/v1/teams', {slug: 'short-lived', timezone: 'UTC'});
    const {url} = await share({team: 'short-lived'}, admin);
    await read(url);
    await workspace.request('DELETE', '/v1/teams/short-lived?force=true');
    await expectOver(url);
  });

  it('a share link opens nothing else: no other week, team, name or text, and no operation', async () => {
    await make(workspace, '/v1/teams', {slug: 'other', timezone: 'UTC'});
    const {body: other} = await workspace.request('GET', '/v1/teams/other');
    const {url} = await share();
    const {body: team} = await workspace.request('GET', '/v1/teams/platform');
    for (const changed of [
      url.replace(monday, '2026-11-16'),
      url.replace(team.id, other.id),
      `${url}n`,
      `${url}b`,
      `${url}p`,
      `${url}x`,
      `${url}.`,
      url.slice(0, -1),
      url.replace(`.${team.id}.${monday}.`, ''),
    ])
      await expectOver(changed);
    const pass = new URL(url).pathname.slice('/shared/'.length);
    for (const token of [pass, pass.split('.').slice(0, 3).join('.')])
      expect((await workspace.request('GET', '/v1/me', {token})).status).toBe(401);
    const asFeed = await fetch(`${service.url}/calendar/${pass}.ics`);
    expect(asFeed.status).toBe(404);
    const feed = await workspace.request('POST', '/v1/calendar-feeds', {token: ada.token});
    const ofFeed = new URL(feed.body.url).pathname.slice('/calendar/'.length, -'.ics'.length);
    await expectOver(`${service.url}/shared/${ofFeed}.${team.id}.${monday}.`);
  });

  it('a share link is stored as a hash alone, and no log line, no answer and no page it leads to has it', async () => {
    const {url} = await share();
    const {pathname} = new URL(url);
    const secret = pathname.split('.')[2] ?? '';
    expect(secret).toHaveLength(43);
    const answer = await open(url);
    expect(await answer.text()).not.toContain(secret);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    for (const [path, method] of [
      [pathname, 'POST'],
      [`${pathname}/x`, 'GET'],
      [`${pathname}%`, 'GET'],
      [pathname.replace('shared', 'Shared'), 'GET'],
    ] as const) {
      const refusal = await fetch(service.url + path, {method});
      expect([400, 404, 405]).toContain(refusal.status);
      if (path.startsWith('/shared')) expect(await refusal.text()).not.toContain(secret.slice(5, 40));
    }
    expect(logLines.some((line) => line.includes('readSharedWeek'))).toBe(true);
    expect(logLines.join('\n')).not.toContain(secret.slice(5, 40));
    expect((await dumpRedis(service.redisUrl)).text).not.toContain(secret);
  });

  it('a share link says nothing of its team in the list of tokens and in events', async () => {
    const {body: team} = await workspace.request('GET', '/v1/teams/platform');
    const {url: _, ...link} = await share();
    expect(JSON.stringify(link)).not.toContain(team.id);
    const {body: events} = await workspace.request('GET', `/v1/events?about=${link['id']}`);
    expect(JSON.stringify(events)).not.toContain(team.id);
  });

  it('a share link’s page runs no script, loads nothing, and asks search engines to leave it out', async () => {
    const {url} = await share({names: true, blockers: true});
    const answer = await open(url);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    const page = await answer.text();
    expect(page).not.toMatch(/<script|<img|<link|<a |src=|href=|\son\w+=/i);
  });

  it('a share link opens by no other method, spelling or range, and no answer or log line has its secret', async () => {
    const {url} = await share();
    const {pathname} = new URL(url);
    const secret = (pathname.split('.')[2] ?? '').slice(5, 40);
    const page = await read(url);
    const send = (path: string, method = 'GET', headers: string[] = []) =>
      exchange(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers.join('')}\r\n`);
    const encoded = pathname.replace('team_', '%74eam%5F').replace('.', '%2E');
    const many = Array.from({length: 1_500}, (_, i) => `X-Header-${i}: ${i}\r\n`);
    const refused = [
      ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].map((method) => [
        pathname,
        method,
      ]),
      [`/${pathname}`],
      [pathname.replace('/shared/', '/shared//')],
      [pathname.replace('/shared/', '/shared/./')],
      [pathname.replace('/shared/', '/x/../shared/')],
      [pathname.replace('/shared/', '/shared%2F')],
      [`${pathname}%00`],
      [`${pathname}%2e%2e`],
      [`${pathname}%zz`],
      [`${pathname}%ff`],
      [`${pathname}${'x'.repeat(10_000)}`],
      [`/shared/${'.'.repeat(10_000)}`],
    ] as const;
    const answers = await Promise.all(refused.map(([path, method]) => send(path, method)));
    const wrong = answers.flatMap(({status, text}, i) => {
      const [path, method] = refused[i] ?? [];
      const isRefused = method === 'OPTIONS' ? status === 204 : status >= 400 && status < 500;
      const isSilent = !text.includes('Platform') && !(path?.startsWith('/shared/') && text.includes(secret));
      return isRefused && isSilent ? [] : [[path?.slice(0, 60), method, status, text.slice(0, 600)]];
    });
    expect(wrong).toEqual([]);
    expect((await send(`${pathname}${'x'.repeat(100_000)}`)).status).toBe(414);
    expect([200, 431]).toContain((await send(pathname, 'GET', many)).status);
    const tag = /\r\netag: (\S+)/i.exec((await send(pathname)).text)?.[1] ?? '';
    for (const [path, headers, status] of [
      [pathname, ['Range: bytes=0-9\r\n'], 200],
      [pathname, ['Range: bytes=0-9\r\n', `If-Range: ${tag}\r\n`], 200],
      [pathname, ['If-Match: "other"\r\n'], 200],
      [pathname, ['If-None-Match: "other"\r\n'], 200],
      [pathname, ['If-Modified-Since: Wed, 02 Dec 2099 00:00:00 GMT\r\n'], 200],
      [pathname, [`Authorization: Bearer ${ada.token}\r\n`, 'X-HTTP-Method-Override: DELETE\r\n'], 200],
      [`${pathname}?team=other`, [], 200],
      [encoded, [], 200],
      [pathname, [`If-None-Match: ${tag}\r\n`], 304],
      [pathname, [`If-None-Match: "a", W/${tag}\r\n`], 304],
    ] as const) {
      const whole = await send(path, 'GET', [...headers]);
      const head = await send(path, 'HEAD', [...headers]);
      expect([headers, whole.status, whole.body]).toEqual([headers, status, status === 200 ? page : '']);
      expect([head.status, head.body]).toEqual([status, '']);
    }
    expect(logLines.join('\n')).not.toContain(secret);
  });

  it('a share link’s page is in the language that the browser prefers', async () => {
    const {url} = await share();
    expect(await read(url, {'accept-language': 'fr, de-DE;q=0.9, en;q=0.5'})).toContain(
      '<h1>Woche 23.–29. Nov. 2026: Platform &amp; Co</h1>',
    );
    for (const header of ['de;q=0, en', 'xx', 'de--x', '', '*'])
      expect(await read(url, {'accept-language': header})).toContain('<html lang="en"');
  });

  it('a share link has a quota of its own, of which each read takes ten requests, and none of its maker’s', async () => {
    const {url} = await share();
    const env = {ROLES: 'web', RATE_LIMIT: '25'};
    const tight = await startService({redisUrl: service.redisUrl, time: clock.time, env});
    try {
      const get = async () => fetch(tight.url + new URL(url).pathname);
      expect([(await get()).status, (await get()).status]).toEqual([200, 200]);
      const third = await get();
      expect(third.status).toBe(429);
      expect(third.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await third.text()).toContain('Please try again in a minute');
      const {headers} = await sendRequest(tight.url, 'GET', '/v1/me', {token: ada.token});
      expect(headers.get('ratelimit')).toMatch(/;r=24;/);
    } finally {
      await tight.close();
    }
  });

  it('a share link is one of at most fifty of a person, and needs scopes that its maker has', async () => {
    const many = await addPerson(service, workspace, {name: 'Many', role: 'admin'});
    for (let i = 0; i < 50; i += 1) await share({}, many);
    expectProblem(await ask(many), 'limit_reached');
    const narrow = await addPerson(service, workspace, {
      name: 'Narrow',
      role: 'admin',
      scopes: ['tokens:manage'],
    });
    expectProblem(await ask(narrow), 'scope_escalation');
  });

  it('a share link needs a Monday that exists', async () => {
    for (const wrong of ['2026-11-24', '2026-02-30', 'monday']) {
      const refused = await ask(ada, {monday: wrong});
      expectProblem(refused, 'validation_failed');
      expect(refused.body.errors[0].pointer).toBe('#/monday');
    }
  });

  it('a share link repeated with its idempotency key has the same address', async () => {
    const headers = {'idempotency-key': 'share-once'};
    const post = () =>
      workspace.request('POST', '/v1/share-links', {
        token: ada.token,
        headers,
        body: {team: 'platform', monday},
      });
    const [first, second] = [await post(), await post()];
    expect(second.body).toEqual(first.body);
  });

  it('a share link is refused after too many wrong ones from one address', async () => {
    const {url} = await share();
    const wrong = url.replace(/\.[\w-]{43}\./, `.${'B'.repeat(43)}.`);
    const statuses: number[] = [];
    for (let i = 0; i < 210; i += 1) statuses.push((await open(wrong)).status);
    expect(statuses[0]).toBe(404);
    expect(statuses.at(-1)).toBe(429);
    expect((await open(url)).status).toBe(200);
  });
});
