import {gzipSync} from 'node:zlib';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {ProblemCode} from '../../../src/api/http/problems.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from './expect-problem.js';
import {sendRaw} from '../raw.js';
import {eventsOf} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const json = {'content-type': 'application/json'};
const good = JSON.stringify({team: 'platform', update: 'Fine.'});

const post = (body: string | Uint8Array | undefined, headers: Record<string, string> = json) =>
  workspace.request('POST', '/v1/standups', {headers, ...(body !== undefined && {body})});

/** A POST with a chunked body, without a length. */
function postChunked(body: Buffer, type = 'Content-Type: application/json\r\n') {
  const head = `POST /v1/standups HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${workspace.token}\r\n${type}Transfer-Encoding: chunked\r\n\r\n`;
  const chunks: (string | Buffer)[] = [head];
  for (let at = 0; at < body.length; at += 20_000) {
    const part = body.subarray(at, at + 20_000);
    chunks.push(`${part.length.toString(16)}\r\n`, part, '\r\n');
  }
  return sendRaw(service.url, [...chunks, '0\r\n\r\n']);
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}

describe('a refused body', () => {
  it.each<[string, string | Uint8Array | undefined, Record<string, string>, ProblemCode]>([
    ['it is empty', undefined, {}, 'validation_failed'],
    ['it is only white space', '  ', json, 'malformed_json'],
    ['it ends too early', good.slice(0, -1), json, 'malformed_json'],
    ['something follows it', `${good}x`, json, 'malformed_json'],
    ['it is a list', '[]', json, 'validation_failed'],
    ['it is null', 'null', json, 'validation_failed'],
    ['it is a text', '"text"', json, 'validation_failed'],
    ['it is not UTF-8', Buffer.from(good.replace('Fine', 'F\u00efne'), 'latin1'), json, 'malformed_json'],
    [
      'it has a member __proto__',
      good.replace('"team"', '"__proto__":{"a":1},"team"'),
      json,
      'malformed_json',
    ],
    [
      'a metadata key is __proto__',
      good.replace('}', ',"metadata":{"__proto__":"a"}}'),
      json,
      'malformed_json',
    ],
    [
      'the name of a member is half a surrogate pair (regression)',
      good.replace('}', ',"\\ude00":1}'),
      json,
      'malformed_json',
    ],
    [
      'a metadata key is half a surrogate pair (regression)',
      good.replace('}', ',"metadata":{"\\ud800":"a"}}'),
      json,
      'malformed_json',
    ],
    [
      'a metadata text is half a surrogate pair (regression)',
      good.replace('}', ',"metadata":{"a":"\\ud800"}}'),
      json,
      'validation_failed',
    ],
    ['it is nested 17 levels deep', nested(17), json, 'malformed_json'],
    ['it is nested 30,000 levels deep', nested(30_000), json, 'malformed_json'],
    [
      'an object in it has 101 members',
      JSON.stringify(Object.fromEntries(Array.from({length: 101}, (_, i) => [`m${i}`, i]))),
      json,
      'malformed_json',
    ],
    ['it has no media type', good, {'content-type': ''}, 'unsupported_media_type'],
    [
      'it is a form',
      'team=platform',
      {'content-type': 'application/x-www-form-urlencoded'},
      'unsupported_media_type',
    ],
    [
      'it is a merge patch where nothing is patched',
      good,
      {'content-type': 'application/merge-patch+json'},
      'unsupported_media_type',
    ],
    [
      'it is in another charset',
      good,
      {'content-type': 'application/json; charset=iso-8859-1'},
      'unsupported_media_type',
    ],
    ['it is compressed', gzipSync(good), {...json, 'content-encoding': 'gzip'}, 'unsupported_media_type'],
    ['it is 64 KiB and a byte', good.padEnd(65_537), json, 'payload_too_large'],
  ])('is refused, with nothing stored, if %s', async (_, body, headers, code) => {
    const before = (await eventsOf(workspace)).length;
    expectProblem(await post(body, headers), code);
    expect(await eventsOf(workspace)).toHaveLength(before);
  });
});

