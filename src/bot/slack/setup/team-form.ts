import type {ViewOutput} from '@slack/bolt';
import type {KnownBlock} from '@slack/types';
import {isTimezone, type Weekday, weekdays} from '../../../domain/core/dates.js';
import {limits} from '../../../domain/core/limits.js';
import {isClockTime, parseMinuteOfDay} from '../../../domain/core/zones.js';
import {completeQuestion, type NewQuestion} from '../../../domain/questions/question.js';
import {
  countMinutesRunIsOpen,
  type NewSchedule,
  type Schedule,
  suggestedSchedule,
} from '../../../domain/schedules/schedule.js';
import type {SlackPostMode, Team} from '../../../domain/teams/team.js';
import {cutText} from '../../texts/cut-text.js';
import type {Texts} from '../../texts/translation.js';
import {
  checkboxes,
  input,
  option,
  radioButtons,
  richText,
  richTextSection,
  searchSelect,
  textElement,
  textInput,
  timePicker,
} from '../blocks/shapes.js';
import {fieldValue, teamFields} from '../blocks/names.js';
import {explainTextError} from '../blocks/text-errors.js';
import {decodeText} from '../blocks/text.js';
import type {ZoneOption} from '../blocks/zones.js';
import {isChannelId} from '../answers/setup-offer.js';
import {formatQuestions, parseQuestions} from './question-lines.js';

const questionsLength = 3_000;

/** The content of the form. A field that is undefined is not asked for. */
export interface TeamFormData {
  readonly name?: string | undefined;
  readonly zone?: {readonly chosen: ZoneOption | undefined} | undefined;
  /** The team's channel. Undefined: the channel in which the person is, if any. */
  readonly channel: string | undefined;
  /** The days of the week with a run; empty for no schedule. */
  readonly days: readonly Weekday[];
  readonly opens: string | undefined;
  /** The number of minutes for which a run is open. */
  readonly minutes: number;
  /** The clock by which a run opens, such as "Berlin time"; undefined while the time zone is asked for. */
  readonly clock?: string | undefined;
  /** The questions, one in each line. */
  readonly questions: string;
  readonly mode?: SlackPostMode | undefined;
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

/** Returns the content of the form for an existing team. */
export function readSettings(team: Team, texts: Texts): TeamFormData {
  const clock = describeClock(texts, team.timezone, team.schedule?.clock);
  return {...readTeamFields(team, texts), channel: team.slack_channel_id ?? undefined, clock};
}

/** Names the clock of a schedule: that of a place, or that of each person. */
export function describeClock({leads}: Texts, timezone: string, clock: Schedule['clock'] = 'team'): string {
  const zone = timezone.slice(timezone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return clock === 'member' ? leads.ownClock : leads.clockOf({zone});
}

export function presentTeamFields({setup}: Texts, data: TeamFormData): KnownBlock[] {
  const {name, zone, channel, days, opens, minutes, clock, questions, mode} = data;
  const options = weekdays.map((day) => option(day, setup.weekdays[day]));
  const chosen = options.filter(({value}) => days.some((day) => day === value));
  const closes = {hours: Math.floor(minutes / 60), minutes: minutes % 60};
  const optional = true;
  return [
    ...(name === undefined
      ? []
      : [input(teamFields.name, setup.name, textInput(limits.name, cutText(name, limits.name)))]),
    input(teamFields.channel, setup.channel, {
      type: 'conversations_select',
      action_id: fieldValue,
      filter: {include: ['public', 'private'], exclude_bot_users: true},
      ...(channel === undefined ? {default_to_current_conversation: true} : {initial_conversation: channel}),
    }),
    input(teamFields.days, setup.days, checkboxes(options, chosen), {optional, hint: setup.daysHint}),
    input(teamFields.opens, setup.opens, timePicker(opens), {hint: setup.opensHint({...closes, clock})}),
    ...(zone === undefined
      ? []
      : [input(teamFields.zone, setup.zone, searchSelect(zone.chosen), {hint: setup.zoneHint})]),
    input(
      teamFields.questions,
      setup.questions,
      textInput(questionsLength, questions.slice(0, questionsLength), {multiline: true}),
      {optional, hint: setup.questionsHint},
    ),
    ...(mode === undefined ? [] : presentModes(setup, mode)),
  ];
}

/** The ways of showing updates that a new team may choose from. The dashboard has another one. */
const modes = ['thread', 'channel'] as const;

/** Presents the choice of how updates appear, with an example of each. */
function presentModes({mode: texts}: Texts['setup'], chosen: SlackPostMode): KnownBlock[] {
  const options = modes.map((mode) => option(mode, texts[mode].label));
  const index = modes.findIndex((mode) => mode === chosen);
  return [
    input(teamFields.mode, texts.title, radioButtons(options, index)),
    ...modes.map((mode) =>
      richText([
        richTextSection([textElement(texts[mode].label, {bold: true})]),
        {type: 'rich_text_preformatted', elements: [textElement(texts[mode].example)]},
      ]),
    ),
  ];
}

export type TeamForm = ReturnType<typeof readTeamForm>;

/** Reads a submitted form. A field that was not asked for is undefined. */
export function readTeamForm({state: {values}}: ViewOutput) {
  const read = (field: string) => values[field]?.[fieldValue];
  const text = (field: string) => decodeText(read(field)?.value ?? '').trim();
  const days = (read(teamFields.days)?.selected_options ?? []).map(({value}) => value);
  const opens = read(teamFields.opens)?.selected_time ?? '';
  return {
    name: teamFields.name in values ? text(teamFields.name) : undefined,
    channel: read(teamFields.channel)?.selected_conversation ?? '',
    days: weekdays.filter((day) => days.includes(day)),
    opens: isClockTime(opens) ? opens : undefined,
    zone: teamFields.zone in values ? (read(teamFields.zone)?.selected_option?.value ?? '') : undefined,
    questions: text(teamFields.questions),
    mode: modes.find((mode) => mode === read(teamFields.mode)?.selected_option?.value),
  };
}

export interface TeamWish {
  readonly name: string;
  readonly timezone: string;
  readonly slack_channel_id: string;
  readonly schedule: NewSchedule | null;
  readonly questions: readonly NewQuestion[];
  readonly slack_post_mode?: SlackPostMode;
}

/** The values of fields that the form does not ask for. */
export interface KnownFields {
  readonly name: string | undefined;
  readonly timezone: string | undefined;
}

/**
 * Returns the fields to save, or errors by field. `before`: the team, which keeps what the form hides.
 */
export function parseTeamForm(
  form: TeamForm,
  known: KnownFields,
  before: Team | undefined,
  texts: Texts,
): {readonly wish: TeamWish} | {readonly errors: Record<string, string>} {
  const {errors: said} = texts.setup;
  const {channel, days, opens, mode} = form;
  const name = form.name ?? known.name ?? '';
  const zone = form.zone ?? known.timezone ?? '';
  const parsed = parseQuestions(form.questions, before?.questions ?? [], texts);
  const nameError = form.name === undefined ? undefined : explainTextError(texts, name, limits.name);
  const isMonthly = before?.schedule?.frequency === 'monthly';
  const errors = {
    ...(nameError !== undefined && {[teamFields.name]: said.name({error: nameError})}),
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
  const wish = {name, timezone: zone, slack_channel_id: channel, schedule, questions};
  return {wish: mode === undefined ? wish : {...wish, slack_post_mode: mode}};
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
