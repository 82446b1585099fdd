import {admitRequester, findRequestingMember} from '../core/requester.js';
import {refusalForPeople} from '../../../domain/core/errors.js';
import {privateAnswer} from '../blocks/blocks.js';
import type {SlackContext, SlackRequest, RespondOnce} from '../core/context.js';
import {openView} from '../core/open-view.js';
import {createZoneSearch, type ZoneOption} from '../blocks/zones.js';
import type {ModalView} from '@slack/types';
import {promptTimes} from '../../../domain/schedules/schedule.js';
import {type Member, type MemberChange, slackStatusChoices} from '../../../domain/workspaces/workspace.js';
import {
  input,
  modal,
  singleSelect,
  timePicker,
  searchSelect,
  checkboxes,
  presentFieldErrors,
  button,
  context,
  option,
  actionsRow,
  section,
  sentenceModal,
} from '../blocks/shapes.js';
import {actions, ownFields, teamFields, views, fieldValue} from '../blocks/names.js';
import type {Texts} from '../../texts/translation.js';
import type {ViewOutput, ViewResponseAction} from '@slack/bolt';
import {isTimezone} from '../../../domain/core/dates.js';
import {isClockTime} from '../../../domain/core/zones.js';
import {type Submission, listenToAction, listenToView} from '../core/listeners.js';
import {explainError} from '../core/refusals.js';

/** Opens the form for a person's own settings. Never throws. */
export async function openOwnSettings(deps: SlackContext, request: SlackRequest): Promise<void> {
  const {texts} = request.translation;
  await openView<OwnSettings>(deps, request, {
    async load(deadline) {
      const {member} = await findRequestingMember(deps, request, deadline);
      if (member === undefined) throw refusalForPeople('forbidden', texts.own.unknown);
      return {
        member,
        zone: member.timezone === null ? undefined : createZoneSearch(deps.now).present(member.timezone),
      };
    },
    present: (settings) => presentOwnSettings(texts, settings),
    loading: texts.own.loading,
    presentNote: ({sentence}) => sentenceModal(texts.own, sentence),
    retry: {
      ...privateAnswer(texts.own.retry),
      blocks: [section(texts.own.retry), actionsRow(button(actions.openOwn, texts.own.title))],
    },
  });
}

interface OwnSettings {
  readonly member: Member;
  readonly zone: ZoneOption | undefined;
}

function presentOwnSettings({own, ask}: Texts, {member, zone}: OwnSettings): ModalView {
  const {enabled, prompt_at: at, quiet_from: from, quiet_until: until} = member.reminders;
  const reminded = option('on', own.reminded);
  const times = (['team', ...promptTimes] as const).map((time) => option(time, ask.times[time]));
  const asked = times.find(({value}) => value === (at ?? 'team'));
  const optional = true;
  const time = (value: string | null) => timePicker(value ?? undefined);
  const statuses = slackStatusChoices.map((choice) => option(choice, own.statusChoices[choice]));
  const status = statuses.find(({value}) => value === member.slack_status);
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
    input(ownFields.slackStatus, own.status, singleSelect(statuses, status), {hint: own.statusHint}),
    input(teamFields.zone, own.zone, searchSelect(zone), {optional, hint: own.zoneHint}),
    context(own.more),
  ]);
}

/** Saves a person's own settings, then says so. Errors are shown under their fields. */
async function submitOwnSettings(
  deps: SlackContext,
  {request, view, onUnserved}: Submission,
  answer: RespondOnce<ViewResponseAction>,
): Promise<void> {
  const {origin, user, translation} = request;
  const {texts} = translation;
  const read = readOwnSettings(view, texts);
  if ('errors' in read) return answer(presentFieldErrors(read.errors));
  try {
    const {call} = await admitRequester(deps, request);
    await deps.services.members.changeMember(call, call.principal.id, read.change);
  } catch (error) {
    const {sentence, unserved} = explainError(deps, error, texts);
    if (unserved) onUnserved();
    return answer(presentFieldErrors({[ownFields.reminded]: texts.setup.notSaved({sentence})}));
  }
  deps.refreshHome(origin, user);
  await answer({response_action: 'update', view: sentenceModal(texts.own, texts.own.saved)});
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
  const status = read(ownFields.slackStatus)?.selected_option?.value;
  const slackStatus = slackStatusChoices.find((one) => one === status);
  return {
    change: {
      ...(zone !== undefined && isTimezone(zone) && {timezone: zone}),
      ...(slackStatus !== undefined && {slack_status: slackStatus}),
      reminders: {
        enabled: (read(ownFields.reminded)?.selected_options ?? []).length > 0,
        quiet_from: from,
        quiet_until: until,
        ...(at !== undefined && {prompt_at: promptTimes.find((one) => one === at) ?? null}),
      },
    },
  };
}

export function listenToOwnSettings(deps: SlackContext): void {
  listenToAction(deps, actions.openOwn, ({request}) => openOwnSettings(deps, request));

  listenToView(
    deps,
    views.own,
    (submission, answer) => submitOwnSettings(deps, submission, answer),
    (sentence) => presentFieldErrors({[ownFields.reminded]: sentence}),
  );
}
