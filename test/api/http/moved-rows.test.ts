import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {startService, type Json, type TestService, type TestWorkspace} from '../../support/service.js';
import {make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** The ids of a list, two at a time; `meanwhile` runs after the first page. */
async function walk(list: string, meanwhile: () => Promise<unknown>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const {body} = await workspace.request('GET', `${list}&limit=2${cursor && `&cursor=${cursor}`}`);
    ids.push(...body.data.map((row: Json) => row.id));
    if (cursor === '') await meanwhile();
    if (!body.has_more) return ids;
    cursor = body.next_cursor;
  }
}

it.each(['asc', 'desc'])(
  'paging through standups in the order %s shows each once if it does not move; an export shows even moved ones once',
  async (order) => {
    workspace = await service.addWorkspace();
    const standups: Json[] = [];
    for (let days = 10; days > 4; days -= 1)
      standups.push(
        await make(workspace, '/v1/standups', {team: 'platform', update: `${days}`, date: dayBefore(days)}),
      );
    const [oldest, second, , , fifth, newest] = standups;
    const move = (one: Json, date: string) =>
      workspace.request('PATCH', `/v1/standups/${one.id}`, {body: {date}});
    const seen = await walk(`/v1/standups?order=${order}`, async () => {
      await move(oldest, dayBefore(1));
      await move(newest, dayBefore(20));
      await workspace.request('DELETE', `/v1/standups/${second.id}`);
      await make(workspace, '/v1/standups', {team: 'platform', update: 'New.', date: dayBefore(2)});
    });
    const kept = standups.slice(2, 5).map(({id}) => id);
    expect(seen.filter((id) => kept.includes(id)).toSorted()).toEqual(kept.toSorted());
    expect(kept).toContain(fifth.id);
    const exported = await workspace.request('GET', '/v1/export?format=ndjson');
    const rows = exported.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows).toEqual(expect.arrayContaining([oldest.id, newest.id]));
  },
);

it('paging through blockers shows each once while they are acknowledged, resolved and raised again', async () => {
  workspace = await service.addWorkspace();
  const ids: string[] = [];
  for (const text of ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.'])
    ids.push((await make(workspace, '/v1/blockers', {team: 'platform', text})).id);
  const become = (id: string | undefined, state: string) =>
    workspace.request('PATCH', `/v1/blockers/${id}`, {body: {state}});
  const seen = await walk('/v1/blockers?team=platform', async () => {
    await become(ids[5], 'resolved');
    await become(ids[0], 'resolved');
    await become(ids[0], 'raised');
    await become(ids[1], 'acknowledged');
  });
  expect(seen.toSorted()).toEqual(ids.toSorted());
});
