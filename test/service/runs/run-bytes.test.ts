import {afterEach, expect, it} from '@jest/globals';
import {suffixFromBytes, suffixOf} from '../../../src/domain/core/ids.js';
import type {Run} from '../../../src/domain/runs/run.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {addPerson} from '../../api/people.js';
import {createCleanUps, newDeadline} from '../../jobs/stage.js';
import {closeRun, seedRun} from '../../support/seed-runs.js';
import {startService} from '../../support/service.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

/** Returns ids of people who do not exist. A closed run counts the people in its report. */
function listStrangers(count: number): string[] {
  return Array.from({length: count}, (_, i) => {
    const bytes = new Uint8Array(10);
    new DataView(bytes.buffer).setUint32(6, i + 1);
    return `mem_01hzy00000${suffixFromBytes(bytes)}`;
  });
}

/** Creates a closed run that this many people have missed, and a person who posts late. */
async function startClosed(people: number) {
  const service = await startService({env: {ROLES: 'web'}});
  cleanUps.add(() => service.close());
  const workspace = await service.addWorkspace();
  const ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  const date = new Date().toISOString().slice(0, 10);
  const closes_at = new Date(Date.now() - 60_000).toISOString();
  const participants = [{member: ada.id, timezone: null}];
  const run = await seedRun(service, workspace, {date, closes_at, participants});
  await closeRun(service, workspace, run);
  const {call} = service.core.store.connection;
  const keys = workspaceKeys(workspace.id);
  const [record, revisions] = [keys.record(suffixOf(run.id)), keys.revisions(suffixOf(run.id))];
  const closed = JSON.parse(await call<string>(newDeadline(), ['GET', record])) as Run;
  const others = listStrangers(people);
  const lines = others.map((member) => ({member, revision: 1, otherwise: 'missed'}));
  const crowded = {
    ...closed,
    participants: [...participants, ...others.map((member) => ({member, timezone: null}))],
    report: {...closed.report, lines: [...lines, ...(closed.report?.lines ?? [])]},
  };
  await call(newDeadline(), ['SET', record, JSON.stringify(crowded)]);
  const body = {team: 'platform', update: 'Late.', date};
  return {
    service,
    workspace,
    run: suffixOf(run.id),
    countBytes: async () =>
      (await call<number | null>(newDeadline(), ['MEMORY', 'USAGE', revisions, 'SAMPLES', '0'])) ?? 0,
    async post() {
      const {status} = await workspace.request('POST', '/v1/standups', {token: ada.token, body});
      expect(status).toBe(201);
    },
  };
}

it.each([200, 500])(
  'regression: a late standup adds less than 1 kB to its run in the store, in a team of %i',
  async (people) => {
    const {post, countBytes} = await startClosed(people);
    const before = await countBytes();
    for (let i = 0; i < 10; i++) await post();
    expect((await countBytes()) - before).toBeLessThan(10 * 1_024);
  },
);

it('the event of a run stays the same, byte by byte, after the run is changed and removed', async () => {
  const {service, workspace, run, post} = await startClosed(20);
  const {events, records} = service.core.store;
  const render = async () => {
    const entries = (await events.listAfter(workspace.id, 0, 100, newDeadline())).filter(
      ({about}) => about === run,
    );
    const asked = entries.map(({revision}) => ({suffix: run, revision}));
    return records.findRevisions(workspace.id, asked, newDeadline());
  };
  const shown = [];
  for (let i = 0; i < 4; i++) {
    await post();
    shown.push((await render()).at(-1));
  }
  expect(new Set(shown).size).toBe(4);
  expect((await render()).slice(-4)).toEqual(shown);
  // Reads the events one by one, as a slow consumer does.
  for (const [i, json] of shown.entries()) {
    const {revision} = JSON.parse(json ?? '') as Run;
    expect(await records.findRevisions(workspace.id, [{suffix: run, revision}], newDeadline())).toEqual([
      shown[i],
    ]);
  }
  await workspace.request('DELETE', '/v1/teams/platform?force=true');
  while (await service.core.services.teams.purgeTeam(workspace.operator(), workspace.team));
  expect((await render()).slice(-4)).toEqual(shown);
});
