import type {ViewOutput} from '@slack/bolt';
import type {InputBlock, PlainTextOption} from '@slack/types';
import {limits} from '../../../domain/core/limits.js';
import {type LatePolicy, promptTimes, weekdays} from '../../../domain/schedules/schedule.js';
import {slackDigests, slackMentions, slackPostModes} from '../../../domain/teams/team.js';
import {isClockTime, parseMinuteOfDay} from '../../../domain/core/zones.js';
import {input, singleSelect, timePicker, checkboxes, textInput} from '../blocks/inputs.js';
import {fieldValue, teamFields} from '../blocks/names.js';
import {option} from '../blocks/shapes.js';
import {decodeText} from '../blocks/text.js';
import type {Texts} from '../../texts/translation.js';
import {newTeamRules, questionsLength, type Repeat, type TeamRules} from './team-rules.js';

const repeats: readonly Repeat[] = [
  'weekly:1',
  'weekly:2',
  'weekly:3',
  'weekly:4',
  'monthly:1',
  'monthly:2',
  'monthly:3',
  'monthly:4',
  'monthly:-1',
];

/** The offered numbers of minutes before closing. Another number set through the API is shown too. */
const remindersOffered = [5, 10, 15, 30, 45, 60, 90, 120, 180, 240];

/** The offered numbers of minutes after closing. */
const lateOffered = [60, 120, 240, 480, 1_440, 2_880, 7_200, 10_080];

/**
 * Presents the fields for a team's schedule and for the display of its runs. `isNew`: the team does not exist
 * yet, so nothing can be paused. `isShort`: the field of days, which may be empty, is left out, so that the
 * times are required.
 */
export function presentRuleFields(
  {setup, leads}: Texts,
  rules: TeamRules,
  {isNew, isShort = false}: {readonly isNew: boolean; readonly isShort?: boolean},
): InputBlock[] {
  const choose = (field: string, label: string, options: PlainTextOption[], value: string): InputBlock => {
    const current = options.find((one) => one.value === value);
    return input(field, label, singleSelect(options, current));
  };
  const check = (
    field: string,
    label: string,
    options: PlainTextOption[],
    values: readonly string[],
    hint?: string,
  ) => {
    const initial = options.filter(({value = ''}) => values.includes(value));
    return input(field, label, checkboxes(options, initial), {optional: true, hint});
  };
  const time = (field: string, label: string, value: string | undefined, hint?: string) =>
    input(field, label, timePicker(value), {optional: !isShort, hint});
  const minutes = includeOwnNumbers(remindersOffered, rules.reminders).map((one) =>
    option(String(one), formatMinutes(one, setup.before)),
  );
  const chosen = minutes.filter(({value}) => rules.reminders.includes(Number(value)));
  const late = includeOwnNumbers(lateOffered, rules.late.accept === 'until' ? [rules.late.minutes] : []);
  const kept = repeats.includes(rules.repeat) ? repeats : [...repeats, rules.repeat];
  return [
    check(
      teamFields.days,
      setup.days,
      weekdays.map((day) => option(day, setup.weekdays[day])),
      rules.days,
      setup.daysHint,
    ),
    choose(
      teamFields.repeat,
      setup.repeat,
      kept.map((one) => option(one, formatRepeat(setup, one))),
      rules.repeat,
    ),
    time(teamFields.opens, setup.opens, rules.opens),
    time(teamFields.closes, setup.closes, rules.closes, setup.closesHint),
    input(
      teamFields.reminders,
      setup.reminders,
      {
        type: 'multi_static_select',
        action_id: fieldValue,
        options: minutes,
        max_selected_items: limits.remindersPerRun,
        ...(chosen.length > 0 && {initial_options: chosen}),
      },
      {optional: true, hint: setup.remindersHint},
    ),
    choose(
      teamFields.promptAt,
      leads.promptAt,
      promptTimes.map((at) => option(at, leads.promptTimes[at])),
      rules.promptAt,
    ),
    choose(
      teamFields.clock,
      setup.clock,
      (['team', 'member'] as const).map((clock) => option(clock, setup.clocks[clock])),
      rules.clock,
    ),
    choose(
      teamFields.shown,
      setup.shown,
      slackPostModes.map((mode) => option(mode, setup.modes[mode])),
      rules.shown,
    ),
    choose(
      teamFields.digest,
      setup.digest,
      slackDigests.map((digest) => option(digest, setup.digests[digest])),
      rules.digest,
    ),
    choose(
      teamFields.mentions,
      leads.mentions,
      slackMentions.map((kind) => option(kind, leads.mentionsOf[kind])),
      rules.mentions,
    ),
    choose(
      teamFields.late,
      setup.late,
      [
        option('always', setup.lateAlways),
        option('never', setup.lateNever),
        ...late.map((one) => option(String(one), formatMinutes(one, setup.lateFor))),
      ],
      rules.late.accept === 'until' ? String(rules.late.minutes) : rules.late.accept,
    ),
    check(
      teamFields.more,
      setup.more,
      [
        option('weekly', leads.weekly),
        option('named', setup.named),
        option('reasons', setup.reasons),
        ...(isNew ? [] : [option('paused', setup.paused)]),
      ],
      [
        ...(rules.weekly ? ['weekly'] : []),
        ...(rules.named ? ['named'] : []),
        ...(rules.reasons ? ['reasons'] : []),
        ...(rules.paused ? ['paused'] : []),
      ],
    ),
    input(
      teamFields.questions,
      setup.questions,
      textInput(questionsLength, rules.questions.slice(0, questionsLength), {multiline: true}),
      {optional: true, hint: setup.questionsHint},
    ),
  ];
}

