// test/service/: guarantees of use cases that no single request shows: races, limits, and effects on the
// store.
// Not here: behaviour that callers see (test/api), and the store itself (test/store).
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Call} from '../../../src/domain/core/access.js';
import {createStandupLister} from '../../../src/service/standups/standup-list.js';
import {seedStandups} from '../../support/seed-standups.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';

const common = 1_200;

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
  const {standups, teams} = service.core.services;
  await teams.createTeam(caller(), {slug: 'rare'});
  const post = (team: string) => standups.postStandup(caller(), {team, update: 'A', source: 'api'});
  await post('rare');
  await seedStandups(service.redisUrl, workspace, {
    count: common,
    update: () => 'A',
    days: 1,
    from: '2030-01-01',
  });
});

afterAll(() => service.close());

function caller(): Call {
  return {...workspace.operator(), principal: workspace.principal};
}

it('the few standups of one team among many of another are found in few reads', async () => {
  let reads = 0;
  const {standupPages} = service.core.store;
  const listStandups = createStandupLister(
    createTestContext(service.core, {
      standupPages: {
        read(...args) {
          reads += 1;
          return standupPages.read(...args);
        },
      },
    }),
  );
  const query = {teams: ['rare'], author: workspace.principal.id, limit: 1};
  const first = await listStandups(caller(), query);
  // A page reads a limited number of rows, then returns the matches so far and a cursor.
  expect(first.rows).toHaveLength(0);
  expect(reads).toBeLessThanOrEqual(12);
  const second = await listStandups(caller(), {...query, past: first.next});
  expect(second.rows.map((json) => JSON.parse(json).team)).toEqual(['rare']);
  expect(second.next).toBeUndefined();
});

it('a search without a match reads a limited number of rows for each page, up to the end', async () => {
  let looked = 0;
  const {standupPages} = service.core.store;
  const listStandups = createStandupLister(
    createTestContext(service.core, {
      standupPages: {
        async read(...args) {
          const page = await standupPages.read(...args);
          looked += page.rows.length;
          return page;
        },
      },
    }),
  );
  const query = {text: 'nobody wrote this', limit: 100};
  const first = await listStandups(caller(), query);
  expect(first.rows).toEqual([]);
  expect(looked).toBeLessThanOrEqual(1_100);
  const second = await listStandups(caller(), {...query, past: first.next});
  expect(second).toEqual({rows: [], next: undefined});
  expect(looked).toBe(common + 1);
});

it('a long search yields to other work between rows, and ends its page when half of its time is over', async () => {
  const [row, half] = [6, 600];
  let [now, waited, longest, pages] = [0, 0, 0, 0];
  const {standupPages} = service.core.store;
  const listStandups = createStandupLister(
    createTestContext(service.core, {
      standupPages: {
        read: (workspaceId, query, options) =>
          standupPages.read(workspaceId, query, options, performance.now() + 5_000),
      },
      monotonic: () => (now += row),
      nextSlice: async (of) => {
        expect(of).toBe(workspace.id);
        longest = Math.max(longest, now - waited);
        waited = now;
      },
    }),
  );
  const found: string[] = [];
  for (let past: number | undefined; pages === 0 || past !== undefined; pages += 1) {
    waited = now;
    const deadline = now + 2 * half;
    const page = await listStandups({...caller(), deadline}, {text: 'a', limit: 100, past});
    found.push(...page.rows.map((json) => JSON.parse(json).id));
    expect(deadline - now).toBeGreaterThan(half - 4 * row);
    past = page.next;
  }
  expect(longest).toBeLessThan(4 * row);
  expect(pages).toBeGreaterThan(common / 100);
  expect(new Set(found).size).toBe(common + 1);
  expect(found).toHaveLength(common + 1);
});

it('regression: ten searches at once of texts full of combining marks are answered, and delay no other request', async () => {
  const own = await startService({env: {ROLES: 'web'}, requestMs: 2_000});
  const other = await own.addWorkspace();
  await seedStandups(own.redisUrl, other, {count: 300, update: () => '\uFDFA'.repeat(4_000)});
  const slicesMs: number[] = [];
  let isOver = false;
  let before = process.threadCpuUsage();
  const measure = (): void => {
    const {user, system} = process.threadCpuUsage(before);
    slicesMs.push((user + system) / 1_000);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(measure);
  };
  setImmediate(measure);
  const searches = Array.from({length: 10}, (_, i) =>
    other.request('GET', `/v1/standups?q=zzzz${i}&limit=100`),
  );
  const answers = await Promise.all(searches);
  isOver = true;
  await own.close();
  expect(answers.map(({status, body}) => [status, body.has_more])).toEqual(answers.map(() => [200, true]));
  // Leaves out one slice for each answer, because this process also checks the answers.
  const [longestMs] = slicesMs.toSorted((a, b) => b - a).slice(answers.length);
  expect(longestMs).toBeLessThan(50);
});
