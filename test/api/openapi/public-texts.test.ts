import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import {sendRequest, startService, type TestResponse, type TestService} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {routes} from '../samples.js';

const file = '/.well-known/security.txt';
const dayMs = 24 * 3600 * 1_000;

/** The fields of RFC 9116, by name. */
async function fieldsOf(service: TestService) {
  const {status, headers, text} = await sendRequest(service.url, 'GET', file);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  for (const line of lines) expect(line).toMatch(/^[A-Z][A-Za-z-]+: \S.*$/);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
}

describe('/.well-known/security.txt', () => {
  let service: TestService;

  afterEach(() => service.close());

  it('names the contact, the expiry of the file and the policy', async () => {
    service = await startService({
      env: {
        SECURITY_CONTACT: 'mailto:security@example.com',
        PUBLIC_URL: 'https://standup.example.com',
      },
    });
    const fields = await fieldsOf(service);
    expect(Object.fromEntries(fields)).toEqual({
      Contact: 'mailto:security@example.com',
      Expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      'Preferred-Languages': 'en',
      Canonical: `https://standup.example.com${file}`,
      Policy: 'https://standup.example.com/security',
    });
    const left = Date.parse(fields.get('Expires') ?? '') - Date.now();
    expect(left).toBeGreaterThan(30 * dayMs);
    expect(left).toBeLessThan(365 * dayMs);
  });

  it('contains no web address that is not https', async () => {
    service = await startService({env: {SECURITY_CONTACT: 'https://example.com/report'}});
    const fields = await fieldsOf(service);
    expect([...fields.keys()]).toEqual(['Contact', 'Expires', 'Preferred-Languages']);
  });

  it('leads to a page that explains how to report', async () => {
    service = await startService({env: {SECURITY_CONTACT: 'mailto:"a"&b@example.com'}});
    const {status, headers, text} = await sendRequest(service.url, 'GET', '/security');
    expect({status, type: headers.get('content-type')}).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
    });
    expect(text).toContain('href="mailto:&quot;a&quot;&amp;b@example.com"');
  });

  it('does not exist without SECURITY_CONTACT, nor does its page', async () => {
    service = await startService();
    for (const path of [file, '/security']) {
      expectProblem(await sendRequest(service.url, 'GET', path), 'not_found');
    }
  });

  it('refuses every method that changes something, and answers GET and HEAD', async () => {
    service = await startService({env: {SECURITY_CONTACT: 'mailto:security@example.com'}});
    const answer = await sendRequest(service.url, 'POST', file);
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await sendRequest(service.url, 'HEAD', file)).status).toBe(200);
  });
});

describe('/llms.txt', () => {
  let service: TestService;
  let answer: TestResponse;

  beforeAll(async () => {
    service = await startService();
    answer = await sendRequest(service.url, 'GET', '/llms.txt');
  });

  afterAll(() => service.close());

  it('is plain text that any caller may read', () => {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('has the form of llmstxt.org: one title, a summary, then sections of links', () => {
    const lines = answer.text.split('\n');
    expect(lines.filter((line) => line.startsWith('# '))).toEqual(['# Team Standup Service']);
    expect(lines.slice(1).find((line) => line !== '')).toMatch(/^> /);
    const sections = answer.text.split(/^## /m).slice(1);
    expect(sections.map((section) => section.split('\n')[0])).toEqual([
      'Documents',
      'Operations',
      'Optional',
    ]);
    for (const line of sections
      .join('\n')
      .split('\n')
      .filter((one) => one.startsWith('- '))) {
      expect(line).toMatch(/^- \[[^\]]+\]\(https?:\/\/[^)]+\): \S/);
    }
  });

  it.each(routes)(
    'lists $operation with the scope that it needs',
    ({method, path, operation, summary, scope}) => {
      const line = answer.text.split('\n').find((one) => one.includes(`/${operation})`));
      expect(line).toContain(`[${method} ${path}]`);
      expect(line).toContain(summary);
      expect(line).toContain(scope ?? 'any token');
    },
  );

  it('links only to existing addresses of this service', async () => {
    const links = [...answer.text.matchAll(/\]\(http:\/\/localhost:\d+(\/[^)#]*)/g)].map(
      ([, path]) => path ?? '',
    );
    expect(new Set(links).size).toBeGreaterThan(3);
    for (const path of new Set(links)) {
      const {status} = await sendRequest(service.url, 'GET', path);
      expect({path, status}).toEqual({path, status: 200});
    }
  });
});
