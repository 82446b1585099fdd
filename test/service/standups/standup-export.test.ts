import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {addDays} from '../../../src/domain/core/dates.js';
import type {StandupFilter} from '../../../src/service/standups/standup-list.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {copyDatabase} from '../../support/set-back.js';

let service: TestService;
let workspace: TestWorkspace;
let ids: string[];

const today = new Date().toISOString().slice(0, 10);
const count = 240;

const caller = () => ({...workspace.operator(), principal: workspace.principal});

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
});

afterAll(() => service.close());

/** Posts six standups on each of 40 days. An export has pages of 100 standups. */
beforeEach(async () => {
  workspace = await service.addWorkspace();
  ids = await Promise.all(Array.from({length: count}, (_, i) => post(`${i}`, addDays(today, -(i % 40)))));
});

async function post(update: string, date: string): Promise<string> {
  const answer = await service.core.services.standups.postStandup(caller(), {
    team: 'platform',
    update,
    date,
    source: 'api',
  });
  return answer.id ?? '';
}

const move = (id: string, date: string) => service.core.services.standups.editStandup(caller(), id, {date});

/** Runs an export and calls `afterPage` after each page. */
async function exportWhile(
  filter: StandupFilter,
  afterPage: (page: number, rows: Json[]) => Promise<unknown>,
) {
  const {pages} = await service.core.services.standups.exportStandups(caller(), filter);
  const rows: Json[] = [];
  let page = 0;
  for await (const batch of pages()) {
    rows.push(...batch.map((json) => JSON.parse(json)));
    page += 1;
    await afterPage(page, rows);
  }
  return rows.map(({id}) => id as string);
}

function expectEachOnce(exported: string[], expected: readonly string[]): void {
  expect(exported.length).toBe(new Set(exported).size);
  expect(exported).toEqual(expect.arrayContaining([...expected]));
}

describe.each(['desc', 'asc'] as const)('an export in the order %s', (order) => {
  /** The first and the last day that the export reads. */
  const [first, last] = order === 'desc' ? [today, addDays(today, -39)] : [addDays(today, -39), today];

  it('contains a standup once if it moves from the sent part to the part not yet sent', async () => {
    const exported = await exportWhile({order}, async (page, rows) => {
      if (page === 1) for (const {id} of rows.slice(0, 20)) await move(id, last);
    });
    expectEachOnce(exported, ids);
    expect(exported).toHaveLength(count);
  });

  it('contains a standup once if it moves from the part not yet sent to the sent part', async () => {
    const exported = await exportWhile({order}, async (page, rows) => {
      if (page !== 1) return;
      const seen = new Set(rows.map(({id}) => id));
      for (const id of ids.filter((one) => !seen.has(one)).slice(0, 20)) await move(id, first);
    });
    expectEachOnce(exported, ids);
    expect(exported).toHaveLength(count);
  });

  it('contains each standup once while standups move, are edited, posted and deleted', async () => {
    const {standups} = service.core.services;
    const deleted: string[] = [];
    let step = 0;
    const exported = await exportWhile({order}, async () => {
      for (let i = 0; i < 30; i++) {
        step += 1;
        const id = ids[(step * 37) % count] ?? '';
        if (deleted.includes(id)) continue;
        if (step % 7 === 0) await standups.editStandup(caller(), id, {update: `Edited ${step}`});
        else if (step % 11 === 0) {
          deleted.push(id);
          await standups.deleteStandup(caller(), id);
        } else await move(id, addDays(today, -((step * 13) % 40)));
        if (step % 5 === 0) await post(`New ${step}`, addDays(today, -(step % 40)));
      }
    });
    expectEachOnce(
      exported,
      ids.filter((id) => !deleted.includes(id)),
    );
  });
});

it('an export contains a standup at most once if it moves into or out of the chosen days', async () => {
  const dateFrom = addDays(today, -20);
  const exported = await exportWhile({dateFrom, teams: ['platform']}, async (page, rows) => {
    if (page !== 1) return;
    await move(rows[0].id, addDays(today, -30));
    await move(rows[1].id, addDays(today, -20));
    const seen = new Set(rows.map(({id}) => id));
    for (const id of ids.filter((one) => !seen.has(one)).slice(0, 20)) await move(id, today);
  });
  expect(exported.length).toBe(new Set(exported).size);
});

describe('regression: an export that can no longer know which standups have moved', () => {
  it('ends with an error if the log has dropped events from during the export', async () => {
    const exporting = exportWhile({}, async (page, rows) => {
      if (page !== 1) return;
      for (const {id} of rows.slice(0, 2)) await move(id, addDays(today, -39));
      await sendToRedis(service.redisUrl, [['XTRIM', `{${workspace.id}}:events`, 'MAXLEN', '1']]);
    });
    await expect(exporting).rejects.toMatchObject({code: 'cursor_expired'});
  });

  it('ends with an error if the store was restored to an earlier state', async () => {
    const setBack = await copyDatabase(service.redisUrl);
    for (let i = 0; i < 3; i++) await post(`Lost ${i}`, today);
    const exporting = exportWhile({}, async (page) => {
      if (page !== 1) return;
      await setBack();
      for (let i = 0; i < 4; i++) await post(`Real ${i}`, today);
    });
    await expect(exporting).rejects.toMatchObject({code: 'cursor_expired'});
  });
});

it('an export ends with an error when its token is revoked', async () => {
  const {id} = await workspace.addToken({name: 'short'});
  const call = {...caller(), token: {id, expiresAt: Number.MAX_SAFE_INTEGER}};
  const {pages} = await service.core.services.standups.exportStandups(call, {});
  const reading = pages();
  expect((await reading.next()).value).toHaveLength(100);
  await service.core.services.tokens.revokeToken(workspace.operator(), id);
  await expect(reading.next()).rejects.toMatchObject({code: 'invalid_token'});
});
