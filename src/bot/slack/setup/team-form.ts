import type {ViewOutput} from '@slack/bolt';
import type {InputBlock} from '@slack/types';
import {isTimezone} from '../../../domain/core/dates.js';
import {limits} from '../../../domain/core/limits.js';
import {isClockTime, parseMinuteOfDay} from '../../../domain/core/zones.js';
import {completeQuestion, type NewQuestion} from '../../../domain/questions/question.js';
import {
  countMinutesRunIsOpen,
  type NewSchedule,
  suggestedSchedule,
  type Weekday,
  weekdays,
} from '../../../domain/schedules/schedule.js';
import type {Team} from '../../../domain/teams/team.js';
import {cutText} from '../../texts/cut-text.js';
import type {Texts} from '../../texts/translation.js';
import {checkboxes, input, searchSelect, textInput, timePicker, option} from '../blocks/shapes.js';
import {fieldValue, teamFields} from '../blocks/names.js';
import {explainTextError} from '../blocks/text-errors.js';
import {decodeText} from '../blocks/text.js';
import type {ZoneOption} from '../blocks/zones.js';
import {isChannelId} from '../answers/setup-offer.js';
import {formatQuestions, parseQuestions} from './question-lines.js';

/** The number of people who can be added within one deadline, and whose ids fit into a form's metadata. */
const maxPeople = 50;

const questionsLength = 3_000;

export interface TeamFormData {
  readonly name: string;
  /** The Slack ids of the people of a new team; undefined in the settings, which do not change people. */
  readonly members?: readonly string[] | undefined;
  readonly zone: ZoneOption | undefined;
  /** The team's channel. Undefined: the channel in which the person is, if any. */
  readonly channel: string | undefined;
  /** The days of the week with a run; empty for no schedule. */
  readonly days: readonly Weekday[];
  readonly opens: string | undefined;
  /** The number of minutes for which a run is open. */
  readonly minutes: number;
  /** The questions, one in each line. */
  readonly questions: string;
}

/** Returns the content of the fields that a team's record has; without a team, that of a new team. */
export function readTeamFields(
  team: Team | undefined,
  texts: Texts,
): Pick<TeamFormData, 'days' | 'opens' | 'minutes' | 'questions'> {
  const schedule = team?.schedule ?? suggestedSchedule;
  const days = 'days' in schedule ? schedule.days : [schedule.day];
  return {
    days: team?.schedule === null ? [] : days,
    opens: schedule.opens,
    minutes: countMinutesRunIsOpen(schedule),
    questions: formatQuestions(team?.questions ?? [], texts),
  };
}

export function presentTeamFields({setup}: Texts, data: TeamFormData): InputBlock[] {
  const {name, members, zone, channel, days, opens, minutes, questions} = data;
  const options = weekdays.map((day) => option(day, setup.weekdays[day]));
  const chosen = options.filter(({value}) => days.some((day) => day === value));
  const closes = {hours: Math.floor(minutes / 60), minutes: minutes % 60};
  const optional = true;
  return [
    input(teamFields.name, setup.name, textInput(limits.name, presentName(name))),
    ...(members === undefined
      ? []
      : [
          input(
            teamFields.members,
            setup.members,
            {
              type: 'multi_users_select',
              action_id: fieldValue,
              max_selected_items: maxPeople,
              initial_users: [...members],
            },
            {hint: setup.membersHint({max: maxPeople})},
          ),
        ]),
    input(teamFields.channel, setup.channel, {
      type: 'conversations_select',
      action_id: fieldValue,
      filter: {include: ['public', 'private'], exclude_bot_users: true},
      ...(channel === undefined ? {default_to_current_conversation: true} : {initial_conversation: channel}),
    }),
    input(teamFields.days, setup.days, checkboxes(options, chosen), {optional, hint: setup.daysHint}),
    input(teamFields.opens, setup.opens, timePicker(opens), {hint: setup.opensHint(closes)}),
    input(teamFields.zone, setup.zone, searchSelect(zone), {hint: setup.zoneHint}),
    input(
      teamFields.questions,
      setup.questions,
      textInput(questionsLength, questions.slice(0, questionsLength), {multiline: true}),
      {optional, hint: setup.questionsHint},
    ),
  ];
}

