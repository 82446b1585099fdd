import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {
  type Json,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import {dumpRedis} from '../store/dump.js';
import {addFixtures, eventsOf, type Fixtures, make, routes, sampleOf} from './samples.js';

let service: TestService;
let receiver: Receiver;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let foreign: Fixtures;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  ours = await service.addWorkspace();
  theirs = await service.addWorkspace();
  foreign = await addFixtures(theirs, receiver.url);
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** Ids of the right kind that nobody has. */
const unknown: Fixtures = {
  team: 'team_01jd0000007000000000000000',
  slug: 'nobody',
  standup: 'std_01jd0000007000000000000000',
  webhook: 'whk_01jd0000007000000000000000',
  delivery: 'dlv_01jd0000007000000000000000',
  token: 'tok_01jd0000007000000000000000',
  event: 'evt_01jd0000007000000000000001',
};

/** An answer without what belongs to the one request, and with the ids it was asked for blotted out. */
function essence({status, headers, text}: TestResponse, used: Fixtures): Json {
  const blotted = Object.values(used).reduce<string>((rest, id) => rest.replaceAll(id, '…'), text);
  const {instance, request_id: _, ...body} = JSON.parse(blotted);
  const kept = Object.fromEntries(
    [...headers].filter(([name]) => !['x-request-id', 'date', 'content-length'].includes(name)),
  );
  return {status, instance, body, headers: kept};
}

describe("another workspace's id is answered exactly as one that does not exist", () => {
  it.each(routes.filter(({path}) => path.includes('{')))('$method $path', async (route) => {
    const before = await eventsOf(theirs);
    const [real, absent] = await Promise.all(
      [foreign, unknown].map(async (fixtures) => {
        const {path, body} = sampleOf(route, fixtures);
        const answer = await ours.request(route.method, path, body === undefined ? {} : {body});
        return essence(answer, fixtures);
      }),
    );
    expect(real.status).toBe(404);
    expect(real).toEqual(absent);
    // Also with a precondition, which would otherwise tell the revision.
    const {path, body} = sampleOf(route, foreign);
    const conditional = await ours.request(route.method, path, {
      headers: {'if-match': '"99"', 'if-none-match': '*'},
      ...(body !== undefined && {body}),
    });
    expect({status: conditional.status, etag: conditional.headers.get('etag')}).toEqual({
      status: 404,
      etag: null,
    });
    expect(await eventsOf(theirs)).toEqual(before);
  });
});

describe('an id in a body or a filter does not reach into another workspace', () => {
  const bodies: [string, (ids: Fixtures) => [string, string, Json?]][] = [
    ['the team of a standup', ({team}) => ['POST', '/v1/standups', {team, update: 'A'}]],
    [
      'the teams of a webhook',
      ({team}) => ['POST', '/v1/webhooks', {url: receiver.url, events: ['*'], teams: [team]}],
    ],
    ['the team of a list', ({team}) => ['GET', `/v1/standups?team=${team}`]],
    ['the slug of a list', ({slug}) => ['GET', `/v1/standups?team=${slug}`]],
  ];

  it.each(bodies)('%s', async (_, ask) => {
    const [real, absent] = await Promise.all(
      [foreign, unknown].map(async (fixtures) => {
        const [method, path, body] = ask(fixtures);
        return essence(await ours.request(method, path, body === undefined ? {} : {body}), fixtures);
      }),
    );
    expect(real.status).toBe(422);
    expect(real).toEqual(absent);
  });

  it('the author of a list', async () => {
    const {body} = await ours.request('GET', `/v1/standups?author=${theirs.principal.id}`);
    expect(body).toEqual({object: 'list', data: [], has_more: false, next_cursor: null});
  });
});

it('lists and the feed show the own workspace only', async () => {
  await make(ours, '/v1/standups', {team: 'platform', update: 'Ours.'});
  for (const path of ['/v1/standups', '/v1/teams', '/v1/webhooks', '/v1/events']) {
    const {text} = await ours.request('GET', `${path}?limit=100`);
    for (const id of [...Object.values(foreign), theirs.id]) expect(text).not.toContain(id);
  }
});

it('a Slack channel may be used by one team of each workspace', async () => {
  const channel = {slack_channel_id: 'C0SHARED1'};
  const answers = await Promise.all(
    [ours, theirs].map((workspace) => workspace.request('PATCH', '/v1/teams/platform', {body: channel})),
  );
  expect(answers.map(({status}) => status)).toEqual([200, 200]);
});

it('every key of a workspace has its tag, and what one wrote stands in no other', async () => {
  const words = 'Words that stand in one workspace only.';
  const {id} = await make(ours, '/v1/standups', {team: 'platform', update: words});
  await ours.request('PATCH', `/v1/standups/${id}`, {body: {update: `${words} Edited.`}});
  await make(ours, '/v1/webhooks', {url: 'https://hooks.example/a-path-of-ours', events: ['*']});
  const {keys, text} = await dumpRedis(service.redisUrl);
  const lines = text.split('\n');
  const tags = [ours.id, theirs.id].map((workspace) => `{${workspace}}:`);
  for (const key of keys) {
    const known =
      tags.some((tag) => key.startsWith(tag)) || key.startsWith('{global}:') || /^\{[a-z-]+\}/.test(key);
    expect({key, known}).toEqual({key, known: true});
  }
  for (const needle of [words, 'a-path-of-ours']) {
    const holders = lines
      .filter((line) => line.includes(needle))
      .map((line) => line.slice(0, line.indexOf('}:') + 2));
    expect(new Set(holders)).toEqual(new Set([tags[0]]));
  }
});
