import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {readFile} from 'node:fs/promises';
import type {Person} from '../api/people.js';
import {seedStandups} from '../support/seed-standups.js';
import {sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type Stage, untilRequest, type Visit} from './support/stage.js';

let stage: Stage;
let ada: Person;
let grace: Person;
let visit: Visit;

beforeAll(async () => {
  stage = await openDashboard({}, {at: '2035-11-23T09:30:00Z'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'admin'});
  grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform'});
  const author = {type: 'member', id: grace.id, name: grace.name} as const;
  await seedStandups(
    stage.service.redisUrl,
    {...stage.workspace, principal: author},
    {
      count: 300,
      days: 60,
      from: '2035-09-15',
      update: (i) => `Yesterday: ticket ${i}.\nToday: ticket ${i + 1}.`,
    },
  );
});

afterEach(async () => {
  await visit?.close();
});

afterAll(() => stage.close());

async function post(person: Person, update: string, date = '2035-11-23'): Promise<string> {
  const answer = await sendRequest(stage.service.url, 'POST', '/v1/standups', {
    token: person.token,
    body: {team: 'platform', update, date},
  });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

it('look', async () => {
  const id = await post(
    ada,
    'Shipped the importer.\nToday: the retry page, see https://example.com/retry?x=1.\nNobody blocks me.',
  );
  await sendRequest(stage.service.url, 'PATCH', `/v1/standups/${id}`, {
    token: ada.token,
    body: {
      update:
        'Shipped the importer.\nToday: the retry page and its tests, see https://example.com/retry?x=1.\nNobody blocks me.',
    },
  });
  await post(grace, 'Reviewed the importer.', '2035-11-22');
  visit = await stage.signIn(ada, {path: '/history'});
  await visit.page.getByRole('article').first().waitFor();
  await look(visit, 'history-full').catch((e) => console.log(String(e)));
  await visit.go('/history?q=ticket%201&team=platform&from=2035-10-01');
  await visit.page.getByRole('article').first().waitFor();
  await look(visit, 'history-filtered').catch((e) => console.log(String(e)));
  await visit.go(`/history?standup=${id}`);
  await visit.page.getByRole('article').first().waitFor();
  await look(visit, 'history-one').catch((e) => console.log(String(e)));
  await visit.go('/people/me');
  await visit.page.getByRole('article').first().waitFor();
  await look(visit, 'people-own').catch((e) => console.log(String(e)));
  await visit.go('/people/me?tab=settings');
  await look(visit, 'people-settings', {full: true}).catch((e) => console.log(String(e)));
  await expectInnocent(visit);
});
