import type {ReasonAudience} from '../../../domain/absences/absence.js';
import {countCodePoints} from '../../../domain/core/text.js';
import {limits} from '../../../domain/core/limits.js';
import {completeQuestion, type NewQuestion} from '../../../domain/questions/question.js';
import {
  completeSchedule,
  countMinutesRunIsOpen,
  type LatePolicy,
  type NewSchedule,
  type PromptAt,
  listUsualReminders,
  type Weekday,
} from '../../../domain/schedules/schedule.js';
import {
  type SlackDigest,
  type SlackMentions,
  type SlackPostMode,
  type Team,
  teamDefaults,
} from '../../../domain/teams/team.js';
import {teamFields} from '../blocks/names.js';
import type {Texts} from '../../texts/translation.js';
import {formatQuestions, parseQuestions, type QuestionError} from './question-lines.js';

/** The recurrence of runs: `weekly:<interval in weeks>` or `monthly:<which in the month>`. */
export type Repeat = `weekly:${number}` | `monthly:${1 | 2 | 3 | 4 | -1}`;

/**
 * A team's schedule and the display of its runs, as typed into a form. Some of these values may be invalid.
 */
export interface TeamRules {
  readonly shown: SlackPostMode;
  readonly digest: SlackDigest;
  /** The people that a mention may notify. */
  readonly mentions: SlackMentions;
  /** True if the channel gets a summary of each week. */
  readonly weekly: boolean;
  readonly named: boolean;
  /** True if everyone may read why people are away. */
  readonly reasons: boolean;
  /** The days of the week with a run; empty for no schedule. */
  readonly days: readonly Weekday[];
  readonly repeat: Repeat;
  /** The time at which a run opens (`HH:MM`); undefined if not chosen. */
  readonly opens: string | undefined;
  readonly closes: string | undefined;
  readonly reminders: readonly number[];
  /** The time at which members are asked for their standup. */
  readonly promptAt: PromptAt;
  readonly clock: 'team' | 'member';
  readonly late: LatePolicy;
  readonly paused: boolean;
  /** The questions, one in each line: see `formatQuestions`. */
  readonly questions: string;
}

const newHours = {opens: '09:00', closes: '11:00'};

/** The defaults of a new team, with a run on every working day. */
export const newTeamRules: TeamRules = {
  ...readTeamSettings(teamDefaults),
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  repeat: 'weekly:1',
  ...newHours,
  reminders: listUsualReminders(newHours),
  clock: 'team',
};

export function readTeamRules(team: Team): TeamRules {
  const {schedule} = team;
  const common = readTeamSettings(team);
  if (schedule === null) return {...newTeamRules, days: [], ...common};
  const {opens, closes, reminders, clock} = schedule;
  const cadence =
    schedule.frequency === 'weekly'
      ? {days: schedule.days, repeat: `weekly:${schedule.interval}` as const}
      : {days: [schedule.day], repeat: `monthly:${schedule.nth}` as const};
  return {...common, ...cadence, opens, closes, reminders, clock};
}

/** Returns the settings of a team except its schedule. */
function readTeamSettings(team: Pick<Team, keyof typeof teamDefaults>) {
  return {
    shown: team.slack_post_mode,
    digest: team.slack_digest,
    mentions: team.slack_mentions,
    weekly: team.slack_weekly_summary,
    promptAt: team.prompt_at,
    named: team.names_missing,
    reasons: team.absence_reasons === 'team',
    late: team.late_policy,
    paused: team.paused,
    questions: formatQuestions(team.questions),
  };
}

/** The fields of a team that are to be saved. */
export interface TeamWish {
  readonly slack_post_mode: SlackPostMode;
  readonly slack_digest: SlackDigest;
  readonly slack_mentions: SlackMentions;
  readonly slack_weekly_summary: boolean;
  readonly names_missing: boolean;
  readonly absence_reasons: ReasonAudience;
  readonly prompt_at: PromptAt;
  readonly schedule: NewSchedule | null;
  readonly late_policy: LatePolicy;
  readonly paused: boolean;
  readonly questions: readonly NewQuestion[];
}

