import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Person} from '../api/people.js';
import {seedRun} from '../support/seed-runs.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type Stage, type Visit} from './support/stage.js';

let stage: Stage;
let ada: Person;
let visit: Visit;

const monday = '2026-11-23';

beforeAll(async () => {
  stage = await openDashboard({}, {at: `${monday}T09:26:00Z`, name: 'Difference Engines'});
  await make('PATCH', '/v1/teams/platform', {timezone: 'Europe/Berlin'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform'});
  await seedRun(stage.service, stage.workspace, {
    date: monday,
    closes_at: `${monday}T10:00:00.000Z`,
    participants: [{member: ada.id, timezone: null}],
  });
  visit = await stage.signIn(ada);
}, 60_000);

afterAll(() => stage.close());

async function make(method: string, path: string, body: Json, token?: string): Promise<Json> {
  const answer = await stage.workspace.request(method, path, {body, ...(token && {token})});
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body;
}

it('looks', async () => {
  await make(
    'POST',
    '/v1/standups',
    {
      team: 'platform',
      date: '2026-11-20',
      update: 'Yesterday\nThe importer.\n\nToday\nThe retry page, and its tests.',
    },
    ada.token,
  );
  await make(
    'POST',
    '/v1/blockers',
    {team: 'platform', text: 'No access to the staging database.'},
    ada.token,
  );
  await visit.go('/?write=platform');
  const panel = visit.page.getByRole('dialog', {name: 'Write your standup'});
  await panel.getByLabel('Today').waitFor();
  await look(visit, 'write-empty');
  await panel.getByLabel('Today', {exact: true}).fill('Ship it.');
  await panel.getByRole('button', {name: 'Post'}).click();
  await visit.page.getByText('Posted to').waitFor();
  await expectInnocent(visit);
}, 60_000);
