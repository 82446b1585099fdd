import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type IdKind, idPrefixes} from '../../../src/domain/core/ids.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {
  type Json,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {runConcurrently} from '../../support/side-by-side.js';
import {dumpRedis} from '../../store/dump.js';
import {addFixtures, eventsOf, type Fixtures, make, routes, sampleOf} from '../samples.js';
import {deep} from '../../support/deep.js';

let service: TestService;
let receiver: Receiver;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let own: Fixtures;
let foreign: Fixtures;
/** The other workspace's events before the tests. */
let theirEvents: Json[];

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  ours = await service.addWorkspace();
  theirs = await service.addWorkspace();
  own = await addFixtures(ours, receiver.url);
  foreign = await addFixtures(theirs, receiver.url);
  theirEvents = await eventsOf(theirs);
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** Ids of the right kind that do not exist. */
const unknown: Fixtures = {
  ...(Object.fromEntries(
    Object.entries(idPrefixes).map(([kind, prefix]) => [kind, `${prefix}_01jd0000007000000000000001`]),
  ) as Readonly<Record<IdKind, string>>),
  slug: 'nobody',
  inviteLink: `ws_01jd0000007000000000000001.${'0'.repeat(16)}.${'A'.repeat(43)}`,
  date: '2001-01-01',
  token: `${idPrefixes.access_token}_01jd0000007000000000000001`,
  trouble: 'C0NOBODY',
  owner: 'no token',
  reminded: 'no token',
  session: 'no token',
  ticket: 'AAAA',
  credentialId: 'AAAA',
  clientData: 'AAAA',
  attestation: 'AAAA',
  user_code: 'BBBB-BBBB',
};

/** A sentence without the first quoted value, which comes from the request. */
function withoutGiven(detail: unknown): unknown {
  return typeof detail === 'string' ? detail.replace(/"(?:[^"\\]|\\.)*"/, '"…"') : detail;
}

/** An answer without data of the single request, and with the given ids replaced. */
function essence({status, headers, text}: TestResponse, used: object): Json {
  const blotted = Object.values(used).reduce<string>((rest, id) => rest.replaceAll(String(id), '…'), text);
  const {instance, request_id: _, detail, ...rest} = JSON.parse(blotted);
  const body = {...rest, detail: withoutGiven(detail)};
  const kept = Object.fromEntries(
    [...headers].filter(([name]) => !['x-request-id', 'date', 'content-length', 'ratelimit'].includes(name)),
  );
  return {status, instance, body, headers: kept};
}

/** Values of one path parameter: that of our workspace, and that of the other one. */
interface ParameterValues {
  readonly own: string;
  readonly foreign: string;
}

const letters = 'abcdefghjkmnpqrstvwxyz';
const unknownSuffix = '01jd0000007000000000000000';
const prefixOf = (id: string) => (/^([a-z]+)_[0-9a-z]{26}$/.exec(id)?.[1] ?? 'team') + '_';

/** Values that a caller may send for an id. Each must be answered like an unknown id. */
const forms: Readonly<Record<string, (values: ParameterValues) => string>> = {
  'the id in the other workspace': ({foreign}) => foreign,
  'that id in upper case': ({foreign}) => foreign.toUpperCase(),
  'our id with one character changed': ({own}) =>
    own.slice(0, -1) + letters[(letters.indexOf(own.slice(-1)) + 1) % letters.length],
  'our id with another time': ({own}) => own.replace(/_.{10}/, '_01jd000000'),
  'our id with another prefix': ({own}) => own.replace(/^[a-z]+/, 'ws'),
  'our id with one character more': ({own}) => `${own}0`,
  'our id with a space in it': ({own}) => `${own.slice(0, 9)}%20${own.slice(9)}`,
  'our id with a NUL': ({own}) => `${own}%00`,
  'an id of their workspace itself': () => theirs.id,
  'a word': () => 'nothing-of-that-name',
  'a word beyond ASCII': () => encodeURIComponent('größe-✅'),
  'a name of every object': () => '__proto__',
  'a key of the store': () => encodeURIComponent(`{${theirs.id}}:r:x`),
  'a way up': () => '..%2f..%2fme',
  'an asterisk': () => '*',
  '300 characters': () => 'x'.repeat(300),
};

/** The parameters of a path by their names in the template. */
function valuesIn(template: string, path: string): Map<string, string> {
  const parts = path.replace(/\?.*/, '').split('/');
  return new Map(
    template.split('/').flatMap((part, i) => (part.startsWith('{') ? [[part, parts[i] ?? '']] : [])),
  );
}

const withParameters = routes.filter(({path}) => path.includes('{'));
const rows = withParameters.flatMap((route) =>
  // A date is no id, because each team has its own run of that date. A program belongs to no workspace until a
  // person has approved it.
  [...valuesIn(route.path, route.path).keys()]
    .filter((name) => !['{date}', '{monday}', '{user_code}'].includes(name))
    .map((parameter) => ({route, operation: route.operation, parameter})),
);

