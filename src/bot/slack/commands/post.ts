import type {RespondArguments} from '@slack/bolt';
import {limits} from '../../../domain/core/limits.js';
import {type Standup, standupsOfPostResult} from '../../../domain/standups/standup.js';
import {countCodePoints} from '../../../domain/core/text.js';
import {nameTeamInRefusal, explainError} from '../core/refusals.js';
import type {FormRequest} from '../answers/form-request.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {isChannelId, presentSetupAnswer, createSetupHereButton} from '../answers/setup-offer.js';
import {slackKey} from '../core/slack-identities.js';
import {presentJoinNotice, appendWelcome} from '../answers/join-notice.js';
import {findTeamOrGone} from '../blocks/reach.js';
import {
  presentRefusedUpdate,
  presentUncertainPost,
  presentSavedStandup,
  presentTeamChoice,
} from '../answers/standup-answers.js';
import {admitRequester} from '../core/requester.js';

export interface UpdateInput {
  readonly update: string;
  /** The key of the original command: only one standup is created, however often the command is sent. */
  readonly key: string;
  /** The id of the team, if the person has chosen one. */
  readonly team?: string | undefined;
  /** The date of the standup, if known when we asked for the team. Left out: the team's current date. */
  readonly date?: string | undefined;
}

export type PostOutcome =
  | {
      readonly outcome: 'posted' | 'asks' | 'refused' | 'unserved';
      readonly answer: RespondArguments;
      readonly standup?: Standup;
    }
  | {readonly outcome: 'form'; readonly request: FormRequest};

/** Saves an update, then answers with the posted text and its team, or with the reason for a refusal. */
export async function postUpdate(
  context: SlackContext,
  request: SlackRequest,
  {update, key, team: chosen, date}: UpdateInput,
): Promise<PostOutcome> {
  const {origin, user, channel, translation} = request;
  const {standups} = context.services;
  const {command} = translation.texts;
  const length = countCodePoints(update.trim());
  if (length > limits.update) {
    const sentence = command.tooLong({length, max: limits.update});
    return {outcome: 'refused', answer: presentRefusedUpdate(translation, sentence, update)};
  }
  try {
    const {slackWorkspace, call} = await admitRequester(context, request);
    const idempotency = slackKey(call, 'command', key, update);
    const input = {team: chosen, channel, date, update, source: 'slack'} as const;
    const saving = standups.postFromChannel({...call, idempotency}, input);
    const posted = await saving.catch((error: unknown) => {
      throw nameTeamInRefusal(error, translation, slackWorkspace.directory);
    });
    if (posted.outcome === 'unclear') {
      const {teams} = posted;
      if (teams.length === 0)
        return {outcome: 'refused', answer: presentSetupAnswer(translation, channel, update)};
      const dates = await standups.findDates(call, teams, call.principal.id);
      const more = isChannelId(channel) ? [createSetupHereButton(translation, update)] : [];
      const answer = presentTeamChoice(translation, teams, {text: update, key, dates}, more);
      return answer === undefined
        ? {outcome: 'form', request: {mode: 'new', begins: {with: 'text', text: update}}}
        : {outcome: 'asks', answer};
    }
    const {body} = posted.answer;
    context.refreshHome(origin, user);
    // A repeated command is answered with the result of the first one, which may be for another team.
    const [standup] = standupsOfPostResult(body);
    const {goneTeam} = translation.texts.typed;
    const team = findTeamOrGone(slackWorkspace.directory, standup.team_id, goneTeam);
    const joined = slackWorkspace.directory.byReference(posted.joined ?? '');
    const welcome = joined && presentJoinNotice(translation, joined);
    const answer = appendWelcome(presentSavedStandup(translation, standup, team), welcome);
    return {outcome: 'posted', standup, answer};
  } catch (error) {
    const {reference, sentence, uncertain, unserved} = explainError(context, error, translation.texts);
    if (uncertain)
      return {outcome: 'unserved', answer: presentUncertainPost(translation, {reference, update})};
    return {
      outcome: unserved ? 'unserved' : 'refused',
      answer: presentRefusedUpdate(translation, sentence, update),
    };
  }
}
