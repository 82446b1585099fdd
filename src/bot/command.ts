import type {RespondArguments, SlashCommand} from '@slack/bolt';
import type {Log} from '../domain/log.js';
import type {Team} from '../domain/team.js';
import type {Services} from '../service/services.js';
import {help, isReservedWord} from './help.js';
import {plainText} from './messages.js';
import {explain} from './refusals.js';
import {decodeText, escapeText} from './text.js';
import {slackKey, type Visitors} from './visitors.js';

/** Slack gives 3 s for an answer; the rest is left for the way. */
export const answerMs = 1_800;

export interface CommandParts {
  readonly visitors: Visitors;
  readonly services: Pick<Services, 'standups'>;
  readonly log: Log;
  readonly drawReference: () => string;
  /** Called when a request could not be served for a reason of ours, so that the same one may come again. */
  readonly onUnserved: (request: SlashCommand) => void;
}

/** Words of `/standup` that are answered at once; undefined for an update to post, and for none, which opens the form. */
export function answerWords(text: string): RespondArguments | undefined {
  const words = decodeText(text).trim();
  if (words.toLowerCase() === 'help') return privately(help);
  if (isReservedWord(words)) {
    return privately(
      `\`/standup ${words.toLowerCase()}\` is not available yet, and nothing was posted. \`/standup help\` shows what is.`,
    );
  }
  return undefined;
}

/** Saves an update before answering, and answers with what was posted and for which team, or with the reason and the text. */
export async function postCommand(parts: CommandParts, command: SlashCommand): Promise<RespondArguments> {
  const {visitors, services, log, drawReference, onUnserved} = parts;
  const update = decodeText(command.text);
  const deadline = performance.now() + answerMs;
  try {
    const place = await visitors.findPlace(deadline);
    const user = {id: command.user_id, name: command.user_name};
    const call = await visitors.admit(place, user, deadline);
    const team = await visitors.chooseTeam(place, call, command.channel_id);
    const idempotency = slackKey(call, 'command', command.trigger_id, update);
    await services.standups.postStandup({...call, idempotency}, {team: team.slug, update, source: 'slack'});
    return presentPosted(team, update);
  } catch (error) {
    const {code, sentence} = explain(error, log, drawReference());
    if (code === 'service_unavailable' || code === 'internal_error') onUnserved(command);
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

/** An answer that only the person who asked can see. */
export function privately(text: string): RespondArguments {
  return {response_type: 'ephemeral', text};
}
