import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {ProblemCode} from '../../../src/api/http/problems.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {runConcurrently} from '../../support/side-by-side.js';
import {expectProblem} from './expect-problem.js';
import {make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let own: string;
let foreign: string;
const tokens = {plain: '', narrow: '', revoked: '', revokedNarrow: ''};

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  const body = {team: 'platform', update: 'As it was.'};
  own = (await make(workspace, '/v1/standups', body)).id;
  const other = await workspace.addToken({name: 'somebody-else'});
  foreign = (await workspace.request('POST', '/v1/standups', {body, token: other.value})).body.id;
  const headers = {'idempotency-key': 'used-before'};
  await workspace.request('POST', '/v1/standups', {body, headers});
  tokens.plain = (await workspace.addToken({scopes: ['standups:write']})).value;
  tokens.narrow = (await workspace.addToken({scopes: ['teams:read']})).value;
  tokens.revoked = await addRevokedToken();
  tokens.revokedNarrow = await addRevokedToken(['teams:read']);
});

afterAll(() => service.close());

async function addRevokedToken(scopes?: readonly 'teams:read'[]): Promise<string> {
  const {value, id} = await workspace.addToken(scopes && {scopes});
  await service.core.services.tokens.revokeToken(workspace.operator(), id);
  return value;
}

/** A PATCH of a standup, valid until `spoil` puts errors into it. */
interface RequestDraft {
  method: string;
  path: string;
  query: string;
  token: string | undefined;
  body: string;
  readonly headers: Record<string, string>;
}

interface Check {
  readonly code: ProblemCode;
  readonly error: string;
  readonly spoil: (draft: RequestDraft) => void;
}

/** The checks in their published order. Where possible, an error does not affect later checks. */
const checks: readonly Check[] = [
  {code: 'method_not_allowed', error: 'the method', spoil: (draft) => (draft.method = 'POST')},
  {code: 'authentication_required', error: 'no token', spoil: (draft) => (draft.token = undefined)},
  {code: 'insufficient_scope', error: 'the scope', spoil: (draft) => (draft.token = tokens.narrow)},
  {code: 'not_acceptable', error: 'Accept', spoil: ({headers}) => (headers['accept'] = 'text/html')},
  {
    code: 'payload_too_large',
    error: 'the size of the body',
    spoil: (draft) => (draft.body = draft.body.padEnd(65_537, ' ')),
  },
  {
    code: 'unsupported_media_type',
    error: 'the media type',
    spoil: ({headers}) => (headers['content-type'] = 'text/plain'),
  },
  {code: 'malformed_json', error: 'the JSON', spoil: (draft) => (draft.body = '{'.padEnd(draft.body.length))},
  {
    code: 'invalid_idempotency_key',
    error: 'the syntax of the key',
    spoil: ({headers}) => (headers['idempotency-key'] = 'not good'),
  },
  {code: 'invalid_parameter', error: 'a query parameter', spoil: (draft) => (draft.query = '?unknown=1')},
  {
    code: 'validation_failed',
    error: 'a member',
    spoil: (draft) => (draft.body = '{"unknown":1}'.padEnd(draft.body.length)),
  },
  {
    code: 'idempotency_key_reused',
    error: 'a key used before',
    spoil: ({headers}) => (headers['idempotency-key'] = 'used-before'),
  },
  {
    code: 'not_found',
    error: 'an unknown id',
    spoil: (draft) => (draft.path = '/v1/standups/std_01jd0000007000000000000000'),
  },
  {code: 'forbidden', error: "another member's", spoil: (draft) => (draft.path = `/v1/standups/${foreign}`)},
  {code: 'precondition_failed', error: 'the revision', spoil: ({headers}) => (headers['if-match'] = '"99"')},
];

async function send(spoilers: readonly Check[], token?: string) {
  const draft: RequestDraft = {
    method: 'PATCH',
    path: `/v1/standups/${own}`,
    query: '',
    token: token ?? tokens.plain,
    body: '{"update":"As it is now."}',
    headers: {'content-type': 'application/json'},
  };
  for (const {spoil} of spoilers) spoil(draft);
  const {method, path, query, body, headers} = draft;
  return sendRequest(service.url, method, path + query, {
    body,
    headers,
    ...(draft.token !== undefined && {token: draft.token}),
  });
}

it('the request without an error succeeds', async () => {
  expect((await send([])).status).toBe(200);
});

describe('a request with two errors', () => {
  it.each(checks.map((check, i) => ({...check, i})))(
    'is answered by the one that is checked first: $error, $code',
    async ({code, i}) => {
      expectProblem(await send(checks.slice(i, i + 1)), code);
      await runConcurrently(checks.slice(i + 1), async (later) => {
        // The first error is applied last, so that it wins where two errors exclude each other.
        const answer = await send([later, checks[i] as Check]);
        expect({later: later.error, code: answer.body.code}).toEqual({later: later.error, code});
      });
    },
  );
});

it('a path that does not exist is a 404 before any other check', async () => {
  const headers = {accept: 'text/html', 'content-type': 'text/plain', 'idempotency-key': 'not good'};
  expectProblem(await sendRequest(service.url, 'POST', '/v1/nothing', {body: '{', headers}), 'not_found');
});

it('a revoked token is a 401 whatever else is wrong with the request', async () => {
  const later = checks.slice(checks.findIndex(({code}) => code === 'not_acceptable'));
  for (const check of later) {
    const answer = await send([check], tokens.revoked);
    expect({error: check.error, code: answer.body.code}).toEqual({error: check.error, code: 'invalid_token'});
  }
  expectProblem(await send([], tokens.revokedNarrow), 'invalid_token');
});

it('a list checks the token before the query, and the query before the team in it', async () => {
  const list = (query: string, token?: string): Promise<Json> =>
    sendRequest(service.url, 'GET', `/v1/standups${query}`, token === undefined ? {} : {token});
  expectProblem(await list('?limit=0&team=nobody'), 'authentication_required');
  expectProblem(await list('?limit=0&team=nobody', tokens.revoked), 'invalid_token');
  expectProblem(await list('?limit=0&team=nobody', workspace.token), 'invalid_parameter');
  expectProblem(await list('?team=nobody', workspace.token), 'team_not_found');
});
