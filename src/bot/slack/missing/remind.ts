import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import {AppError} from '../../../domain/core/errors.js';
import {isolateName} from '../../texts/bidi.js';
import {privateAnswer} from '../blocks/blocks.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {slackKey} from '../core/slack-identities.js';
import {presentReminderOutcome} from './missing-view.js';

/** Reminds the missing members, once for each press. Returns who was reminded, and who was not and why. */
export async function remindMissing(
  {identities, services}: SlackContext,
  {origin, user, translation, triggerId}: SlackRequest,
  reference: string,
): Promise<RespondArguments> {
  const {leads, home} = translation.texts;
  const deadline = identities.answerBy();
  const slackWorkspace = await identities.findSlackWorkspace(origin, deadline);
  const team = slackWorkspace.directory.byReference(reference);
  if (team === undefined) return privateAnswer(home.teamGone);
  const call = await identities.admit(slackWorkspace, user, deadline);
  if (!(await services.teamDays.mayHearOf(call, call.principal.id, team)))
    return privateAnswer(home.teamGone);
  const name = isolateName(team.name);
  let reminded: ReadonlySet<string>;
  try {
    const idempotency = slackKey(call, 'remind', triggerId, team.id);
    const {body} = await services.runs.remind({...call, idempotency}, team.id);
    reminded = new Set(parseWire(body).members);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const {code, context} = error;
    if (code === 'forbidden') return privateAnswer(leads.notYours({team: name}));
    if (code === 'no_open_run') return privateAnswer(leads.nothingOpen({team: name}));
    if (code === 'rate_limited' && context.reminded === true)
      return privateAnswer(leads.tooSoon({team: name, minutes: Math.ceil((context.retryAfter ?? 60) / 60)}));
    throw error;
  }
  return presentReminderOutcome(
    translation,
    await services.findMissing(call, team.id, call.principal.id),
    reminded,
  );
}
