import {randomBytes} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {isReadOnly, type Route} from '../../../src/api/http/route.js';
import {scopes} from '../../../src/domain/core/access.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {getPublishedDocument} from '../../support/contract.js';
import {openEvents} from '../../support/event-stream-client.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {seedReminder} from '../../support/seed-reminder.js';
import {closeRun, seedRun} from '../../support/seed-runs.js';
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

/** The rights that decide which answers show something of a private team. */
type Right = 'reads' | 'leads' | 'manages' | 'isInIt' | 'isSelf';

/**
 * The callers of the table in docs/who-reads-what.md, each with its rights. `isSelf`: the samples ask for this
 * person.
 */
const callers = {
  owner: ['reads', 'leads', 'manages'],
  admin: ['reads', 'leads', 'manages'],
  lead: ['reads', 'leads', 'isInIt'],
  member: ['reads', 'isInIt', 'isSelf'],
  observer: ['reads', 'isInIt'],
  other: [],
  program: [],
  privateProgram: ['reads', 'leads', 'manages', 'isSelf'],
} as const satisfies Record<string, readonly Right[]>;

type Caller = keyof typeof callers;
const names = Object.keys(callers) as Caller[];
const outside = names.filter((caller) => callers[caller].length === 0);
const isReader = (caller: Caller) => callers[caller].length > 0;

let service: TestService;
let receiver: Receiver;
let workspace: TestWorkspace;
let fixtures: Fixtures;
let people: Record<'owner' | 'admin' | 'lead' | 'member' | 'observer' | 'other', Person>;
let tokens: Record<Caller, string>;
/** A standup of an open team. */
let openStandup: string;
/** The bodies that a webhook without `teams` was sent while the private team was filled. */
let sentToAll: readonly string[];
/** Texts that no one else may be shown: the mark, and the names and ids of the team and of all in it. */
let secrets: readonly string[];

