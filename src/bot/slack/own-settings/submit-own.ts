import type {ViewOutput, ViewResponseAction} from '@slack/bolt';
import {isTimezone} from '../../../domain/core/dates.js';
import {AppError} from '../../../domain/core/errors.js';
import {promptTimes} from '../../../domain/schedules/schedule.js';
import {isClockTime} from '../../../domain/core/zones.js';
import type {MemberChange} from '../../../service/members/member-records.js';
import type {Answer, Kit} from '../door/kit.js';
import type {Submission} from '../door/listeners.js';
import {fieldValue, ownFields, teamFields} from '../blocks/names.js';
import {explain} from '../door/refusals.js';
import {presentFaults} from '../setup/team-form.js';
import {decodeText} from '../blocks/text.js';
import type {Words} from '../../words/words.js';
import {presentOwnNote} from './own-view.js';

/** The field of the form that shows a refusal, by its pointer. */
const fieldOf: Readonly<Record<string, string>> = {
  '#/holidays/country': ownFields.country,
  '#/holidays/region': ownFields.region,
  '#/holidays/calendar': ownFields.calendar,
  '#/timezone': teamFields.zone,
};

/** Saves a person's own settings, then says so; errors are shown under their fields. */
export async function submitOwnSettings(
  kit: Kit,
  {visit, view, onUnserved}: Submission,
  answer: Answer<ViewResponseAction>,
): Promise<void> {
  const {origin, user, reader} = visit;
  const {words} = reader;
  const read = readOwnSettings(view, words);
  if ('faults' in read) return answer(presentFaults(read.faults));
  const deadline = kit.visitors.answerBy();
  try {
    const place = await kit.visitors.findPlace(origin, deadline);
    const call = await kit.visitors.admit(place, user, deadline);
    await kit.services.members.changeMember(call, call.principal.id, read.change);
  } catch (error) {
    const fault = error instanceof AppError ? error.context.faults?.[0] : undefined;
    const {sentence, unserved} = explain(error, kit.log, kit.drawReference(), words);
    if (unserved) onUnserved();
    const field = fieldOf[fault?.pointer ?? ''] ?? ownFields.reminded;
    return answer(presentFaults({[field]: words.setup.notSaved(sentence)}));
  }
  kit.refreshHome(origin, user);
  await answer({response_action: 'update', view: presentOwnNote(words, words.own.saved)});
}

function readOwnSettings(
  {state: {values}}: ViewOutput,
  {own}: Words,
): {readonly change: MemberChange} | {readonly faults: Record<string, string>} {
  const read = (field: string) => values[field]?.[fieldValue];
  const time = (field: string) => {
    const value = read(field)?.selected_time ?? null;
    return value !== null && isClockTime(value) ? value : null;
  };
  const code = (field: string) => {
    const typed = decodeText(read(field)?.value ?? '')
      .trim()
      .toUpperCase();
    return typed === '' ? null : typed;
  };
  const [from, until] = [time(ownFields.quietFrom), time(ownFields.quietUntil)];
  if ((from === null) !== (until === null)) {
    return {faults: {[from === null ? ownFields.quietFrom : ownFields.quietUntil]: own.bothTimes}};
  }
  if (from !== null && from === until) return {faults: {[ownFields.quietUntil]: own.sameTimes}};
  const zone = read(teamFields.zone)?.selected_option?.value;
  const at = read(ownFields.promptAt)?.selected_option?.value;
  const calendar = read(ownFields.calendar)?.selected_option?.value ?? 'none';
  return {
    change: {
      ...(zone !== undefined && isTimezone(zone) && {timezone: zone}),
      reminders: {
        enabled: (read(ownFields.reminded)?.selected_options ?? []).length > 0,
        quiet_from: from,
        quiet_until: until,
        ...(at !== undefined && {prompt_at: promptTimes.find((one) => one === at) ?? null}),
      },
      holidays: {
        country: code(ownFields.country),
        region: code(ownFields.region),
        calendar: calendar === 'none' ? null : calendar,
      },
    },
  };
}
