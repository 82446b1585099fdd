import {expect, it} from '@jest/globals';
import {completeSchedule} from '../../../src/domain/schedules/schedule.js';
import {newSchedule as newScheduleInSlack} from '../../../src/bot/slack/setup/team-form.js';
import {newSchedule} from '../../../web/team/new-team.ts';

it('the dashboard and Slack offer a new team the same schedule', () => {
  expect(completeSchedule(newScheduleInSlack, '2026-11-23')).toEqual({
    frequency: 'weekly',
    starts_on: '2026-11-23',
    ...newSchedule,
  });
});
