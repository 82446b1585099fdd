import type {RespondArguments} from '@slack/bolt';
import type {Log} from '../../domain/log.js';
import type {Team} from '../../domain/team.js';
import type {Services} from '../../service/services.js';
import {plainText, privately} from '../blocks.js';
import type {Kit, Visit} from '../kit.js';
import {explain} from '../refusals.js';
import {presentSetupAnswer} from '../setup/offer.js';
import {decodeText, escapeText} from '../text.js';
import {answerMs, NoTeam, slackKey, type Visitors} from '../visitors.js';

export interface CommandParts {
  readonly visitors: Visitors;
  readonly services: Pick<Services, 'standups'>;
  readonly refreshHome: Kit['refreshHome'];
  readonly log: Log;
  readonly drawReference: () => string;
  /** Called when a request could not be served for a reason of ours, so that the same one may come again. */
  readonly onUnserved: () => void;
}

/** Saves an update before answering, and answers with what was posted and for which team, or with the reason and the text. */
export async function postCommand(
  parts: CommandParts,
  {origin, user, channel, triggerId, reader}: Visit,
  text: string,
): Promise<RespondArguments> {
  const {visitors, services, log, drawReference, onUnserved} = parts;
  const update = decodeText(text);
  const deadline = performance.now() + answerMs;
  try {
    const place = await visitors.findPlace(origin, deadline);
    const call = await visitors.admit(place, user, deadline);
    const team = await visitors.chooseTeam(place, call, channel, reader.words);
    const idempotency = slackKey(call, 'command', triggerId, update);
    await services.standups.postStandup({...call, idempotency}, {team: team.slug, update, source: 'slack'});
    parts.refreshHome(origin, user);
    return presentPosted(team, update);
  } catch (error) {
    if (error instanceof NoTeam) return presentSetupAnswer(reader, channel, update);
    const {code, sentence} = explain(error, log, drawReference(), reader.words);
    if (code === 'service_unavailable' || code === 'internal_error') onUnserved();
    return presentRefused(sentence, update);
  }
}

function presentPosted(team: Team, update: string): RespondArguments {
  return {
    ...privately(escapeText(`Posted for ${team.name}: ${update}`)),
    blocks: [plainText(`Posted for ${team.name}:`), plainText(update, {quote: true})],
  };
}

function presentRefused(sentence: string, update: string): RespondArguments {
  return {
    ...privately(escapeText(`Not posted. ${sentence} Your text: ${update}`)),
    blocks: [plainText(`Not posted. ${sentence} Your text:`), plainText(update, {quote: true})],
  };
}