/**
 * Parses the rules into the fields that are saved; returns errors by field if invalid. `before`: the existing
 * team, if any.
 */
export function parseTeamRules(
  rules: TeamRules,
  before: Pick<Team, 'schedule' | 'questions'> | undefined,
  texts: Texts,
): {readonly wish: TeamWish} | {readonly errors: Record<string, string>} {
  const {errors: said} = texts.setup;
  const parsed = parseQuestions(rules.questions, before?.questions ?? []);
  const errors = {
    ...findScheduleErrors(rules, texts),
    ...('error' in parsed && {[teamFields.questions]: explainQuestionError(said, parsed.error)}),
    ...(countCodePoints(rules.questions) > questionsLength && {
      [teamFields.questions]: said.manyQuestions({max: limits.questionsPerTeam}),
    }),
  };
  if (Object.keys(errors).length > 0 || 'error' in parsed) return {errors};
  return {
    wish: {
      slack_post_mode: rules.shown,
      slack_digest: rules.digest,
      slack_mentions: rules.mentions,
      slack_weekly_summary: rules.weekly,
      names_missing: rules.named,
      absence_reasons: rules.reasons ? 'team' : 'leads',
      prompt_at: rules.promptAt,
      schedule: createSchedule(rules, before?.schedule?.starts_on),
      late_policy: rules.late,
      paused: rules.paused,
      questions: parsed.questions,
    },
  };
}

/** True if the team already has these values, as after a form is submitted twice. */
export function matchesWish(team: Team, wish: TeamWish): boolean {
  const starts = team.schedule?.starts_on ?? '';
  const completed = {
    ...wish,
    schedule:
      wish.schedule &&
      completeSchedule({...wish.schedule, starts_on: wish.schedule.starts_on ?? starts}, starts),
    questions: wish.questions.map(completeQuestion),
  };
  return Object.entries(completed).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(team[name as keyof TeamWish]),
  );
}

/** The maximum length of the field for questions: ten questions with ten choices fit. */
export const questionsLength = 3_000;

function createSchedule(rules: TeamRules, startsOn: string | undefined): NewSchedule | null {
  const {days, repeat, opens = '', closes = '', reminders, clock} = rules;
  const [day] = days;
  if (day === undefined) return null;
  const times = {opens, closes, reminders, clock, starts_on: startsOn};
  const [frequency, count] = repeat.split(':');
  if (frequency === 'monthly')
    return {frequency: 'monthly', nth: Number(count) as 1 | 2 | 3 | 4 | -1, day, ...times};
  return {frequency: 'weekly', interval: Number(count), days, ...times};
}

function findScheduleErrors(rules: TeamRules, {setup: {errors}}: Texts): Record<string, string> {
  const {days, repeat, opens, closes, reminders} = rules;
  if (days.length === 0) return {};
  if (opens === undefined || closes === undefined) {
    return {
      ...(opens === undefined && {[teamFields.opens]: errors.noTime}),
      ...(closes === undefined && {[teamFields.closes]: errors.noTime}),
    };
  }
  const open = countMinutesRunIsOpen({opens, closes});
  return {
    ...(repeat.startsWith('monthly') && days.length > 1 && {[teamFields.days]: errors.oneDay}),
    ...(open === 0 && {[teamFields.closes]: errors.sameTime}),
    ...(open > 0 &&
      reminders.some((minutes) => minutes > open) && {[teamFields.reminders]: errors.early({minutes: open})}),
  };
}

function explainQuestionError(errors: Texts['setup']['errors'], error: QuestionError): string {
  switch (error.kind) {
    case 'many':
      return errors.manyQuestions({max: limits.questionsPerTeam});
    case 'label':
      return errors.questionLabel({line: error.line, max: limits.questionLabel});
    case 'options':
      return errors.questionOptions({line: error.line, choices: limits.choices, length: limits.choice});
    case 'from':
      return errors.questionFrom({line: error.line});
    case 'bounds':
      return errors.questionBounds({line: error.line});
  }
}
