import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {sendRequest, startService, type TestService} from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

describe('the page without the screens', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    sendRequest(service.url, 'GET', path, {headers});

  it('says that they are still to come, at every address of the app', async () => {
    for (const path of ['/app', '/app/', '/app/sign-in', '/app/t/platform?date=2026-11-22']) {
      const {status, text, headers} = await get(path);
      expect({path, status, type: headers.get('content-type')}).toEqual({
        path,
        status: 200,
        type: 'text/html; charset=utf-8',
      });
      expect(text).toContain('The screens are still to come');
    }
  });

  it('has the strict policy, with another nonce each time, which its styles may use', async () => {
    const nonces: string[] = [];
    for (let i = 0; i < 2; i++) {
      const {headers, text} = await get('/app');
      const policy = headers.get('content-security-policy') ?? '';
      const nonce = /'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? '';
      expect(policy).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
      );
      expect(text).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
      expect(headers.get('cache-control')).toBe('no-store');
      nonces.push(nonce);
    }
    expect(new Set(nonces).size).toBe(2);
  });

  it.each(['/app', '/app/assets/page.js', '/app/assets/page.css'])(
    '%s has the security headers',
    async (path) => {
      const {status, headers} = await get(path);
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      });
    },
  );

  it('has no other files', async () => {
    for (const name of ['door.js', 'page.html', '..%2fdoor.js', '']) {
      const {status, text} = await get(`/app/assets/${name}`);
      if (status === 200) expect(text).toContain('<!doctype html>');
      else expect(status).toBe(404);
    }
  });
});
