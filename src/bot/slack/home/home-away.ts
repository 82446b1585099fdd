import type {ActionsBlock, Datepicker, RichTextBlock} from '@slack/types';
import type {Absence} from '../../../domain/absences/absence.js';
import {describeAbsenceDays} from '../away/away-answers.js';
import {isolateName} from '../../texts/bidi.js';
import {actions} from '../blocks/names.js';
import {button, paragraph, plainTextObject, actionsRow, textElement} from '../blocks/shapes.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {parseWire} from '../../../domain/core/resource.js';
import {endAbsences, findRequester} from '../away/away.js';
import type {SlackRequest, SlackContext} from '../core/context.js';

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
