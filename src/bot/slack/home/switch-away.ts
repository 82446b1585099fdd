import {parseWire} from '../../../domain/core/resource.js';
import {describeAbsenceDays} from '../away/away-answers.js';
import {endAbsences, findRequester} from '../away/away.js';
import type {SlackRequest, SlackContext} from '../core/context.js';

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

/** Ends the person's absences. Returns a sentence that says so. */
export async function endAbsence(context: SlackContext, request: SlackRequest): Promise<string> {
  return endAbsences(context, request, await findRequester(context, request));
}
