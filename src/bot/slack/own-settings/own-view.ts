import type {KnownBlock, ModalView} from '@slack/types';
import {limits} from '../../../domain/core/limits.js';
import {promptTimes} from '../../../domain/schedules/schedule.js';
import type {Member} from '../../../domain/workspaces/workspace.js';
import {cleanName} from '../../texts/bidi.js';
import {
  input,
  modal,
  singleSelect,
  timePicker,
  searchSelect,
  checkboxes,
  textInput,
} from '../blocks/inputs.js';
import {actions, ownFields, teamFields, views} from '../blocks/names.js';
import {button, context, mrkdwnObject, option, actionsRow, section} from '../blocks/shapes.js';
import type {ZoneOption} from '../setup/zones.js';
import type {Texts} from '../../texts/translation.js';

/** A member's own settings, and the holiday calendars of their workspace. */
export interface OwnSettings {
  readonly member: Pick<Member, 'timezone' | 'reminders' | 'holidays'>;
  readonly zone: ZoneOption | undefined;
  readonly calendars: readonly {readonly id: string; readonly name: string}[];
}

/** Presents a person's own settings: reminders, quiet hours, time zone and holidays. */
export function presentOwnSettings({own, ask}: Texts, {member, zone, calendars}: OwnSettings): ModalView {
  const {reminders, holidays} = member;
  const reminded = option('on', own.reminded);
  const choices = [
    option('none', own.noCalendar),
    ...calendars.map(({id, name}) => option(id, cleanName(name))),
  ];
  const chosen = choices.find(({value}) => value === (holidays.calendar ?? 'none')) ?? choices[0];
  const times = (['team', ...promptTimes] as const).map((at) => option(at, ask.times[at]));
  const asked = times.find(({value}) => value === (reminders.prompt_at ?? 'team'));
  const optional = true;
  const text = (value: string | null) => textInput(20, value ?? '');
  const time = (value: string | null) => timePicker(value ?? undefined);
  const calendar = singleSelect(choices.slice(0, limits.holidayCalendars + 1), chosen);
  const {title, save: submit, cancel: close} = own;
  const metadata = JSON.stringify({own: member.timezone ?? undefined});
  return modal({name: views.own, metadata, title, submit, close}, [
    input(ownFields.reminded, own.reminders, checkboxes([reminded], reminders.enabled ? [reminded] : []), {
      optional,
      hint: own.remindersHint,
    }),
    // In Slack, a field with a first value cannot be left empty.
    input(ownFields.promptAt, ask.when, singleSelect(times, asked), {hint: ask.whenHint}),
    input(ownFields.quietFrom, own.quietFrom, time(reminders.quiet_from), {optional, hint: own.quietHint}),
    input(ownFields.quietUntil, own.quietUntil, time(reminders.quiet_until), {optional}),
    input(teamFields.zone, own.zone, searchSelect(zone), {optional, hint: own.zoneHint}),
    input(ownFields.country, own.country, text(holidays.country), {optional, hint: own.countryHint}),
    input(ownFields.region, own.region, text(holidays.region), {optional, hint: own.regionHint}),
    ...(calendars.length === 0 && holidays.calendar === null
      ? []
      : [input(ownFields.calendar, own.calendar, calendar)]),
    context(mrkdwnObject(own.teams)),
  ]);
}

/** Presents one sentence in place of the form. */
export function presentOwnSettingsNote(texts: Texts, sentence: string): ModalView {
  const {title, close} = texts.own;
  return modal({title, close}, [section(sentence)]);
}

/** Presents the private answer when the form could not be opened in time. */
export function presentOwnSettingsRetry({own}: Texts): KnownBlock[] {
  return [section(own.retry), actionsRow(button(actions.openOwn, own.title))];
}
