import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Deprecation} from '../../../src/api/http/deprecation.js';
import {findDeprecationError} from '../../../src/api/http/deprecation.js';
import {type ApiDocument, readDocument} from '../../support/api-document.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from './expect-problem.js';
import {make, routes} from '../samples.js';

/** The instants in the headers are the first moments of the two days. */
const leaving: Deprecation = {since: '2026-02-28', sunset: '2126-03-01', link: '/docs#leaving'};
const gone: Deprecation = {since: '2020-01-15', sunset: '2021-01-15', link: 'https://example.com/moved'};
const planted: Readonly<Record<string, Deprecation>> = {listTeams: leaving, createTeam: leaving, getMe: gone};

let service: TestService;
let workspace: TestWorkspace;
let document: ApiDocument;

beforeAll(async () => {
  service = await startService({
    changeRoutes: (table) =>
      table.map((route) => {
        const deprecated = planted[route.operation];
        return deprecated === undefined ? route : {...route, deprecated};
      }),
  });
  workspace = await service.addWorkspace();
  document = readDocument((await sendRequest(service.url, 'GET', '/openapi.json')).body);
});

afterAll(() => service.close());

const notice = {
  deprecation: '@1772236800',
  sunset: 'Fri, 01 Mar 2126 00:00:00 GMT',
};
const link = expect.stringMatching(
  /^<http:\/\/localhost:\d+\/docs#leaving>; rel="deprecation"; type="text\/html"$/,
);
const noticeOf = (headers: Headers) => ({
  deprecation: headers.get('deprecation'),
  sunset: headers.get('sunset'),
  link: headers.get('link'),
});

describe('a deprecated operation', () => {
  it('works, and names its deprecation, its sunset and its replacement', async () => {
    const created = await workspace.request('POST', '/v1/teams', {body: {slug: 'first'}});
    expect({status: created.status, ...noticeOf(created.headers)}).toEqual({status: 201, ...notice, link});
  });

  it('names its deprecation in a refusal too', async () => {
    const refused = await workspace.request('POST', '/v1/teams', {body: {}});
    expectProblem(refused, 'validation_failed');
    expect(noticeOf(refused.headers)).toEqual({...notice, link});
    const stranger = await sendRequest(service.url, 'GET', '/v1/teams');
    expectProblem(stranger, 'authentication_required');
    expect(noticeOf(stranger.headers)).toEqual({...notice, link});
  });

  it('keeps the link to the next page', async () => {
    await make(workspace, '/v1/teams', {slug: 'second'});
    const {headers} = await workspace.request('GET', '/v1/teams?limit=1');
    expect(headers.get('link')).toMatch(
      /^<http:[^>]+\/v1\/teams\?limit=1&cursor=[^>]+>; rel="next", <http:[^>]+\/docs#leaving>; rel="deprecation"/,
    );
    expect(noticeOf(headers)).toMatchObject(notice);
  });

  it('is marked in the document, with its dates', () => {
    const list = document.operation({path: '/v1/teams', method: 'GET'});
    expect(list.deprecated).toBe(true);
    expect(list.description).toContain(
      '**Deprecated** since 2026-02-28; answered 410 from 2126-03-01. [What to use instead](/docs#leaving).',
    );
    const {headers} = document.resolve(list.responses[200]);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']));
    expect(document.resolve(list.responses[410]).description).toContain('`endpoint_sunset`');
  });

  it('is answered 410 from its sunset on, with the link, for every caller', async () => {
    for (const answer of [
      await workspace.request('GET', '/v1/me'),
      await sendRequest(service.url, 'GET', '/v1/me'),
    ]) {
      expectProblem(answer, 'endpoint_sunset');
      expect(noticeOf(answer.headers)).toEqual({
        deprecation: '@1579046400',
        sunset: 'Fri, 15 Jan 2021 00:00:00 GMT',
        link: '<https://example.com/moved>; rel="deprecation"; type="text/html"',
      });
    }
  });
});

it('an operation that is not deprecated has no deprecation headers', async () => {
  const {headers} = await workspace.request('GET', '/v1/standups');
  expect(noticeOf(headers)).toEqual({deprecation: null, sunset: null, link: null});
  expect(document.operation({path: '/v1/standups', method: 'GET'})).not.toHaveProperty('deprecated');
});

it.each<[string, Partial<Deprecation>, RegExp | undefined]>([
  ['12 months to the day', {since: '2026-11-23', sunset: '2027-11-23'}, undefined],
  ['more than 12 months', {since: '2026-11-23', sunset: '2029-01-01'}, undefined],
  ['12 months over a leap day', {since: '2027-06-01', sunset: '2028-06-01'}, undefined],
  ['a day less than 12 months', {since: '2026-11-23', sunset: '2027-11-22'}, /12 months/],
  ['a sunset before its announcement', {since: '2026-11-23', sunset: '2026-11-22'}, /12 months/],
  ['a day that is none', {since: '2026-02-29'}, /must be days/],
  ['no link', {link: ''}, /what to use instead/],
])('the policy on deprecations is applied correctly to %s', (_, part, pattern) => {
  const found = findDeprecationError({since: '2026-11-23', sunset: '2028-01-01', link: '/docs', ...part});
  if (pattern === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(pattern);
});

it('every deprecation in the route table follows the policy', () => {
  const errors = routes.flatMap(({operation, deprecated}) => {
    const error = deprecated && findDeprecationError(deprecated);
    return error === undefined ? [] : [`${operation}: ${error}`];
  });
  expect(errors).toEqual([]);
});
