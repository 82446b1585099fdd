import type {RespondArguments} from '@slack/bolt';
import {limits} from '../../../domain/core/limits.js';
import {type Standup, postedIn} from '../../../domain/standups/standup.js';
import {codePoints} from '../../../domain/core/text.js';
import {explainForTeam} from '../form/form-dates.js';
import type {FormRequest} from '../form/form-request.js';
import type {Kit, Visit} from '../door/kit.js';
import {explain} from '../door/refusals.js';
import {isChannel, presentSetupAnswer, setupHere} from '../setup/offer.js';
import {slackKey} from '../door/visitors.js';
import {presentJoined, withWelcome} from './joined.js';
import {nowhere} from '../blocks/reach.js';
import {presentRefused, presentUncertain, presentSaved, presentTeamChoice} from './answers.js';

export type PostParts = Pick<Kit, 'visitors' | 'services' | 'refreshHome' | 'log' | 'drawReference'>;

/** An update as it arrived. */
export interface Typed {
  /** As the person typed it. */
  readonly update: string;
  /** Identifies the original command, so that it creates one standup however often it is sent. */
  readonly key: string;
  /** Id of the team, if chosen. */
  readonly team?: string | undefined;
  /** The date, if it was clear when the team was asked for; else the team's current one. */
  readonly date?: string | undefined;
}

/** The outcome: an answer, or the form that asks. */
export type Posted =
  | {
      readonly outcome: 'posted' | 'asks' | 'refused' | 'unserved';
      readonly answer: RespondArguments;
      /** The posted standup. */
      readonly standup?: Standup;
    }
  | {readonly outcome: 'form'; readonly request: FormRequest};

/**
 * Saves an update before answering; the answer shows the posted text and the team, or the reason for a
 * refusal and the text.
 */
export async function postUpdate(
  {visitors, services, refreshHome, log, drawReference}: PostParts,
  {origin, user, channel, reader}: Visit,
  {update, key, team: chosen, date}: Typed,
): Promise<Posted> {
  const {command} = reader.words;
  const length = codePoints(update.trim());
  if (length > limits.update) {
    const sentence = command.tooLong(length, limits.update);
    return {outcome: 'refused', answer: presentRefused(reader, sentence, update)};
  }
  const deadline = visitors.answerBy();
  try {
    const place = await visitors.findPlace(origin, deadline);
    const call = await visitors.admit(place, user, deadline);
    const idempotency = slackKey(call, 'command', key, update);
    const input = {team: chosen, channel, date, update, source: 'slack'} as const;
    const saving = services.standups.postFromChannel({...call, idempotency}, input);
    const posted = await saving.catch((error: unknown) => {
      throw explainForTeam(error, reader, place.directory);
    });
    if (posted.outcome === 'unclear') {
      const {teams} = posted;
      if (teams.length === 0)
        return {outcome: 'refused', answer: presentSetupAnswer(reader, channel, update)};
      const dates = await services.standups.findDates(call, teams, call.principal.id);
      const more = isChannel(channel) ? [setupHere(reader, update)] : [];
      const answer = presentTeamChoice(reader, teams, {text: update, key, dates}, more);
      const request = {mode: 'new', begins: {with: 'text', text: update}} as const;
      if (answer === undefined) return {outcome: 'form', request};
      return {outcome: 'asks', answer};
    }
    const {body} = posted.answer;
    refreshHome(origin, user);
    // A repeat is answered with the result of the first one, which may be for another team.
    const [standup] = postedIn(body);
    const team = place.directory.byReference(standup.team_id) ?? nowhere(reader.words.typed.goneTeam);
    const joined = place.directory.byReference(posted.joined ?? '');
    const welcome = joined && presentJoined(reader, joined);
    const answer = withWelcome(presentSaved(reader, standup, team), welcome);
    return {outcome: 'posted', standup, answer};
  } catch (error) {
    const reference = drawReference();
    const {sentence, uncertain, unserved} = explain(error, log, reference, reader.words);
    if (uncertain) return {outcome: 'unserved', answer: presentUncertain(reader, {reference, update})};
    return {
      outcome: unserved ? 'unserved' : 'refused',
      answer: presentRefused(reader, sentence, update),
    };
  }
}