/** The streams do not end; another test opens them. */
const reading = routes.filter((route) => isReadOnly(route) && !route.operation.startsWith('stream'));

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
  const everything = await make(workspace, '/v1/webhooks', {
    url: `${receiver.url}/everything`,
    events: ['*'],
  });
  ({id: openStandup} = await make(workspace, '/v1/standups', {team: 'platform', update: 'Open.'}));
  fixtures = await fill(general, team);
  const last = await make(workspace, '/v1/blockers', {team: 'platform', text: 'The last one.'});
  const sent = () =>
    receiver.received.filter(({path}) => path.endsWith('/everything')).map(({body}) => String(body));
  await until(async () => sent().some((body) => body.includes(last.id)) || undefined, {
    what: 'the last event at the webhook for all teams',
  });
  sentToAll = sent();
  await workspace.request('DELETE', `/v1/webhooks/${everything.id}`);
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** Fills the private team, and returns the fixtures with its parts in place of those of the open team. */
async function fill(general: Fixtures, team: Json): Promise<Fixtures> {
  const send = async (method: string, path: string, body: Json, token = tokens.member): Promise<Json> => {
    const {status, text, body: made} = await workspace.request(method, path, {body, token});
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return made;
  };
  const write = (path: string, body: Json, token?: string) => send('POST', path, body, token);
  const past = {date: '2025-12-02', closes_at: '2025-12-02T10:00:00.000Z'};
  const run = await seedRun(service, workspace, {...past, team: slug, team_id: team.id});
  const webhook = await make(workspace, '/v1/webhooks', {
    url: receiver.url,
    events: ['standup.created'],
    teams: [slug],
    description: `For ${mark}`,
  });
  const free = await write('/v1/standups', {
    team: slug,
    date: past.date,
    update: `Did ${mark}`,
    blockers: `Needs ${mark}`,
    metadata: {ticket: mark},
  });
  const delivery = await until(
    async () => (await workspace.request('GET', `/v1/webhooks/${webhook.id}/deliveries`)).body.data[0],
    {what: 'a delivery of the private team'},
  );
  const choices = [`With ${mark}`, 'Without'];
  await send(
    'PATCH',
    `/v1/teams/${slug}`,
    {
      questions: [
        {key: 'plan', label: `Plan ${mark}`, type: 'text'},
        {key: 'kind', label: `Kind ${mark}`, type: 'choice', options: choices},
      ],
    },
    tokens.lead,
  );
  const answers = (value: string) => ({
    answers: [
      {question: 'plan', value},
      {question: 'kind', value: choices[0]},
    ],
  });
  const standup = await write('/v1/standups', {team: slug, ...answers(mark)}, tokens.lead);
  await send('PATCH', `/v1/standups/${standup.id}`, answers(`${mark} again`), tokens.lead);
  // Everyone is notified, also who may not read it.
  const mentions = Object.values(people).map(({id, name}) => `[@${name}](mention:${id})`);
  const text = `Seen ${mark} ${mentions.join(' ')}`;
  const comment = await write('/v1/comments', {standup: standup.id, text, format: 'markdown'});
  await send('PATCH', `/v1/comments/${comment.id}`, {text: `Really ${text}`});
  await write('/v1/comments', {standup: standup.id, text: `Thanks ${mark}`}, tokens.lead);
  await write('/v1/reactions', {subject: standup.id, add: ['👍']});
  const blocker = await write('/v1/blockers', {team: slug, text: `Blocked by ${mark}`});
  await send('PATCH', `/v1/blockers/${blocker.id}`, {text: `Still blocked by ${mark}`});
  // Who is away today is not reminded.
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const absence = await write('/v1/absences', {team: slug, from: soon, reason: `Away with ${mark}`});
  await send('PATCH', `/v1/absences/${absence.id}`, {reason: `Ill with ${mark}`});
  await send('PUT', `/v1/drafts/${people.member.id}`, {
    team: slug,
    source: 'git',
    ...answers(`Draft of ${mark}`),
    links: [{title: `Link to ${mark}`, url: 'https://example.com/1'}],
  });
  const invite = await write('/v1/invites', {teams: [{team_id: slug}]}, tokens.owner);
  await seedReminder(service, workspace, {member: people.member.id, team: team.id, slug});
  await closeRun(service, workspace, run);
  const trouble = `C${randomBytes(6).toString('hex').toUpperCase()}`;
  const details = {team: suffixOf<'team'>(team.id), code: 'not_in_channel'};
  await service.core.store.slackTroubles.note(workspace.id, trouble, details, performance.now() + 5_000);
  await workspace.request('PATCH', `/v1/teams/${slug}`, {body: {slack_channel_id: trouble}});
  const [members, reactions] = await Promise.all(
    [`/v1/teams/${slug}/members`, `/v1/reactions?subject=${standup.id}`].map(
      async (path) => (await workspace.request('GET', path)).body.data,
    ),
  );
  secrets = [
    mark,
    slug,
    trouble,
    ...[team, run, webhook, free, standup, comment, blocker, absence, delivery].map(({id}) => id as string),
    ...[...members, ...reactions].map(({id}: Json) => id),
  ];
  return {
    ...general,
    team: team.id,
    slug,
    date: past.date,
    member: people.member.id,
    standup: standup.id,
    comment: comment.id,
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

/** Queries by which an answer says more than by default. */
const wholeQueries: Readonly<Record<string, string>> = {
  exportParticipation: '&since=2025-12-01&until=2025-12-31',
  getTeamWeek: '',
  listEvents: '?order=desc&limit=100',
  listMembers: '?include=teams&limit=100',
};

/** Sends the sample request of an operation as a caller. `change`: changes the request. */
async function ask(
  route: Route,
  token: string,
  change: (part: string) => string = (part) => part,
): Promise<Shown> {
  const {path: plain, body} = sampleOf(route, fixtures);
  const path = change(plain + (wholeQueries[route.operation] ?? ''));
  const content = JSON.stringify(body) as string | undefined;
  // On a busy machine the store may be too late for one of many requests.
  const answer = await until(
    async () => {
      const given = await workspace.request(route.method, path, {
        token,
        ...(content !== undefined && {body: JSON.parse(change(content))}),
      });
      return given.status === 503 ? undefined : given;
    },
    {what: `an answer to ${route.operation}`, withinMs: 30_000},
  );
  const said = `${path} ${content ?? ''}`;
  // A refusal repeats what was asked for; an answer of another kind does not.
  const given = answer.status >= 400 ? secrets.filter((secret) => said.includes(secret)) : [];
  const rest = given.reduce((text, secret) => text.replaceAll(secret, ''), answer.text);
  return {route, answer, found: secrets.filter((secret) => rest.includes(secret))};
}

async function askAll(token: string, change?: (part: string) => string): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const route of reading) shown.push(await ask(route, token, change));
  return shown;
}