describe('an id of another workspace in a path', () => {
  it.each(rows)(
    'is answered exactly like an id that does not exist: $parameter of $operation',
    async ({route, parameter}) => {
      const {path, body, token} = sampleOf(route, own);
      const [ours_, theirs_] = [own, foreign].map((fixtures) =>
        valuesIn(route.path, sampleOf(route, fixtures).path).get(parameter),
      );
      const values = {own: ours_ ?? '', foreign: theirs_ ?? ''};
      const ask = async (value: string) => {
        const answer = await ours.request(route.method, path.replace(values.own, value), {
          // A precondition must not reveal the revision.
          headers: {'if-match': '"99"', 'if-none-match': '*'},
          ...(body !== undefined && {body}),
          ...(token !== undefined && {token}),
        });
        return essence(answer, {value, decoded: decodeURIComponent(value)});
      };
      const absent = await ask(`${prefixOf(values.own)}${unknownSuffix}`);
      const [foreignForm, ...others] = Object.entries(forms);
      // Each operation tries two other forms of an id, since the same code reads the ids of all operations.
      const at = 2 * rows.findIndex((row) => row.route === route && row.parameter === parameter);
      const two = [at, at + 1].map((i) => others[i % others.length]);
      const asked = [foreignForm, ...(deep ? others : two)].flatMap((one) => (one ? [one] : []));
      await runConcurrently(asked, async ([form, made]) => {
        const given = made(values);
        // Slack ids have no prefix and no time to change.
        if (given === values.own) return;
        expect({form, ...(await ask(given))}).toEqual({form, ...absent, status: 404});
      });
      expect(await eventsOf(theirs)).toEqual(theirEvents);
    },
  );
});

describe('an id of another workspace in a body or a filter', () => {
  const bodies: [string, (ids: Fixtures) => [string, string, Json?]][] = [
    ['the team of a standup', ({team}) => ['POST', '/v1/standups', {team, update: 'A'}]],
    [
      'the teams of a webhook',
      ({team}) => ['POST', '/v1/webhooks', {url: receiver.url, events: ['*'], teams: [team]}],
    ],
    ['the team of a blocker', ({team}) => ['POST', '/v1/blockers', {team, text: 'A'}]],
    ['the team of a list of blockers', ({team}) => ['GET', `/v1/blockers?team=${team}`]],
    ['the team of a list', ({team}) => ['GET', `/v1/standups?team=${team}`]],
    ['the slug of a list', ({slug}) => ['GET', `/v1/standups?team=${slug}`]],
  ];

  it.each(bodies)('finds nothing as %s', async (_, ask) => {
    const [real, absent] = await Promise.all(
      [foreign, unknown].map(async (fixtures) => {
        const [method, path, body] = ask(fixtures);
        return essence(await ours.request(method, path, body === undefined ? {} : {body}), fixtures);
      }),
    );
    expect(real.status).toBe(422);
    expect(real).toEqual(absent);
  });

  it('finds nothing as the author of a standup', async () => {
    const [real, absent] = await Promise.all(
      [foreign, unknown].map(async (fixtures) => {
        const body = {team: 'platform', update: 'A', author: fixtures.member};
        return essence(await ours.request('POST', '/v1/standups', {body}), fixtures);
      }),
    );
    expect(real.status).toBe(422);
    expect(real).toEqual(absent);
  });

  it('finds nothing as the event after which a stream continues', async () => {
    const [real, absent] = await Promise.all(
      [foreign, unknown].map(async (fixtures) => {
        const headers = {'last-event-id': fixtures.event};
        return essence(await ours.request('GET', '/v1/events/stream', {headers}), fixtures);
      }),
    );
    expect(real.status).toBeGreaterThanOrEqual(400);
    expect(real).toEqual(absent);
  });

  it('finds nothing as the author of a list', async () => {
    const {body} = await ours.request('GET', `/v1/standups?author=${theirs.principal.id}`);
    expect(body).toEqual({object: 'list', data: [], has_more: false, next_cursor: null});
  });
});

it("lists and the feed show only the caller's workspace", async () => {
  await make(ours, '/v1/standups', {team: 'platform', update: 'Ours.'});
  for (const path of ['/v1/standups', '/v1/blockers', '/v1/teams', '/v1/webhooks', '/v1/events']) {
    const {text} = await ours.request('GET', `${path}?limit=100`);
    const {date: _date, ...ids} = foreign;
    for (const id of [...Object.values(ids), theirs.id]) expect(text).not.toContain(id);
  }
});

it('a Slack channel may be used by one team of each workspace', async () => {
  const channel = {slack_channel_id: 'C0SHARED1'};
  const answers = await Promise.all(
    [ours, theirs].map((workspace) => workspace.request('PATCH', '/v1/teams/platform', {body: channel})),
  );
  expect(answers.map(({status}) => status)).toEqual([200, 200]);
  // The other workspace's own token has changed that workspace; no other events may follow.
  theirEvents = await eventsOf(theirs);
});

it('every key of a workspace contains the tag of the workspace, and no other key contains its text', async () => {
  const update = 'Words that stand in one workspace only.';
  const {id} = await make(ours, '/v1/standups', {team: 'platform', update});
  await ours.request('PATCH', `/v1/standups/${id}`, {body: {update: `${update} Edited.`}});
  await make(ours, '/v1/webhooks', {url: 'https://hooks.example/a-path-of-ours', events: ['*']});
  const {keys, text} = await dumpRedis(service.redisUrl);
  const lines = text.split('\n');
  const tags = [ours.id, theirs.id].map((workspace) => `{${workspace}}:`);
  for (const key of keys) {
    const known =
      tags.some((tag) => key.startsWith(tag)) || key.startsWith('{global}:') || /^\{[a-z-]+\}/.test(key);
    expect({key, known}).toEqual({key, known: true});
  }
  for (const needle of [update, 'a-path-of-ours']) {
    const holders = lines
      .filter((line) => line.includes(needle))
      .map((line) => line.slice(0, line.indexOf('}:') + 2));
    expect(new Set(holders)).toEqual(new Set([tags[0]]));
  }
});