/** Reads the rules from the fields. Fields that the form does not show get the defaults of a new team. */
export function readRuleFields({state: {values}}: ViewOutput): TeamRules {
  const shows = (field: string) => values[field] !== undefined;
  const read = (field: string) => values[field]?.[fieldValue];
  const one = (field: string) => read(field)?.selected_option?.value;
  const many = (field: string) => (read(field)?.selected_options ?? []).map(({value}) => value);
  const time = (field: string) => {
    const value = read(field)?.selected_time;
    return isClockTime(value ?? '') ? (value ?? undefined) : undefined;
  };
  const more = many(teamFields.more);
  const opens = shows(teamFields.opens) ? time(teamFields.opens) : newTeamRules.opens;
  const closes = shows(teamFields.closes) ? time(teamFields.closes) : newTeamRules.closes;
  const open = countOpenMinutes(opens, closes);
  return {
    shown: slackPostModes.find((mode) => mode === one(teamFields.shown)) ?? newTeamRules.shown,
    digest: slackDigests.find((digest) => digest === one(teamFields.digest)) ?? newTeamRules.digest,
    mentions: slackMentions.find((kind) => kind === one(teamFields.mentions)) ?? newTeamRules.mentions,
    weekly: shows(teamFields.more) ? more.includes('weekly') : newTeamRules.weekly,
    promptAt: promptTimes.find((at) => at === one(teamFields.promptAt)) ?? newTeamRules.promptAt,
    named: more.includes('named'),
    reasons: more.includes('reasons'),
    paused: more.includes('paused'),
    days: shows(teamFields.days)
      ? weekdays.filter((day) => many(teamFields.days).includes(day))
      : newTeamRules.days,
    repeat: readRepeat(one(teamFields.repeat)),
    opens,
    closes,
    reminders: shows(teamFields.reminders)
      ? many(teamFields.reminders).map(Number).filter(Number.isInteger)
      : newTeamRules.reminders.filter((minutes) => minutes <= open),
    clock: one(teamFields.clock) === 'member' ? 'member' : 'team',
    late: readLatePolicy(one(teamFields.late)),
    questions: decodeText(read(teamFields.questions)?.value ?? '').trim(),
  };
}

/** Returns the number of minutes for which a run is open; infinite while the times are not chosen. */
function countOpenMinutes(opens: string | undefined, closes: string | undefined): number {
  if (opens === undefined || closes === undefined) return Number.POSITIVE_INFINITY;
  return (parseMinuteOfDay(closes) - parseMinuteOfDay(opens) + 1_440) % 1_440 || Number.POSITIVE_INFINITY;
}

function readRepeat(value: string | undefined): Repeat {
  const weeks = /^weekly:(\d{1,2})$/.exec(value ?? '')?.[1];
  if (weeks !== undefined && Number(weeks) >= 1 && Number(weeks) <= limits.scheduleInterval)
    return `weekly:${Number(weeks)}`;
  return repeats.find((one) => one === value) ?? 'weekly:1';
}

function readLatePolicy(value: string | undefined): LatePolicy {
  if (value === 'never') return {accept: 'never'};
  const minutes = Number(value);
  const fits = Number.isInteger(minutes) && minutes >= 1 && minutes <= limits.lateMinutes;
  return fits ? {accept: 'until', minutes} : {accept: 'always'};
}

function formatRepeat(setup: Texts['setup'], repeat: Repeat): string {
  const [frequency, count = ''] = repeat.split(':');
  return frequency === 'weekly'
    ? setup.weekly({weeks: Number(count)})
    : setup.monthly[count as keyof typeof setup.monthly];
}

function includeOwnNumbers(offered: readonly number[], own: readonly number[]): number[] {
  return [...new Set([...offered, ...own])].toSorted((a, b) => a - b);
}

type CountText = (gaps: {readonly count: number}) => string;

/** Says a number of minutes in the largest unit that fits. */
function formatMinutes(
  minutes: number,
  units: {readonly days?: CountText; readonly hours: CountText; readonly minutes: CountText},
): string {
  if (units.days !== undefined && minutes % 1_440 === 0) return units.days({count: minutes / 1_440});
  return minutes % 60 === 0 ? units.hours({count: minutes / 60}) : units.minutes({count: minutes});
}
