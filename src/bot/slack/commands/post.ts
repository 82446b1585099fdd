import type {RespondArguments} from '@slack/bolt';
import {limits} from '../../../domain/core/limits.js';
import {type Standup, standupsOfPostResult} from '../../../domain/standups/standup.js';
import {countCodePoints} from '../../../domain/core/text.js';
import {nameTeamInRefusal, explainError} from '../core/refusals.js';
import type {FormRequest} from '../answers/form-request.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {isChannelId, presentSetupAnswer, createSetupHereButton} from '../setup/offer.js';
import {slackKey} from '../core/slack-identities.js';
import {presentJoinNotice, appendWelcome} from '../answers/join-notice.js';
import {buildTeamWithoutChannel} from '../blocks/reach.js';
import {
  presentRefusedUpdate,
  presentUncertainPost,
  presentSavedStandup,
  presentTeamChoice,
} from '../answers/standup-answers.js';

export type PostDeps = Pick<
  SlackContext,
  'identities' | 'services' | 'refreshHome' | 'log' | 'generateReference'
>;

/** An update as it came from Slack. */
export interface UpdateInput {
  /** The text as the person typed it. */
  readonly update: string;
  /** The key of the original command: only one standup is created, however often the command is sent. */
  readonly key: string;
  /** The id of the team, if the person has chosen one. */
  readonly team?: string | undefined;
  /** The date of the standup, if known when we asked for the team. Left out: the team's current date. */
  readonly date?: string | undefined;
}

/** The outcome of a post: an answer, or a form that asks for the team. */
export type PostOutcome =
  | {
      readonly outcome: 'posted' | 'asks' | 'refused' | 'unserved';
      readonly answer: RespondArguments;
      /** The posted standup. */
      readonly standup?: Standup;
    }
  | {readonly outcome: 'form'; readonly request: FormRequest};

/**
 * Saves an update, then answers with the posted text and its team, or with the text and the reason for a
 * refusal.
 */
export async function postUpdate(
  {identities, services, refreshHome, log, generateReference}: PostDeps,
  {origin, user, channel, translation}: SlackRequest,
  {update, key, team: chosen, date}: UpdateInput,
): Promise<PostOutcome> {
  const {command} = translation.texts;
  const length = countCodePoints(update.trim());
  if (length > limits.update) {
    const sentence = command.tooLong({length, max: limits.update});
    return {outcome: 'refused', answer: presentRefusedUpdate(translation, sentence, update)};
  }
  const deadline = identities.answerBy();
  try {
    const slackWorkspace = await identities.findSlackWorkspace(origin, deadline);
    const call = await identities.admit(slackWorkspace, user, deadline);
    const idempotency = slackKey(call, 'command', key, update);
    const input = {team: chosen, channel, date, update, source: 'slack'} as const;
    const saving = services.standups.postFromChannel({...call, idempotency}, input);
    const posted = await saving.catch((error: unknown) => {
      throw nameTeamInRefusal(error, translation, slackWorkspace.directory);
    });
    if (posted.outcome === 'unclear') {
      const {teams} = posted;
      if (teams.length === 0)
        return {outcome: 'refused', answer: presentSetupAnswer(translation, channel, update)};
      const dates = await services.standups.findDates(call, teams, call.principal.id);
      const more = isChannelId(channel) ? [createSetupHereButton(translation, update)] : [];
      const answer = presentTeamChoice(translation, teams, {text: update, key, dates}, more);
      const request = {mode: 'new', begins: {with: 'text', text: update}} as const;
      if (answer === undefined) return {outcome: 'form', request};
      return {outcome: 'asks', answer};
    }
    const {body} = posted.answer;
    refreshHome(origin, user);
    // A repeated command is answered with the result of the first one, which may be for another team.
    const [standup] = standupsOfPostResult(body);
    const team =
      slackWorkspace.directory.byReference(standup.team_id) ??
      buildTeamWithoutChannel(translation.texts.typed.goneTeam);
    const joined = slackWorkspace.directory.byReference(posted.joined ?? '');
    const welcome = joined && presentJoinNotice(translation, joined);
    const answer = appendWelcome(presentSavedStandup(translation, standup, team), welcome);
    return {outcome: 'posted', standup, answer};
  } catch (error) {
    const reference = generateReference();
    const {sentence, uncertain, unserved} = explainError(error, log, reference, translation.texts);
    if (uncertain)
      return {outcome: 'unserved', answer: presentUncertainPost(translation, {reference, update})};
    return {
      outcome: unserved ? 'unserved' : 'refused',
      answer: presentRefusedUpdate(translation, sentence, update),
    };
  }
}
