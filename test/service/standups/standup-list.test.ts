// test/service/: what use cases promise that no single request can show: races, bounds, and what they do to the store.
// Not here: what any caller sees (test/api), and the store's own promises (test/store).
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Call} from '../../../src/domain/core/access.js';
import {createListStandups} from '../../../src/service/standups/standup-list.js';
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
  for (let i = 0; i < common; i += 100) {
    await Promise.all(Array.from({length: 100}, () => post('platform')));
  }
});

afterAll(() => service.close());

function caller(): Call {
  return {...workspace.operator(), principal: workspace.principal};
}

it('one standup among many of another team is found in few reads, over two pages', async () => {
  let reads = 0;
  const {standupPages, teams} = service.core.store;
  const listStandups = createListStandups({
    teams,
    standupPages: {
      read(...args) {
        reads += 1;
        return standupPages.read(...args);
      },
    },
  });
  const query = {team: 'rare', author: workspace.principal.id, limit: 1};
  const first = await listStandups(caller(), query);
  // A page looks at a bounded number of rows, then answers with what it has and where to go on.
  expect(first.rows).toHaveLength(0);
  expect(reads).toBeLessThanOrEqual(12);
  const second = await listStandups(caller(), {...query, past: first.next});
  expect(second.rows.map((json) => JSON.parse(json).team)).toEqual(['rare']);
  expect(second.next).toBeUndefined();
});

it('a text that nobody wrote is looked for in a bounded number of rows for each page, up to the end', async () => {
  let looked = 0;
  const {standupPages, teams} = service.core.store;
  const listStandups = createListStandups({
    teams,
    standupPages: {
      async read(...args) {
        const page = await standupPages.read(...args);
        looked += page.rows.length;
        return page;
      },
    },
  });
  const query = {text: 'nobody wrote this', limit: 100};
  const first = await listStandups(caller(), query);
  expect(first.rows).toEqual([]);
  expect(looked).toBeLessThanOrEqual(1_100);
  const second = await listStandups(caller(), {...query, past: first.next});
  expect(second).toEqual({rows: [], next: undefined});
  expect(looked).toBe(common + 1);
});
