import {completeQuestion} from '../../domain/questions/question.js';
import {applyPatch, type Draft} from '../../domain/core/resource.js';
import {completeSchedule} from '../../domain/schedules/schedule.js';
import {type NewTeam, type Team, type TeamChange, teamDefaults} from '../../domain/teams/team.js';

/** Returns the draft of a new team, with the same defaults in every channel. `dayIn`: today in a time zone. */
export function createTeamDraft(input: NewTeam, dayIn: (timezone: string) => string): Draft<Team> {
  const {slug, name = slug, timezone = 'UTC', slack_channel_id = null} = input;
  const before = {object: 'team', slug, name, timezone, slack_channel_id, ...teamDefaults} as const;
  return applyTeamChange(before, input, dayIn(timezone));
}

/** Returns the draft of a changed team. New questions get a new version. `today`: in its time zone. */
export function applyTeamChange(
  before: Draft<Team>,
  change: NewTeam | TeamChange,
  today: string,
): Draft<Team> {
  const {schedule, questions, ...rest} = change;
  const draft = applyPatch(before, {
    ...rest,
    slug: before.slug,
    schedule: schedule && completeSchedule(schedule, today),
    questions: questions?.map(completeQuestion),
  });
  const asks = JSON.stringify(draft.questions) !== JSON.stringify(before.questions);
  return asks ? {...draft, questions_version: before.questions_version + 1} : draft;
}