const leaks = (shown: readonly Shown[]) =>
  shown
    .filter(({found}) => found.length > 0)
    .map(({route, found, answer}) => `${route.operation} ${answer.status}: ${found.join(', ')}`);

/**
 * Every operation that reads, with the rights of which one suffices to be shown something of the team. A new
 * operation fails a test until it is here.
 */
const showings: Readonly<Record<string, readonly Right[]>> = {
  createPasskeyChallenge: [],
  exportAbsences: ['reads'],
  exportMember: ['manages', 'isSelf'],
  exportParticipation: ['reads'],
  exportStandups: ['reads'],
  getAbsence: ['reads'],
  getBlocker: ['reads'],
  getComment: ['reads'],
  getDelivery: ['manages'],
  getDeviceLogin: [],
  getDraft: ['isSelf'],
  getErasure: [],
  getEvent: ['reads'],
  getHolidayCalendar: [],
  getImport: [],
  getInvite: ['manages'],
  getMail: [],
  getMe: ['isInIt'],
  getMember: [],
  getMemberParticipation: ['reads'],
  getOwnReminder: ['isSelf'],
  getParticipation: ['reads'],
  getPasskey: [],
  getReplay: [],
  getRun: ['reads'],
  getSetup: [],
  getSlackConnection: [],
  getStandup: ['reads'],
  getTeam: ['reads'],
  getTeamDay: ['reads'],
  getTeamMember: ['reads'],
  getTeamReaders: ['leads'],
  getTeamWeek: ['reads'],
  getToken: [],
  getTrends: ['reads'],
  getWebhook: ['manages'],
  getWebhookHealth: ['manages'],
  getWorkspace: [],
  listAbsences: ['reads'],
  listAttempts: ['manages'],
  listBlockers: ['reads'],
  listComments: ['reads'],
  listDaysOff: ['reads'],
  listDeliveries: ['manages'],
  listErasures: [],
  listEventDeliveries: ['manages'],
  listEventTypes: [],
  listEvents: ['reads'],
  listHolidayCalendars: [],
  listHolidayRegions: [],
  listImports: [],
  listInbox: ['reads'],
  listInvites: ['manages'],
  listMails: [],
  listMembers: ['reads'],
  listParticipation: ['reads'],
  listPasskeys: [],
  listReactions: ['reads'],
  listReplays: [],
  listRuns: ['reads'],
  listServiceAccounts: [],
  listSlackChannels: ['reads'],
  listSlackTroubles: ['reads'],
  listStandupRevisions: ['reads'],
  listStandups: ['reads'],
  listTeamMembers: ['reads'],
  listTeams: ['reads'],
  listTokens: [],
  listWebhooks: ['manages'],
  previewSchedule: ['reads'],
  previewScheduleDraft: ['reads'],
};

/** A program has no reminders of its own, and no inbox. */
const isShown = (operation: string, rights: readonly Right[], isProgram: boolean) =>
  !(isProgram && ['getOwnReminder', 'listInbox'].includes(operation)) &&
  showings[operation]?.some((right) => rights.includes(right)) === true;

/** Replaces the names of everything in the team by names that nothing has. */
function replaceSecrets(part: string): string {
  return secrets
    .filter((secret) => secret !== mark)
    .reduce(
      (text, secret) =>
        text.replaceAll(secret, `${secret.slice(0, -2)}${secret.endsWith('00') ? '11' : '00'}`),
      part,
    );
}

/** Returns the words of a refusal, apart from the names in it. */
const saysOf = ({answer: {status, body}}: Shown) =>
  `${status} ${body?.code} ${replaceSecrets(String(body?.detail))}`;

