import type {KnownBlock, ModalView} from '@slack/types';
import {promptTimes} from '../../../domain/schedules/schedule.js';
import type {Member} from '../../../domain/workspaces/workspace.js';
import {input, modal, singleSelect, timePicker, searchSelect, checkboxes} from '../blocks/inputs.js';
import {actions, ownFields, teamFields, views} from '../blocks/names.js';
import {button, context, option, actionsRow, section} from '../blocks/shapes.js';
import type {ZoneOption} from '../blocks/zones.js';
import type {Texts} from '../../texts/translation.js';

/** A member's own settings. */
export interface OwnSettings {
  readonly member: Member;
  readonly zone: ZoneOption | undefined;
}

/** Presents a person's own settings: reminders, quiet hours and time zone. */
export function presentOwnSettings({own, ask}: Texts, {member, zone}: OwnSettings): ModalView {
  const {enabled, prompt_at: at, quiet_from: from, quiet_until: until} = member.reminders;
  const reminded = option('on', own.reminded);
  const times = (['team', ...promptTimes] as const).map((time) => option(time, ask.times[time]));
  const asked = times.find(({value}) => value === (at ?? 'team'));
  const optional = true;
  const time = (value: string | null) => timePicker(value ?? undefined);
  const {title, save: submit, cancel: close} = own;
  const metadata = JSON.stringify({own: member.timezone ?? undefined});
  return modal({name: views.own, metadata, title, submit, close}, [
    input(ownFields.reminded, own.reminders, checkboxes([reminded], enabled ? [reminded] : []), {
      optional,
      hint: own.remindersHint,
    }),
    // In Slack, a field with a first value cannot be left empty.
    input(ownFields.promptAt, ask.when, singleSelect(times, asked), {hint: ask.whenHint}),
    input(ownFields.quietFrom, own.quietFrom, time(from), {optional, hint: own.quietHint}),
    input(ownFields.quietUntil, own.quietUntil, time(until), {optional}),
    input(teamFields.zone, own.zone, searchSelect(zone), {optional, hint: own.zoneHint}),
    context(own.more),
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
