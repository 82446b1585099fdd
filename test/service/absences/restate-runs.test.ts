import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {createClosedRunUpdater} from '../../../src/service/runs/restate-runs.js';
import {createDaysOff} from '../../../src/service/absences/days-off.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import {parseWire} from '../../../src/domain/core/resource.js';
import {addPerson} from '../../api/people.js';
import {asId} from '../../support/ids.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';

const monday = '2026-11-23';
const at = (time: string) => Date.parse(`${monday}T${time}:00Z`);

let clock: TestClock;
let service: TestService;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, at('06:00'));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

// The first read finds the runs to change. The second one is part of the planned write.
it.each([1, 2])(
  'a closed run shows the current absences, even if one is withdrawn right after read %i of the job that updates the run',
  async (which) => {
    await clock.set(at('06:00'));
    const {store, services} = service.core;
    const workspace = await service.addWorkspace();
    const schedule = {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '11:00'} as const;
    const team = await services.teams.createTeam(workspace.operator(), {slug: 'morning', schedule});
    const ada = await addPerson(service, workspace, {name: 'Ada', team: 'morning'});
    const call = () => ({
      ...workspace.operator(),
      principal: {type: 'member', id: asId<'member'>(ada.id), name: 'Ada'} as const,
    });
    // Reads the reason from the stored report, because the API adds the current absences.
    const whyNot = async () => {
      const list = lists.runsOfTeam(asId<'team'>(team.id ?? ''));
      const {rows} = await store.records.list(workspace.id, {list, limit: 1}, performance.now() + 5_000);
      const [run] = rows.map(({json}) => parseWire(json));
      return run?.report?.lines.find(({member}) => member === ada.id)?.otherwise;
    };
    for (const time of ['09:00', '12:00']) {
      await clock.set(at(time));
      while (await services.runs.advanceRuns(workspace.operator(), suffixOf(asId(team.id ?? ''))));
    }
    expect(await whyNot()).toBe('missed');

    const absence = await services.absences.enterAbsence(call(), {until: monday});
    const days = {
      kind: 'restate-runs',
      member: asId<'member'>(ada.id),
      from: monday,
      until: monday,
      asked: '',
    } as const;
    const context = createTestContext(service.core);
    const daysOff = createDaysOff(context);
    let looks = 0;
    const restateRuns = createClosedRunUpdater(context, {
      daysOff: {
        ...daysOff,
        async readDaysOff(...asked) {
          const read = await daysOff.readDaysOff(...asked);
          looks += 1;
          if (looks === which) {
            await services.absences.deleteAbsence(call(), absence.id ?? '');
            // Another job runs in between, and finds nothing to change.
            await services.restateRuns(workspace.operator(), days);
          }
          return read;
        },
      },
    });
    await restateRuns(workspace.operator(), days);
    expect(looks).toBeGreaterThanOrEqual(which);
    expect(await whyNot()).toBe('missed');
  },
);