/** Slack counts UTF-16 code units, so a name may not fit. */
function presentName(name: string): string {
  return cutText(name, limits.name);
}

export type TeamForm = ReturnType<typeof readTeamForm>;

export function readTeamForm({state: {values}}: ViewOutput) {
  const read = (field: string) => values[field]?.[fieldValue];
  const text = (field: string) => decodeText(read(field)?.value ?? '').trim();
  const days = (read(teamFields.days)?.selected_options ?? []).map(({value}) => value);
  const opens = read(teamFields.opens)?.selected_time ?? '';
  return {
    name: text(teamFields.name),
    members: [...new Set(read(teamFields.members)?.selected_users ?? [])],
    channel: read(teamFields.channel)?.selected_conversation ?? '',
    days: weekdays.filter((day) => days.includes(day)),
    opens: isClockTime(opens) ? opens : undefined,
    zone: read(teamFields.zone)?.selected_option?.value ?? '',
    questions: text(teamFields.questions),
  };
}

export interface TeamWish {
  readonly name: string;
  readonly timezone: string;
  readonly slack_channel_id: string;
  readonly schedule: NewSchedule | null;
  readonly questions: readonly NewQuestion[];
}

/** Returns the fields to save, or errors by field. `before`: the team, which keeps what the form hides. */
export function parseTeamForm(
  form: TeamForm,
  before: Team | undefined,
  texts: Texts,
): {readonly wish: TeamWish} | {readonly errors: Record<string, string>} {
  const {errors: said} = texts.setup;
  const {members, channel, days, opens, zone} = form;
  const isRenamed = before === undefined || form.name !== presentName(before.name).trim();
  const name = isRenamed ? form.name : before.name;
  const parsed = parseQuestions(form.questions, before?.questions ?? [], texts);
  const nameError = explainTextError(texts, name, limits.name);
  const isMonthly = before?.schedule?.frequency === 'monthly';
  const errors = {
    ...(nameError !== undefined && {[teamFields.name]: said.name({error: nameError})}),
    ...(members.length > maxPeople && {
      [teamFields.members]: said.tooMany({count: members.length, max: maxPeople}),
    }),
    ...(!isChannelId(channel) && {[teamFields.channel]: said.channel}),
    ...(isMonthly && days.length > 1 && {[teamFields.days]: said.oneDay}),
    ...(opens === undefined && {[teamFields.opens]: said.noTime}),
    ...(!isTimezone(zone) && {[teamFields.zone]: said.zone}),
    ...('error' in parsed && {
      [teamFields.questions]:
        parsed.error === 'many'
          ? said.manyQuestions({max: limits.questionsPerTeam})
          : said.questionLabel({line: parsed.error, max: limits.questionLabel}),
    }),
  };
  if (Object.keys(errors).length > 0 || opens === undefined || 'error' in parsed) return {errors};
  const schedule = createSchedule(days, opens, before?.schedule ?? undefined);
  const {questions} = parsed;
  return {wish: {name, timezone: zone, slack_channel_id: channel, schedule, questions}};
}

/** A run stays open for as long as before. */
function createSchedule(
  days: readonly Weekday[],
  opens: string,
  before: NewSchedule = suggestedSchedule,
): NewSchedule | null {
  const [day] = days;
  if (day === undefined) return null;
  const closing = (parseMinuteOfDay(opens) + countMinutesRunIsOpen(before)) % 1_440;
  const [hour, minute] = [Math.floor(closing / 60), closing % 60].map((part) => `${part}`.padStart(2, '0'));
  const times = {opens, closes: `${hour}:${minute}`};
  return before.frequency === 'monthly' ? {...before, day, ...times} : {...before, days, ...times};
}

/** True if the team already has these values, as after a form is submitted twice. */
export function matchesWish(team: Team, wish: TeamWish): boolean {
  const completed = {...wish, questions: wish.questions.map(completeQuestion)};
  return Object.entries(completed).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(team[name as keyof TeamWish]),
  );
}
