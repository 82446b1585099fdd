import {expect, it} from '@jest/globals';
import {teamDefaults} from '../../../src/domain/teams/team.js';
import {newTeamRules} from '../../../src/bot/slack/setup/team-rules.js';
import {newSchedule} from '../../../web/team/new-team.ts';

it('the dashboard offers a new team the schedule that Slack offers it', () => {
  const {days, opens, closes, clock, reminders, repeat} = newTeamRules;
  expect(newSchedule).toEqual({
    interval: Number(repeat.split(':')[1]),
    days,
    opens,
    closes,
    clock,
    reminders,
  });
});

it('a team that is set up in Slack begins as one that is made by API, and so in the dashboard', () => {
  const {shown, digest, mentions, weekly, named, promptAt, late, paused} = newTeamRules;
  expect(teamDefaults).toMatchObject({
    slack_post_mode: shown,
    slack_digest: digest,
    slack_mentions: mentions,
    slack_weekly_summary: weekly,
    names_missing: named,
    prompt_at: promptAt,
    late_policy: late,
    paused,
  });
});
