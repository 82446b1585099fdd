import {afterEach, describe, expect, it} from '@jest/globals';
import {sendRequest, startService, type TestService} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';

let service: TestService;

afterEach(() => service.close());

const file = '/.well-known/security.txt';
const dayMs = 24 * 3600 * 1_000;

/** The fields of RFC 9116, by name. */
async function fieldsOf(env: Record<string, string>) {
  service = await startService({env});
  const {status, headers, text} = await sendRequest(service.url, 'GET', file);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  for (const line of lines) expect(line).toMatch(/^[A-Z][A-Za-z-]+: \S.*$/);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
}

describe('/.well-known/security.txt', () => {
  it('names the contact, the expiry of the file and the policy', async () => {
    const fields = await fieldsOf({
      SECURITY_CONTACT: 'mailto:security@example.com',
      PUBLIC_URL: 'https://standup.example.com',
    });
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
    const fields = await fieldsOf({SECURITY_CONTACT: 'https://example.com/report'});
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
