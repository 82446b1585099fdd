import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import type {Absence} from '../../../domain/absences/absence.js';
import type {Call} from '../../../domain/core/access.js';
import {type Id, isId} from '../../../domain/core/ids.js';
import {AppError} from '../../../domain/core/errors.js';
import {limits} from '../../../domain/core/limits.js';
import type {Team} from '../../../domain/teams/team.js';
import {explainTextError} from '../blocks/text-errors.js';
import type {Member} from '../../../domain/workspaces/workspace.js';
import {privateAnswer} from '../blocks/blocks.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {explainError} from '../core/refusals.js';
import {slackKey} from '../core/slack-identities.js';
import {
  askWhichDays,
  presentEnteredAbsence,
  presentRefusedAbsence,
  describeAbsenceDays,
} from './away-answers.js';
import {parseDays} from '../../../domain/typed/parse-days.js';
import {admitRequester} from '../core/requester.js';
import {listenToButton} from '../core/listeners.js';
import {actions} from '../blocks/names.js';
import type {ActionsBlock, Datepicker, RichTextBlock} from '@slack/types';
import {isolateName} from '../../texts/bidi.js';
import {button, paragraph, plainTextObject, actionsRow, textElement} from '../blocks/shapes.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';

interface TeamDate {
  readonly date: string;
  readonly team: Id<'team'>;
}

interface MemberContext {
  readonly call: Call;
  readonly member: Member;
  readonly teams: readonly Team[];
  /** Today's date in the person's time zone. */
  readonly today: string;
}

/** Handles `/standup ooo [days] [why]`: answers with the days as understood, and an undo button. */
export function enterAbsence(
  context: SlackContext,
  request: SlackRequest,
  typed: string,
): Promise<RespondArguments> {
  const {translation} = request;
  return answerOrExplain(context, request, async () => {
    const {call, today} = await findRequester(context, request);
    const days = parseDays(typed, today);
    if ('error' in days) return askWhichDays(translation, days, {typed, key: createRequestKey(request)});
    const error =
      days.reason === null ? undefined : explainTextError(translation.texts, days.reason, limits.reason);
    if (error !== undefined)
      return presentRefusedAbsence(translation, translation.texts.away.reason({error}), typed);
    const idempotency = slackKey(call, 'command', createRequestKey(request), `ooo ${typed}`);
    const {body} = await context.services.absences.enterAbsence({...call, idempotency}, days);
    context.refreshHome(request.origin, request.user);
    return presentEnteredAbsence(translation, [parseWire(body)], today);
  });
}

/** Handles `/standup skip [why]` in all teams of the person, one by one if their dates differ. */
export function skipToday(
  context: SlackContext,
  request: SlackRequest,
  why: string,
): Promise<RespondArguments> {
  const {translation} = request;
  const {absences} = context.services;
  return answerOrExplain(context, request, async () => {
    const self = await findRequester(context, request);
    const {call, today} = self;
    const reason = why.trim() === '' ? undefined : why.trim();
    const error =
      reason === undefined ? undefined : explainTextError(translation.texts, reason, limits.reason);
    if (error !== undefined)
      return presentRefusedAbsence(translation, translation.texts.away.reason({error}), why);
    const days = await listStandupDates(context, self);
    const [first = today] = days.map(({date}) => date);
    const same = days.every(({date}) => date === first);
    const skipped: Absence[] = [];
    for (const day of same ? [{date: first}] : days) {
      const idempotency = slackKey(
        call,
        'command',
        `${createRequestKey(request)}/${'team' in day ? day.team : ''}`,
        `skip ${why}`,
      );
      const {body} = await absences.skip({...call, idempotency}, {...day, reason});
      skipped.push(parseWire(body));
    }
    context.refreshHome(request.origin, request.user);
    return presentEnteredAbsence(translation, skipped, today);
  });
}

/** Handles `/standup back`: ends all absences of today, and undoes a skip of a run that is still open. */
export function returnFromAbsence(context: SlackContext, request: SlackRequest): Promise<RespondArguments> {
  return answerOrExplain(context, request, async () => {
    const self = await findRequester(context, request);
    const idempotency = slackKey(self.call, 'command', createRequestKey(request), 'back');
    const outcome = await endAbsences(context, request, {...self, call: {...self.call, idempotency}});
    context.refreshHome(request.origin, request.user);
    return privateAnswer(outcome);
  });
}

async function endAbsences(
  context: SlackContext,
  {translation}: SlackRequest,
  self: MemberContext,
): Promise<string> {
  const {away} = translation.texts;
  const {call, today} = self;
  const now = {today, runs: await listStandupDates(context, self)};
  const {ended, skipped, closed} = await context.services.absences.comeBack(call, now);
  if (closed) return away.backNext;
  if (ended === 0) return away.notAway;
  return skipped.length < ended
    ? away.back
    : away.backIn({days: skipped.map((date) => translation.day(date)).join(', ')});
}

