import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {addDays} from '../../../src/domain/core/dates.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {closeRun, planClosing, seedRun} from '../../support/seed-runs.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {addPerson, type Person} from '../people.js';
import {make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;

const date = addDays(new Date().toISOString().slice(0, 10), -5);

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
  await workspace.request('PATCH', '/v1/teams/platform', {body: {absence_reasons: 'team'}});
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
});

afterAll(() => service.close());

const seed = (on = date) =>
  seedRun(service, workspace, {
    date: on,
    closes_at: `${on}T10:00:00.000Z`,
    participants: [{member: ada.id, timezone: null}],
  });

const shown = async (on = date): Promise<Json> =>
  (await workspace.request('GET', `/v1/teams/platform/runs/${on}`)).body;

const updates = async (): Promise<Json[]> => {
  const {body} = await workspace.request('GET', '/v1/events?limit=100');
  return body.data.filter(({type}: Json) => type === 'run.updated');
};

const waitForUpdates = (count: number) =>
  until(async () => {
    const all = await updates();
    return all.length >= count && all;
  });

const statusIn = ({report}: Json) => report.lines.map(({status}: Json) => status);

it('regression: a closed run gets a new revision and run.updated each time an absence changes its report', async () => {
  await closeRun(service, workspace, await seed());
  const before = await shown();
  const body = {member: ada.id, from: date, until: addDays(date, 9), reason: 'Flu'};
  const absence = await make(workspace, '/v1/absences', body);
  const [entered] = await waitForUpdates(1);
  expect(entered.data).toMatchObject({date, revision: before.revision + 1, report: {counts: {away: 1}}});
  expect(statusIn(entered.previous_attributes)).toEqual(['missed']);
  const path = `/v1/absences/${absence.id}`;
  await workspace.request('PATCH', path, {body: {reason: 'A cold'}});
  expect((await waitForUpdates(2))[1].data.report.lines[0].reason).toBe('A cold');
  await workspace.request('DELETE', path);
  const [, , ended] = await waitForUpdates(3);
  expect(statusIn(ended.data)).toEqual(['missed']);
  expect(await shown()).toMatchObject({revision: before.revision + 3, report: {counts: {missed: 1}}});
});

it('regression: each closed run in a long absence gets one event, and other runs get none', async () => {
  const days = [1, 2, 3, 9].map((ago) => addDays(date, -ago));
  for (const day of days) await closeRun(service, workspace, await seed(day));
  await make(workspace, '/v1/absences', {member: ada.id, from: addDays(date, -8), until: addDays(date, 30)});
  const dates = (await waitForUpdates(3)).map(({data}: Json) => data.date);
  expect(dates.toSorted()).toEqual(days.slice(0, 3).toSorted());
  expect((await shown(days[3])).revision).toBe(2);
});

it('regression: a run that closes while an absence is entered has the absence in its report', async () => {
  const run = await seed();
  const close = await planClosing(service, workspace, run);
  await make(workspace, '/v1/absences', {member: ada.id, from: date, until: date});
  const {records} = service.core.store;
  const asked = () => records.countRunPosts(workspace.id, suffixOf(run.id), performance.now() + 5_000);
  await until(async () => (await asked()) > 0, {what: 'a look at the open run'});
  expect((await close()).kind).toBe('stale');
});
