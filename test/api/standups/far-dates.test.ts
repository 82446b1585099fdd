import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {measureCpuMs} from '../../support/stopwatch.js';
import {addPerson} from '../people.js';
import {sampleUnlessDeep} from '../../support/deep.js';

let service: TestService;
let workspace: TestWorkspace;
const weekly = {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '17:00'};
beforeAll(async () => {
  service = await startService({env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
  const {id} = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  const holidays = {country: 'DE', region: null, calendar: null};
  await workspace.request('PATCH', `/v1/members/${id}`, {body: {holidays}});
  await workspace.request('PATCH', '/v1/teams/platform', {body: {schedule: weekly}});
});
afterAll(() => service.close());

const days = ['0000-01-01', '0001-01-01', '1999-12-31', '2000-03-01', '9998-12-31', '9999-12-31'];

/** Operations that take dates, and the names of their first and last date. */
const operations: readonly (readonly [string, string, string?])[] = [
  ['/v1/days-off?', 'from', 'until'],
  ['/v1/absences?', 'from', 'until'],
  ['/v1/teams/platform/participation?', 'since', 'until'],
  ['/v1/members/me/participation?', 'since', 'until'],
  ['/v1/participation?include=days&', 'since', 'until'],
  ['/v1/teams/platform/runs?', 'since', 'until'],
  ['/v1/standups?', 'date_from', 'date_to'],
  ['/v1/teams/platform/schedule/preview?limit=50&', 'from'],
];

function queriesOf([path, first, last]: (typeof operations)[number]): string[] {
  const one = [first, ...(last === undefined ? [] : [last])];
  return [
    ...one.flatMap((name) => days.map((day) => `${path}${name}=${day}`)),
    ...(last === undefined
      ? []
      : days.flatMap((from) => days.map((until) => `${path}${first}=${from}&${last}=${until}`))),
  ];
}

describe('regression: a date far away', () => {
  it.each(operations)('breaks nothing and delays no other request: GET %s', async (...operation) => {
    for (const path of sampleUnlessDeep(queriesOf(operation), 14)) {
      let status = 0;
      const ms = await measureCpuMs(async () => ({status} = await workspace.request('GET', path)));
      expect({path, isAnswered: status < 500, isQuick: ms < 1_000}).toEqual({
        path,
        isAnswered: true,
        isQuick: true,
      });
    }
  });
});