async function expectReads(token: string, rights: readonly Right[], isProgram = false): Promise<void> {
  const shown = await askAll(token);
  // To those who see the team a refusal may name it.
  const isAnswer = ({answer}: Shown) => rights.length === 0 || answer.status < 400;
  const showing = shown
    .filter((one) => one.found.length > 0 && isAnswer(one))
    .map(({route}) => route.operation);
  const expected = reading.filter(({operation}) => isShown(operation, rights, isProgram));
  expect(showing.toSorted()).toEqual(expected.map(({operation}) => operation).toSorted());
  if (rights.length > 0) return;
  // Whatever is asked for, the answer is the one for something that does not exist.
  const unknown = await askAll(token, replaceSecrets);
  const refused = shown
    .map((one, i) => [one.route.operation, saysOf(one), unknown[i] && saysOf(unknown[i])])
    .filter(([, said, ofUnknown]) => said !== ofUnknown);
  expect(refused).toEqual([]);
}

describe('the tables of private teams', () => {
  it('the tables have every operation that reads', () => {
    expect(reading.map(({operation}) => operation).toSorted()).toEqual(Object.keys(showings));
  });

  it('the tables have every text that people write, each with the mark in a private team if it is in one', () => {
    expect(listTexts().toSorted()).toEqual([...markedTexts, ...otherTexts].toSorted());
  });

  it('cover every kind of resource that belongs to a team', async () => {
    const shown = [...(await askAll(tokens.owner)), ...(await askAll(tokens.member))];
    const kinds = new Set(shown.flatMap(({answer}) => [...listKindsOfTeam(answer.body)]));
    // Only an answer to a change has the kind `reminder`.
    expect(listKindsWithTeams().filter((kind) => !kinds.has(kind))).toEqual(['reminder']);
  });
});

