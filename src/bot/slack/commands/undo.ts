import type {RespondArguments} from '@slack/bolt';
import type {Call} from '../../../domain/core/access.js';
import {AppError} from '../../../domain/core/errors.js';
import {privateAnswer} from '../blocks/blocks.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {explainError} from '../core/refusals.js';
import {
  presentDeletedStandup,
  presentUndoneStandup,
  presentDeletionQuestion,
  type SavedFor,
} from '../answers/standup-answers.js';
import {admitRequester, findViewer} from '../core/requester.js';
import {listPostedStandups} from '../form/find-asker.js';
import {findTeamOrGone} from '../blocks/reach.js';
import {slackKey} from '../core/slack-identities.js';

/** Deletes a standup; the answer has its text, also for a repeated press. A failure keeps the button. */
export async function undoStandup(
  context: SlackContext,
  request: SlackRequest,
  {id, revision}: {readonly id: string; readonly revision: number},
  of: 'themselves' | 'anybody' = 'themselves',
  keyed: (call: Call) => Call = (call) => call,
): Promise<RespondArguments> {
  const {origin, user, translation} = request;
  const {standups} = context.services;
  const {command, shown} = translation.texts;
  try {
    const call = keyed((await admitRequester(context, request)).call);
    try {
      const standup = await standups.retractStandup(call, id, of);
      context.refreshHome(origin, user);
      const isOwn = standup.author.id === call.principal.id;
      const now = of === 'anybody' || standup.edited ? 'deleted' : 'undone';
      const undone = isOwn
        ? presentUndoneStandup(translation, standup, {now})
        : presentDeletedStandup(translation, standup);
      return {...undone, replace_original: true};
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      const gone = await standups.findDeleted(call, {id, revision});
      if (gone === undefined) return {...privateAnswer(command.gone), replace_original: false};
      return {...presentUndoneStandup(translation, gone, {now: false}), replace_original: true};
    }
  } catch (error) {
    const {sentence, uncertain} = explainError(context, error, translation.texts);
    const refuse = of === 'themselves' ? command.notUndone : shown.notDeleted;
    return {...privateAnswer(uncertain ? sentence : refuse({reason: sentence})), replace_original: false};
  }
}

/** The time (ms) after a post in which `undo` can only mean that post. */
const justNowMs = 5 * 60_000;
/** The maximum number of a person's teams in which today's standups are searched. */
const mostTeams = 25;

/**
 * Handles `/standup undo` and `/standup delete` for the latest standup of today, in all of its teams. Only a
 * very recent post is undone without a question. Errors: those of `identify`.
 */
export async function undoLatest(
  context: SlackContext,
  request: SlackRequest,
  {asks}: {readonly asks: boolean},
): Promise<RespondArguments> {
  const {translation} = request;
  const {slackWorkspace, member, deadline, access} = await findViewer(context, request);
  const teams =
    member === undefined ? [] : await context.identities.listTeams(slackWorkspace, member, deadline);
  const dates = await context.services.standups.findDates(access, teams.slice(0, mostTeams), member);
  const found = await listPostedStandups(context, access, dates);
  const [latest] = found;
  if (latest === undefined) return privateAnswer(translation.texts.typed.nothingToDelete);
  const together = found.filter(
    ({created_at: at, update}) => at === latest.created_at && update === latest.update,
  );
  const isJustNow = context.now() - Date.parse(latest.created_at) < justNowMs && !latest.edited;
  if (!asks && isJustNow && together.length === 1) {
    return undoStandup(context, request, latest, 'themselves', (call) => ({
      ...call,
      // Slack may send a command twice: the second one must not undo the standup before this one.
      idempotency: slackKey(call, 'command', request.commandKey ?? request.triggerId, 'undo'),
    }));
  }
  const {goneTeam} = translation.texts.typed;
  const shown: SavedFor[] = together.map((standup) => ({
    standup,
    team: findTeamOrGone(slackWorkspace.directory, standup.team_id, goneTeam),
  }));
  return presentDeletionQuestion(translation, shown);
}
