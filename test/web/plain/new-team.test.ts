import {expect, it} from '@jest/globals';
import {teamDefaults} from '../../../src/domain/teams/team.js';
import {newTeamRules} from '../../../src/bot/slack/setup/team-rules.js';
import {newSchedule} from '../../../web/team/new-team.ts';

it('the dashboard and Slack offer a new team the same schedule', () => {
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

it('a team set up in Slack begins with the same settings as one created by the API or the dashboard', () => {
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