describe('an accepted body', () => {
  it.each<[string, string | Uint8Array, Record<string, string>]>([
    ['its charset is UTF-8', good, {'content-type': 'application/json; charset=utf-8'}],
    ['its charset is quoted and in capitals', good, {'content-type': 'Application/JSON;charset="UTF-8"'}],
    ['it is said not to be encoded', good, {...json, 'content-encoding': 'identity'}],
    ['it begins with a byte order mark', Buffer.from(`\ufeff${good}`), json],
    ['it is exactly 64 KiB', good.padEnd(65_536), json],
  ])('is accepted if %s', async (_, body, headers) => {
    expect((await post(body, headers)).status).toBe(201);
  });

  it('is accepted for PATCH with the type of a merge patch', async () => {
    const {body} = await post(good);
    const patched = await workspace.request('PATCH', `/v1/standups/${body.id}`, {
      body: '{"update":"Patched."}',
      headers: {'content-type': 'application/merge-patch+json'},
    });
    expect(patched.body.update).toBe('Patched.');
  });
});

it('regression: a wrong media type is refused with the name of the header and the types that the operation accepts', async () => {
  const {body} = await post(good);
  const wrong = {body: good, headers: {'content-type': 'text/plain'}};
  const patched = await workspace.request('PATCH', `/v1/standups/${body.id}`, wrong);
  expectProblem(patched, 'unsupported_media_type', {header: 'Content-Type'});
  expect(patched.headers.get('accept')).toBe('application/json, application/merge-patch+json');
  const posted = await workspace.request('POST', '/v1/standups', wrong);
  expectProblem(posted, 'unsupported_media_type', {header: 'Content-Type'});
  expect(posted.headers.get('accept')).toBe('application/json');
  const packed = await post(gzipSync(good), {...json, 'content-encoding': 'gzip'});
  expectProblem(packed, 'unsupported_media_type', {header: 'Content-Encoding'});
});

describe('a body in chunks, without a length', () => {
  it('is read', async () => {
    expect((await postChunked(Buffer.from(good.padEnd(65_536)))).status).toBe(201);
  });

  it('is refused with one byte more than 64 KiB', async () => {
    expect((await postChunked(Buffer.from(good.padEnd(65_537)))).body.code).toBe('payload_too_large');
  });

  it('is refused without a media type', async () => {
    expect((await postChunked(Buffer.from(good), '')).body.code).toBe('unsupported_media_type');
  });
});

describe('the text of a standup', () => {
  const send = (update: string) =>
    workspace.request('POST', '/v1/standups', {body: {team: 'platform', update}});

  it.each([
    ['letters', 'x'],
    ['emoji', '🚀'],
    ['characters of three bytes', '語'],
  ])('may have 4,000 %s and not one more', async (_, character) => {
    const longest = await send(character.repeat(4_000));
    expect({status: longest.status, update: longest.body.update}).toEqual({
      status: 201,
      update: character.repeat(4_000),
    });
    const body = expectProblem(await send(character.repeat(4_001)), 'validation_failed', {
      pointer: '#/update',
    });
    expect(body.detail).toBe('`update` is 4001 characters long; at most 4000 are allowed.');
  });

  it.each([
    ['is empty', ''],
    ['is white space', ' \n\t\u00a0\u3000'],
    ['has a NUL', 'a\u0000b'],
    ['has an escape', 'a\u001bb'],
    ['has a vertical tab', 'a\u000bb'],
    ['has a delete character', 'a\u007fb'],
    ['has a control character of Latin-1', 'a\u0085b'],
    ['has half a surrogate pair', 'a\ud800b'],
  ])('is refused when it %s', async (_, update) => {
    expectProblem(await send(update), 'validation_failed', {pointer: '#/update'});
  });

  it('is stored as sent, with spaces at its ends and line breaks', async () => {
    const update = '  a\r\n\tb "quoted" \\ </script> <!channel> & \u2028 é e\u0301 👩‍👩‍👧 \n';
    const {body} = await send(update);
    expect(body.update).toBe(update);
    expect((await workspace.request('GET', `/v1/standups/${body.id}`)).body.update).toBe(update);
  });

  it('is measured without the white space at its ends', async () => {
    expect((await send(`  ${'x'.repeat(4_000)}\n`)).status).toBe(201);
  });
});

it('an operation without input accepts no body or an empty object, and nothing else', async () => {
  const path = '/v1/deliveries/dlv_01jd0000007000000000000000/redeliver';
  expectProblem(await workspace.request('POST', path), 'not_found');
  expectProblem(await workspace.request('POST', path, {body: {}}), 'not_found');
  expectProblem(await workspace.request('POST', path, {body: {a: 1}}), 'validation_failed', {pointer: '#/a'});
});
