import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {sendRequest, startService, type TestResponse, type TestService} from '../../support/service.js';
import {routes} from '../samples.js';

let service: TestService;
let answer: TestResponse;

beforeAll(async () => {
  service = await startService();
  answer = await sendRequest(service.url, 'GET', '/llms.txt');
});

afterAll(() => service.close());

it('/llms.txt is plain text that any caller may read', () => {
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

it('/llms.txt has the form of llmstxt.org: one title, a summary, then sections of links', () => {
  const lines = answer.text.split('\n');
  expect(lines.filter((line) => line.startsWith('# '))).toEqual(['# Team Standup Service']);
  expect(lines.slice(1).find((line) => line !== '')).toMatch(/^> /);
  const sections = answer.text.split(/^## /m).slice(1);
  expect(sections.map((section) => section.split('\n')[0])).toEqual(['Documents', 'Operations', 'Optional']);
  for (const line of sections
    .join('\n')
    .split('\n')
    .filter((one) => one.startsWith('- '))) {
    expect(line).toMatch(/^- \[[^\]]+\]\(https?:\/\/[^)]+\): \S/);
  }
});

it.each(routes)(
  '/llms.txt lists $operation with the scope that it needs',
  ({method, path, operation, summary, scope}) => {
    const line = answer.text.split('\n').find((one) => one.includes(`/${operation})`));
    expect(line).toContain(`[${method} ${path}]`);
    expect(line).toContain(summary);
    expect(line).toContain(scope ?? 'any token');
  },
);

it('/llms.txt links only to existing addresses of this service', async () => {
  const links = [...answer.text.matchAll(/\]\(http:\/\/localhost:\d+(\/[^)#]*)/g)].map(
    ([, path]) => path ?? '',
  );
  expect(new Set(links).size).toBeGreaterThan(3);
  for (const path of new Set(links)) {
    const {status} = await sendRequest(service.url, 'GET', path);
    expect({path, status}).toEqual({path, status: 200});
  }
});
