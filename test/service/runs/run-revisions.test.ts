import {afterEach, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import type {Run} from '../../../src/domain/runs/run.js';
import {addPerson} from '../../api/people.js';
import {createCleanUps, newDeadline} from '../../jobs/stage.js';
import {closeRun, seedRun} from '../../support/seed-runs.js';
import {startService} from '../../support/service.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

it('the event of a run stays the same, byte by byte, after the run is changed and removed', async () => {
  const service = await startService({env: {ROLES: 'web'}});
  cleanUps.add(() => service.close());
  const workspace = await service.addWorkspace();
  const ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  const date = new Date().toISOString().slice(0, 10);
  const closes_at = new Date(Date.now() - 60_000).toISOString();
  const participants = [{member: ada.id, timezone: null}];
  const seeded = await seedRun(service, workspace, {date, closes_at, participants});
  await closeRun(service, workspace, seeded);
  const run = suffixOf(seeded.id);
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
    const body = {team: 'platform', update: 'Late.', date};
    const {status} = await workspace.request('POST', '/v1/standups', {token: ada.token, body});
    expect(status).toBe(201);
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
