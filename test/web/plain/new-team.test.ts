import {expect, it} from '@jest/globals';
import {newTeamRules} from '../../../src/bot/slack/setup/team-rules.js';
import {newSchedule, newTeam} from '../../../web/team/new-team.ts';

it('a team that is made in the dashboard begins as one that is set up in Slack', () => {
  const {days, opens, closes, clock, reminders, promptAt, weekly, repeat} = newTeamRules;
  expect(newSchedule).toEqual({
    interval: Number(repeat.split(':')[1]),
    days,
    opens,
    closes,
    clock,
    reminders,
  });
  expect(newTeam).toEqual({prompt_at: promptAt, slack_weekly_summary: weekly});
});
