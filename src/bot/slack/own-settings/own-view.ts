import type {InputBlock, InputBlockElement, KnownBlock, ModalView, PlainTextOption} from '@slack/types';
import {limits} from '../../../domain/core/limits.js';
import {promptTimes} from '../../../domain/schedules/schedule.js';
import type {Member} from '../../../domain/workspaces/workspace.js';
import {cleanName} from '../../words/bidi.js';
import {actions, fieldValue, ownFields, slackLimits, teamFields, views} from '../blocks/names.js';
import type {ZoneOption} from '../setup/zones.js';
import {cutText} from '../../words/cut-text.js';
import type {Words} from '../../words/words.js';

/** What somebody has chosen for themselves, and the calendars of their workspace. */
export interface OwnSettings {
  readonly member: Pick<Member, 'timezone' | 'reminders' | 'holidays'>;
  readonly zone: ZoneOption | undefined;
  readonly calendars: readonly {readonly id: string; readonly name: string}[];
}

/** One's own settings: reminders, quiet hours, time zone and holidays. */
export function presentOwnSettings({own, ask}: Words, {member, zone, calendars}: OwnSettings): ModalView {
  const {reminders, holidays} = member;
  const reminded = option('on', own.reminded);
  const choices = [
    option('none', own.noCalendar),
    ...calendars.map(({id, name}) => option(id, cleanName(name))),
  ];
  const chosen = choices.find(({value}) => value === (holidays.calendar ?? 'none')) ?? choices[0];
  const times = (['team', ...promptTimes] as const).map((at) => option(at, ask.times[at]));
  const asked = times.find(({value}) => value === (reminders.prompt_at ?? 'team'));
  const text = (value: string | null): InputBlockElement => ({
    type: 'plain_text_input',
    action_id: fieldValue,
    max_length: 20,
    ...(value !== null && {initial_value: value}),
  });
  const time = (value: string | null): InputBlockElement => ({
    type: 'timepicker',
    action_id: fieldValue,
    ...(value !== null && {initial_time: value}),
  });
  return {
    type: 'modal',
    callback_id: views.own,
    private_metadata: JSON.stringify({own: member.timezone ?? undefined}),
    title: plain(own.title),
    submit: plain(own.save),
    close: plain(own.cancel),
    blocks: [
      input(
        ownFields.reminded,
        own.reminders,
        {
          type: 'checkboxes',
          action_id: fieldValue,
          options: [reminded],
          ...(reminders.enabled && {initial_options: [reminded]}),
        },
        own.remindersHint,
      ),
      input(
        ownFields.promptAt,
        ask.when,
        {
          type: 'static_select',
          action_id: fieldValue,
          options: times,
          ...(asked !== undefined && {initial_option: asked}),
        },
        ask.whenHint,
      ),
      input(ownFields.quietFrom, own.quietFrom, time(reminders.quiet_from), own.quietHint),
      input(ownFields.quietUntil, own.quietUntil, time(reminders.quiet_until)),
      input(
        teamFields.zone,
        own.zone,
        {
          type: 'external_select',
          action_id: fieldValue,
          min_query_length: 0,
          ...(zone !== undefined && {initial_option: zone}),
        },
        own.zoneHint,
      ),
      input(ownFields.country, own.country, text(holidays.country), own.countryHint),
      input(ownFields.region, own.region, text(holidays.region), own.regionHint),
      ...(calendars.length === 0 && holidays.calendar === null
        ? []
        : [
            input(ownFields.calendar, own.calendar, {
              type: 'static_select',
              action_id: fieldValue,
              options: choices.slice(0, limits.holidayCalendars + 1),
              ...(chosen !== undefined && {initial_option: chosen}),
            }),
          ]),
      {type: 'context', elements: [{type: 'mrkdwn', text: own.teams}]},
    ],
  };
}

/** One sentence in the place of the form; `again`: with the button that opens it. */
export function presentOwnNote(words: Words, sentence: string): ModalView {
  return {
    type: 'modal',
    title: plain(words.own.title),
    close: plain(words.own.close),
    blocks: [section(sentence)],
  };
}

/** Told privately when the form could not be opened in time. */
export function presentOwnRetry({own}: Words): KnownBlock[] {
  return [
    section(own.retry),
    {type: 'actions', elements: [{type: 'button', action_id: actions.openOwn, text: plain(own.title)}]},
  ];
}

function option(value: string, text: string): PlainTextOption {
  return {text: plain(cutText(text, slackLimits.option)), value};
}

/** A field that always has a value cannot be left empty. */
function input(field: string, label: string, element: InputBlockElement, hint?: string): InputBlock {
  return {
    type: 'input',
    block_id: field,
    optional: element.type !== 'static_select',
    label: plain(label),
    element,
    ...(hint !== undefined && {hint: plain(hint)}),
  };
}

function section(sentence: string): KnownBlock {
  return {type: 'section', text: plain(cutText(sentence, slackLimits.section))};
}

function plain(text: string) {
  return {type: 'plain_text', text} as const;
}
