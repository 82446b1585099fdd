import {expect, it} from '@jest/globals';
import {parseTeamForm, readTeamFields} from '../../../src/bot/slack/setup/team-form.js';
import {en} from '../../../src/bot/texts/compiled/en.js';
import {
  completeSchedule,
  type NewSchedule,
  suggestedSchedule,
} from '../../../src/domain/schedules/schedule.js';
import type {NewTeam} from '../../../src/domain/teams/team.js';
import {createTeamDraft} from '../../../src/service/teams/team-drafts.js';
import {newSchedule} from '../../../web/team/new-team.ts';
import {toSchedule} from '../../../web/team/schedule-draft.ts';

const today = '2026-11-23';
const name = {slug: 'platform', name: 'Platform'};
const create = (input: NewTeam) => createTeamDraft(input, () => today);
const suggested = readTeamFields(undefined, en);
const readSlackForm = (days: typeof suggested.days) => {
  const {opens, questions} = suggested;
  const fields = {
    name: 'Platform',
    channel: 'C012345',
    zone: 'UTC',
    opens,
    questions,
    days: [...days],
    mode: undefined,
  };
  const read = parseTeamForm(fields, {name: undefined, timezone: undefined}, undefined, en);
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  const {slack_channel_id: _channel, ...wish} = read.wish;
  return wish;
};

it('a team with only a name has the same settings from the API, the dashboard and Slack', () => {
  const byApi = create(name);
  expect(create({...name, timezone: 'UTC'})).toEqual(byApi);
  expect(create({...name, ...readSlackForm([])})).toEqual(byApi);
});

it('a new schedule has the same settings from the API, the dashboard and Slack', () => {
  const form = {
    kind: 'weekly',
    nth: '1',
    day: 'mon',
    startsOn: null,
    promptAt: 'both',
    paused: false,
  } as const;
  const byDashboard = toSchedule({...newSchedule, ...form}) as NewSchedule;
  const bySlack = readSlackForm(suggested.days).schedule;
  const byApi = completeSchedule(suggestedSchedule, today);
  expect(byApi).toMatchObject({reminders: [30], interval: 1, clock: 'team'});
  expect(completeSchedule(byDashboard, today)).toEqual(byApi);
  expect(bySlack && completeSchedule(bySlack, today)).toEqual(byApi);
});
