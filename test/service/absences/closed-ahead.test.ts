import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {suffixOf, type Id} from '../../../src/domain/core/ids.js';
import {type Person, addPerson} from '../../api/people.js';
import {asId} from '../../support/ids.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';

// A team in Sydney has closed its run of Tuesday, while it is still Monday in the time zone of one member.
const [monday, tuesday, wednesday] = ['2026-11-23', '2026-11-24', '2026-11-25'];
const steps = ['22T22:30', '23T06:30', '23T22:30', '24T06:30'];
const slackUser = 'U0000ADA1';
const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let team: Id<'team'>;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, at('21T20:00'));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
});

beforeEach(async () => {
  await clock.set(at('21T20:00'));
  workspace = await service.addWorkspace();
  const days = ['mon', 'tue', 'wed'] as const;
  const schedule = {frequency: 'weekly', days, opens: '09:00', closes: '17:00'} as const;
  const input = {slug: 'sydney', timezone: 'Australia/Sydney', schedule};
  team = asId((await service.core.services.teams.createTeam(workspace.operator(), input)).id ?? '');
  const person = {name: 'Ada', team: 'sydney', slack_user_id: slackUser, timezone: 'America/Los_Angeles'};
  ada = await addPerson(service, workspace, person);
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

const call = () => ({
  ...workspace.operator(),
  principal: {type: 'member', id: asId<'member'>(ada.id), name: 'Ada'} as const,
});

async function closeTuesday(): Promise<void> {
  for (const step of steps) {
    await clock.set(at(step));
    while (await service.core.services.runs.advanceRuns(workspace.operator(), suffixOf(team)));
  }
}

async function statuses(): Promise<string[]> {
  const shown = [monday, tuesday].map((date) => workspace.request('GET', `/v1/teams/sydney/runs/${date}`));
  return (await Promise.all(shown)).map(({body}) =>
    body.report.lines.map((line: Json) => line.status).join(),
  );
}

async function spans(): Promise<string[]> {
  const {body} = await workspace.request('GET', `/v1/absences?member=${ada.id}`);
  return body.data.map(({from, until}: Json) => `${from}/${until}`).toSorted();
}

it("regression: a member who returns stays away in tomorrow's run, if that has already closed in the team’s time zone", async () => {
  await service.core.services.absences.enterAbsence(call(), {until: null});
  await closeTuesday();
  expect(await statuses()).toEqual(['away', 'away']);
  const now = {today: monday, runs: [{team, date: tuesday}]};
  expect(await service.core.services.absences.comeBack(call(), now)).toMatchObject({ended: 1, closed: true});
  expect(await statuses()).toEqual(['away', 'away']);
  expect(await spans()).toEqual([`2026-11-21/${monday}`, `${tuesday}/${tuesday}`]);
});

it("regression: a member whose Slack account is restored stays away in tomorrow's run, if that has already closed", async () => {
  await service.core.services.followSlackAccount(workspace.operator(), slackUser, true);
  await closeTuesday();
  await service.core.services.followSlackAccount(workspace.operator(), slackUser, false);
  expect(await statuses()).toEqual(['away', 'away']);
  expect(await spans()).toEqual([`2026-11-21/${tuesday}`]);
});

it("regression: a member whose Slack account is deactivated stays missing in tomorrow's run, if that has already closed", async () => {
  await closeTuesday();
  await service.core.services.followSlackAccount(workspace.operator(), slackUser, true);
  expect(await statuses()).toEqual(['missed', 'missed']);
  expect(await spans()).toEqual([`${wednesday}/null`]);
});
