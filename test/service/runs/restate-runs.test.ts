import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Run} from '../../../src/domain/runs/run.js';
import {findUpdatedReports} from '../../../src/service/runs/run-views.js';
import {asId} from '../../support/ids.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

it('regression: updating the reports of a year of runs yields to other work after every 2,000 lines', async () => {
  const lines = Array.from({length: 100}, (_, i) => ({
    member: asId<'member'>(`mem_${i}`),
    revision: 1,
    otherwise: 'missed',
  }));
  const runs = Array.from({length: 100}, (_, i) => ({
    id: asId<'run'>(`run_${i}`),
    team_id: workspace.team,
    date: '2026-11-23',
    report: {lines, blockers: []},
  })) as unknown as Run[];
  let slices = 0;
  const context = createTestContext(service.core, {nextSlice: async () => void (slices += 1)});
  const {reports} = await findUpdatedReports(context, workspace.operator(), runs);
  expect(reports.size).toBe(100);
  expect(reports.get(asId<'run'>('run_99'))?.lines).toEqual(lines);
  expect(slices).toBe(5);
});
