import type {ViewOutput, ViewResponseAction} from '@slack/bolt';
import {isTimezone} from '../../../domain/core/dates.js';
import {promptTimes} from '../../../domain/schedules/schedule.js';
import {isClockTime} from '../../../domain/core/zones.js';
import type {MemberChange} from '../../../domain/workspaces/workspace.js';
import type {RespondOnce, SlackContext} from '../core/context.js';
import type {Submission} from '../core/listeners.js';
import {fieldValue, ownFields, teamFields} from '../blocks/names.js';
import {explainError} from '../core/refusals.js';
import {presentFieldErrors} from '../blocks/inputs.js';
import type {Texts} from '../../texts/translation.js';
import {presentOwnSettingsNote} from './own-view.js';

/** Saves a person's own settings, then says so. Errors are shown under their fields. */
export async function submitOwnSettings(
  deps: SlackContext,
  {request, view, onUnserved}: Submission,
  answer: RespondOnce<ViewResponseAction>,
): Promise<void> {
  const {origin, user, translation} = request;
  const {texts} = translation;
  const read = readOwnSettings(view, texts);
  if ('errors' in read) return answer(presentFieldErrors(read.errors));
  const deadline = deps.identities.answerBy();
  try {
    const slackWorkspace = await deps.identities.findSlackWorkspace(origin, deadline);
    const call = await deps.identities.admit(slackWorkspace, user, deadline);
    await deps.services.members.changeMember(call, call.principal.id, read.change);
  } catch (error) {
    const {sentence, unserved} = explainError(deps, error, texts);
    if (unserved) onUnserved();
    return answer(presentFieldErrors({[ownFields.reminded]: texts.setup.notSaved({sentence})}));
  }
  deps.refreshHome(origin, user);
  await answer({response_action: 'update', view: presentOwnSettingsNote(texts, texts.own.saved)});
}

function readOwnSettings(
  {state: {values}}: ViewOutput,
  {own}: Texts,
): {readonly change: MemberChange} | {readonly errors: Record<string, string>} {
  const read = (field: string) => values[field]?.[fieldValue];
  const time = (field: string) => {
    const value = read(field)?.selected_time ?? null;
    return value !== null && isClockTime(value) ? value : null;
  };
  const [from, until] = [time(ownFields.quietFrom), time(ownFields.quietUntil)];
  if ((from === null) !== (until === null)) {
    return {errors: {[from === null ? ownFields.quietFrom : ownFields.quietUntil]: own.bothTimes}};
  }
  if (from !== null && from === until) return {errors: {[ownFields.quietUntil]: own.sameTimes}};
  const zone = read(teamFields.zone)?.selected_option?.value;
  const at = read(ownFields.promptAt)?.selected_option?.value;
  return {
    change: {
      ...(zone !== undefined && isTimezone(zone) && {timezone: zone}),
      reminders: {
        enabled: (read(ownFields.reminded)?.selected_options ?? []).length > 0,
        quiet_from: from,
        quiet_until: until,
        ...(at !== undefined && {prompt_at: promptTimes.find((one) => one === at) ?? null}),
      },
    },
  };
}