describe('a private team, in the answers of all operations that read,', () => {
  it.each(names)('is shown to %s exactly as the table says', async (caller) => {
    await expectReads(tokens[caller], callers[caller], caller === 'privateProgram');
  });

  it.each(outside)('is unknown to %s as a filter, and its words are not found', async (caller) => {
    const withTeam = listOperationsWith('team').filter((route) => !route.path.includes('{team}'));
    const others: string[] = [];
    for (const route of withTeam)
      for (const name of [slug, fixtures.team]) {
        const path = (team: string) => `${sampleOf(route, fixtures).path.split('?')[0]}?team=${team}`;
        const {status, body} = await workspace.request('GET', path(name), {token: tokens[caller]});
        const unknown = await workspace.request('GET', path(replaceSecrets(name)), {token: tokens[caller]});
        if (status < 400 || status !== unknown.status || body.code !== unknown.body.code)
          others.push(`${route.operation} ${name}: ${status}`);
      }
    expect(withTeam.length).toBeGreaterThan(5);
    expect(others).toEqual([]);
    for (const route of listOperationsWith('q')) {
      const {text} = await workspace.request('GET', `${route.path}?q=${mark}`, {token: tokens[caller]});
      expect([route.operation, secrets.some((secret) => text.includes(secret))]).toEqual([
        route.operation,
        false,
      ]);
    }
  });

  it('a private team is never suggested for a name that is nearly its own', async () => {
    const near = `${slug.slice(0, -1)}${slug.endsWith('0') ? '1' : '0'}`;
    for (const caller of outside) {
      const {text, status} = await workspace.request('GET', `/v1/teams/${near}`, {token: tokens[caller]});
      expect([caller, status, text.includes(slug)]).toEqual([caller, 404, false]);
    }
    const {text} = await workspace.request('GET', `/v1/teams/${near}`, {token: tokens.member});
    expect(text).toContain(slug);
  });

  it('cannot be mentioned by those who do not see it', async () => {
    const mention = (token: string, standup: string) =>
      workspace.request('POST', '/v1/comments', {
        token,
        body: {standup, format: 'markdown', text: `[@Team](mention:${fixtures.team})`},
      });
    for (const caller of outside) {
      const {status, text} = await mention(tokens[caller], openStandup);
      expect([caller, status, text.includes(mark)]).toEqual([caller, 422, false]);
    }
    const {status, body} = await mention(tokens.member, fixtures.standup);
    expect(status).toBe(201);
    await workspace.request('DELETE', `/v1/comments/${body.id}`);
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
    // Reading an inbox takes any standup, and says nothing of it.
    const done = shown.filter(
      ({answer, route}) => answer.status < 400 && !['addImportRows', 'readInbox'].includes(route.operation),
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
        names.map(async (caller) => ({
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
        expect([caller, sees]).toEqual([caller, isReader(caller)]);
        stream.cut();
      }
    },
  );

  it('events of a private team are not sent to a webhook that names no teams', () => {
    expect(sentToAll.length).toBeGreaterThan(0);
    expect(sentToAll.filter((body) => secrets.some((secret) => body.includes(secret)))).toEqual([]);
  });

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

  it('a team is not private while its Slack channel is public', async () => {
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

describe('a private team, to its leads,', () => {
  it('lists the people, programs and webhooks that can read it', async () => {
    const read = async () =>
      (await workspace.request('GET', `/v1/teams/${slug}/readers`, {token: tokens.lead})).body;
    const before = await read();
    expect(before).toMatchObject({
      visibility: 'private',
      members: {count: 2, names: ['Lena Lead', 'Mia Member']},
      observers: {count: 1, names: ['Otto Observer']},
      service_accounts: {names: expect.arrayContaining(['program'])},
      webhooks: {count: 1, names: [`For ${mark}`]},
      slack_channel_id: fixtures.trouble,
      standups: {count: 2, since: fixtures.date},
    });
    expect(before.admins.names).toEqual(expect.arrayContaining(['Adam Admin', 'Olga Owner']));
    await workspace.addToken({name: 'only-open', scopes: ['standups:read', 'teams:read']});
    await workspace.request('PATCH', `/v1/members/${people.other.id}`, {body: {role: 'admin'}});
    const after = await read();
    expect(after.service_accounts).toEqual(before.service_accounts);
    expect([after.admins.count, after.others]).toEqual([before.admins.count + 1, before.others - 1]);
    await workspace.request('PATCH', `/v1/members/${people.other.id}`, {body: {role: 'member'}});
  });
});

describe('the right to read a private team', () => {
  it('begins with joining it and ends with leaving it, at once and for repeated requests', async () => {
    await workspace.request('PUT', `/v1/teams/${slug}/members/${people.other.id}`);
    await expectReads(tokens.other, callers.observer);
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
    await expectReads(tokens.other, callers.other);
  });

  it('begins and ends with the role of an admin', async () => {
    const setRole = (role: string) =>
      workspace.request('PATCH', `/v1/members/${people.other.id}`, {body: {role}, token: tokens.owner});
    await setRole('admin');
    await expectReads(tokens.other, callers.admin);
    await setRole('member');
    await expectReads(tokens.other, callers.other);
  });

  it('the reach of a team is that of everyone while the team is open', async () => {
    await workspace.request('PATCH', `/v1/teams/${slug}`, {body: {visibility: 'open'}});
    await expectReads(tokens.other, ['reads']);
    await workspace.request('PATCH', `/v1/teams/${slug}`, {body: {visibility: 'private'}});
    await expectReads(tokens.other, callers.other);
  });

  it('stays as it was in the events of a team that was deleted', async () => {
    const gone = await make(workspace, '/v1/teams', {slug: `gone-${slug}`, visibility: 'private'});
    await make(workspace, '/v1/blockers', {team: gone.slug, text: 'Soon gone.'});
    const {status} = await workspace.request('DELETE', `/v1/teams/${gone.id}?force=true`, {
      token: tokens.owner,
    });
    expect(status).toBe(204);
    for (const caller of ['owner', 'privateProgram', 'member', 'other', 'program'] as const) {
      const {text} = await workspace.request('GET', '/v1/events?order=desc&limit=100', {
        token: tokens[caller],
      });
      const isShown = caller === 'owner' || caller === 'privateProgram';
      expect([caller, text.includes(gone.id)]).toEqual([caller, isShown]);
    }
  });
});

/** The texts that stand in the private team. */
const markedTexts = [
  'changeAbsence.reason',
  'changeBlocker.text',
  'changeTeam.name',
  'changeTeam.questions[].label',
  'changeTeam.questions[].options[]',
  'createAbsence.reason',
  'createComment.text',
  'createTeam.name',
  'createTeam.questions[].label',
  'createTeam.questions[].options[]',
  'createWebhook.description',
  'changeWebhook.description',
  'editComment.text',
  'editStandup.answers[].value',
  'editStandup.answers[].value[]',
  'editStandup.blockers',
  'editStandup.metadata.*',
  'editStandup.update',
  'postStandup.answers[].value',
  'postStandup.answers[].value[]',
  'postStandup.blockers',
  'postStandup.metadata.*',
  'postStandup.update',
  'raiseBlocker.text',
  'setDraftPart.answers[].value',
  'setDraftPart.answers[].value[]',
  'setDraftPart.links[].title',
  'setDraftPart.update',
];

/** Names of other things, and texts that belong to no team. */
const otherTexts = [
  'acceptInvite.link',
  'addImportRows.rows[].answers[].label',
  'addImportRows.rows[].answers[].question',
  'addImportRows.rows[].answers[].value',
  'addImportRows.rows[].answers[].value[]',
  'addImportRows.rows[].author.email',
  'addImportRows.rows[].author.external_id',
  'addImportRows.rows[].author.name',
  'addImportRows.rows[].external_id',
  'addImportRows.rows[].team',
  'addImportRows.rows[].timezone',
  'addImportRows.rows[].update',
  'changeAbsence.team',
  'changeMember.name',
  'changeMember.timezone',
  'changePasskey.name',
  'changeReaction.add[]',
  'changeReaction.remove[]',
  'changeTeam.questions[].fill_from',
  'changeTeam.timezone',
  'changeWebhook.events[]',
  'changeWebhook.teams[]',
  'changeWebhook.tls.ca',
  'changeWorkspace.name',
  'createAbsence.member',
  'createAbsence.team',
  'createCalendarFeed.name',
  'createHolidayCalendar.ics',
  'createHolidayCalendar.name',
  'createImport.people[].person',
  'createImport.timezone',
  'createInvite.teams[].team_id',
  'createMember.name',
  'createMember.timezone',
  'createPasskey.name',
  'createPasskey.ticket',
  'createShareLink.name',
  'createShareLink.team',
  'createSignInLink.member',
  'createTeam.questions[].fill_from',
  'createTeam.timezone',
  'createToken.member',
  'createToken.name',
  'createToken.service_account',
  'createWebhook.events[]',
  'createWebhook.teams[]',
  'createWebhook.tls.ca',
  'editStandup.answers[].question',
  'markMailAsBounced.detail',
  'postStandup.answers[].question',
  'postStandup.author',
  'postStandup.team',
  'postStandup.teams[]',
  'raiseBlocker.author',
  'raiseBlocker.team',
  'setDraftPart.answers[].question',
  'setDraftPart.team',
];

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Lists the properties of all bodies that can be any text. */
function listTexts(): string[] {
  const {paths, components} = getPublishedDocument();
  const found = new Set<string>();
  const walk = (schema: Schema, path: string): void => {
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) walk(components.schemas[name], path);
    for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      walk(one, path);
    for (const [property, one] of Object.entries(schema.properties ?? {})) walk(one, `${path}.${property}`);
    if (schema.items !== undefined) walk(schema.items, `${path}[]`);
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${path}.*`);
    const isFree = [schema.const, schema.enum, schema.pattern, schema.format].every(
      (limit) => limit === undefined,
    );
    if (isFree && [schema.type].flat().includes('string')) found.add(path);
  };
  for (const {path, method, operation} of mutations) {
    const {requestBody} = paths[path][method.toLowerCase()];
    if (requestBody !== undefined) walk(requestBody.content['application/json'].schema, operation);
  }
  return [...found];
}

/** Lists the operations that read and have a parameter in the query. */
function listOperationsWith(name: string): Route[] {
  const {paths} = getPublishedDocument();
  return reading.filter(({method, path}) =>
    paths[path][method.toLowerCase()].parameters?.some(
      (one: Json) => one.in === 'query' && one.name === name,
    ),
  );
}

/** Lists the values of `object` of all resources that name a team or teams. */
function listKindsWithTeams(): string[] {
  const schemas: Schema[] = Object.values(getPublishedDocument().components.schemas);
  const naming = schemas.filter(({properties}) => properties?.['team_id'] ?? properties?.['teams']);
  return [...new Set(naming.flatMap(({properties}) => (properties?.['object']?.const as string) ?? []))];
}

/** Finds the kinds of all resources in an answer that name the private team. */
function* listKindsOfTeam(value: Json): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (value.object !== undefined && JSON.stringify([value.team_id, value.teams]).includes(fixtures.team))
    yield value.object;
  for (const one of Object.values(value)) yield* listKindsOfTeam(one);
}