/** Returns the date for which each team takes a standup now. An open run may be of yesterday. */
async function listStandupDates(
  {services}: SlackContext,
  {call, member, teams}: MemberContext,
): Promise<TeamDate[]> {
  const dates = await services.standups.findDates(call, teams, member.id);
  return [...dates].map(([team, date]) => ({team, date}));
}

/** Undoes absences that were just entered. An absence that no longer exists counts as undone. */
async function undoAbsences(
  context: SlackContext,
  request: SlackRequest,
  ids: readonly string[],
): Promise<RespondArguments> {
  let replaces = true;
  const answer = await answerOrExplain(
    context,
    request,
    async () => {
      const {call} = await findRequester(context, request);
      for (const id of ids) {
        try {
          await context.services.absences.deleteAbsence(call, id);
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
        }
      }
      context.refreshHome(request.origin, request.user);
      return privateAnswer(request.translation.texts.away.undone);
    },
    () => (replaces = false),
  );
  return {...answer, replace_original: replaces};
}

function createRequestKey({commandKey, triggerId}: SlackRequest): string {
  return commandKey ?? triggerId;
}

/** Finds the member who made the request. A new person becomes a member. */
export async function findRequester(context: SlackContext, request: SlackRequest): Promise<MemberContext> {
  const {identities, services, calendar, now} = context;
  const {slackWorkspace, call} = await admitRequester(context, request);
  const [member, teams] = await Promise.all([
    services.members.findMember(call, call.principal.id),
    identities.listTeams(slackWorkspace, call.principal.id, call.deadline),
  ]);
  const zone = member.timezone ?? teams[0]?.timezone ?? 'UTC';
  return {call, member, teams, today: calendar.dayIn(zone, now())};
}

async function answerOrExplain(
  context: SlackContext,
  {translation}: SlackRequest,
  act: () => Promise<RespondArguments>,
  onFailure: () => void = () => undefined,
): Promise<RespondArguments> {
  try {
    return await act();
  } catch (error) {
    onFailure();
    const {sentence, uncertain} = explainError(context, error, translation.texts);
    return privateAnswer(uncertain ? sentence : translation.texts.away.notSaved({reason: sentence}));
  }
}

/** Handles the buttons in the answers to `/standup ooo` and `/standup skip`. */
export function listenToAway(context: SlackContext): void {
  listenToButton(context, actions.undoAbsence, async ({request, value: {absences}}, answer) => {
    const ids = Array.isArray(absences) ? absences.map(String).filter((id) => isId('absence', id)) : [];
    if (ids.length > 0) await answer(await undoAbsences(context, request, ids));
  });
}

/** Presents the section to go away or come back: the member's current and future absences, and buttons. */
export function presentAway(
  translation: SlackTranslation,
  {away, today}: {readonly away: Absence | undefined; readonly today: string},
): (RichTextBlock | ActionsBlock)[] {
  const {home} = translation.texts;
  const isAway = away !== undefined && away.from <= today;
  const switches = isAway
    ? [button(actions.homeBack, home.imBack)]
    : [button(actions.homeAway, home.awayToday)];
  const until: Datepicker = {
    type: 'datepicker',
    action_id: actions.homeAwayUntil,
    placeholder: plainTextObject(home.awayUntil),
    ...(isAway && away.until !== null && {initial_date: away.until}),
  };
  const ways: ActionsBlock = {
    ...actionsRow(...switches, until),
    // The id contains the absence, since Slack keeps the chosen day in a picker of the same id.
    block_id: `away-${away?.id ?? today}-${away?.revision ?? 0}`,
  };
  if (away === undefined) return [ways];
  const {created_by: maker, member} = away;
  const by =
    maker.id === member.id
      ? ''
      : home.enteredBy({name: maker.name === null ? null : isolateName(maker.name)});
  const summary = `${home.away({days: describeAbsenceDays(translation, away, today)})}${by}${away.reason === null ? '' : '\n'}`;
  return [
    paragraph([textElement(summary), ...(away.reason === null ? [] : [textElement(away.reason)])]),
    ways,
  ];
}

/** Records that a person is away until a day, or today; a current absence ends then. Returns a sentence. */
export async function startAbsence(
  context: SlackContext,
  request: SlackRequest,
  until: string | undefined,
): Promise<string> {
  const {absences} = context.services;
  const {translation} = request;
  const {call, today} = await findRequester(context, request);
  const last = until ?? today;
  if (last < today) return translation.texts.home.awayOver;
  const there = await absences.listAbsencesOf(call, call.principal.id, {from: today, until: today});
  const [now, ...others] = there.filter(({kind, team_id}) => kind === 'away' && team_id === null);
  const {body} =
    now === undefined
      ? await absences.enterAbsence(call, {from: today, until: last})
      : await absences.changeAbsence(call, now.id, {until: last});
  // Other absences are shortened too, since they would continue after this one ends.
  for (const {id, until: end} of others) {
    if (end === null || end > last) await absences.changeAbsence(call, id, {until: last});
  }
  return translation.texts.away.entered({days: describeAbsenceDays(translation, parseWire(body), today)});
}

export async function endAbsence(context: SlackContext, request: SlackRequest): Promise<string> {
  return endAbsences(context, request, await findRequester(context, request));
}
