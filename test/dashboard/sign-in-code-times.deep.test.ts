import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {addPerson} from '../api/people.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {createTestBrowser} from './test-browser.js';

const pairs = 200;

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web', TRUST_PROXY: '1'}, mail: 'sent'});
  workspace = await service.addWorkspace();
  for (let i = 0; i < pairs; i++)
    await addPerson(service, workspace, {name: `Person ${i}`, email: `known${i}@example.com`});
});

afterAll(() => service.close());

let requests = 0;

/** Returns the time (ms) of an answer. Each request has a network of its own, so that no limit refuses it. */
async function measure(path: string, body: object, status: number): Promise<number> {
  requests += 1;
  const from = `198.51.${Math.floor(requests / 250)}.${requests % 250}`;
  // The work after an answer must not delay the next request of this test.
  await new Promise((resolve) => setTimeout(resolve, 15));
  const begun = performance.now();
  const answer = await createTestBrowser(service).ask('POST', path, {
    body,
    headers: {'x-forwarded-for': from},
  });
  const ms = performance.now() - begun;
  expect(answer.status).toBe(status);
  return ms;
}

/** Returns in how many pairs the first one takes longer. The order within a pair alternates. */
async function countSlower(
  one: (i: number) => Promise<number>,
  other: (i: number) => Promise<number>,
): Promise<number> {
  let slower = 0;
  for (let i = 0; i < pairs; i++) {
    const inOrder = i % 2 === 0;
    const first = await (inOrder ? one : other)(i);
    const second = await (inOrder ? other : one)(i);
    slower += Number(inOrder ? first > second : second > first);
  }
  return slower;
}

/** Expects a number that differs from half of the pairs by no more than chance: 4 standard deviations. */
function expectHalf(slower: number): void {
  const deviation = Math.sqrt(pairs) / 2;
  expect(Math.abs(slower - pairs / 2)).toBeLessThan(4 * deviation);
}

const known = (i: number) => `known${i}@example.com`;
const unknown = (i: number) => `nobody${i}@example.com`;

it('the time of an answer does not show whether an address has an account', async () => {
  const ask = (email: string) => measure('/app/session/code', {email, workspace: workspace.id}, 202);
  await ask('warm@example.com');
  expectHalf(
    await countSlower(
      (i) => ask(known(i)),
      (i) => ask(unknown(i)),
    ),
  );
});

it('the time of a refusal does not show whether the address of a wrong code has an account', async () => {
  const enter = (email: string) =>
    measure('/app/session', {email, workspace: workspace.id, code: '00000000'}, 401);
  expectHalf(
    await countSlower(
      (i) => enter(known(i)),
      (i) => enter(unknown(i)),
    ),
  );
});

it('the time of an answer does not show whether a workspace exists', async () => {
  const ask = (email: string, named: string) => measure('/app/session/code', {email, workspace: named}, 202);
  expectHalf(
    await countSlower(
      (i) => ask(`a${i}@example.com`, workspace.id),
      (i) => ask(`b${i}@example.com`, `none-${i}`),
    ),
  );
});
