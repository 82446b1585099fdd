import type {RespondArguments} from '@slack/bolt';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {isId} from '../../../domain/core/ids.js';
import {privately, privatelyMarked} from '../blocks/blocks.js';
import {listenToButton, type Press} from '../door/buttons.js';
import {openForm} from '../form/open-form.js';
import {leaveTeam} from '../home/leave-team.js';
import {type Answer, type Kit, originOf, type Visit} from '../door/kit.js';
import {actions, standupCommand} from '../blocks/names.js';
import {escapeText} from '../blocks/text.js';
import {presentAsked} from './answers.js';
import {parseCommand} from '../../typed/parse-command.js';
import {postUpdate} from './post.js';
import {readTyped} from './read-typed.js';
import {subcommands} from './subcommands.js';
import {presentSuggestion} from './suggestion.js';
import {undoStandup} from './undo.js';
import {commandWords} from '../../typed/vocabulary.js';

/**
 * `/standup`, with an update, a word that stands for something else, or nothing; and the buttons of its
 * answers.
 */
export function listenToCommands(kit: Kit): void {
  const {bolt, visitors} = kit;

  bolt.command(standupCommand, async ({command, ack, context}) => {
    const origin = originOf(command);
    const user = {id: command.user_id, name: command.user_name};
    const visit: Visit = {
      origin,
      user,
      channel: command.channel_id,
      domain: command.team_domain,
      triggerId: command.trigger_id,
      reader: visitors.readerOf(origin, user),
      responseUrl: command.response_url,
      respond: (message) => kit.respondTo(command.response_url, message),
    };
    await kit.answering(
      ack,
      privately,
      async (answer) => {
        const typed = await readTyped(kit, visit, command);
        const parsed = parseCommand(typed.trim());
        switch (parsed.kind) {
          case 'form':
            await answer();
            return openForm(kit, visit);
          case 'run':
            return subcommands[parsed.word](kit, visit, answer, parsed.rest);
          case 'unclear':
            return answer(presentSuggestion(visit.reader, parsed, command.trigger_id));
          case 'update':
            return postTyped(visit, parsed.text ?? typed, answer, () => kit.forget(context));
        }
      },
      visit.reader.words,
    );
  });

  async function postTyped(
    visit: Visit,
    update: string,
    answer: Answer<RespondArguments>,
    forget: () => void,
  ): Promise<void> {
    const posted = await postUpdate(kit, visit, {update, key: visit.triggerId});
    if (posted.outcome === 'unserved') forget();
    if (posted.outcome !== 'form') return answer(posted.answer);
    await answer(presentAsked(visit.reader, update));
    await openForm(kit, visit, posted.wish);
  }

  listenToButton(kit, actions.undo, async ({visit, value: {standup, revision, beside}}, answer) => {
    if (typeof standup !== 'string' || !isId('standup', standup) || !Number.isInteger(revision))
      return answer();
    const message = await undoStandup(kit, visit, {id: standup, revision: Number(revision)});
    await answer();
    // The message may have the buttons of other teams too.
    await visit.respond(beside === true ? {...message, replace_original: false} : message);
  });

  listenToButton(kit, actions.postText, async ({visit, value: {text, key, team, date: day}}, answer) => {
    if (typeof text !== 'string' || typeof key !== 'string') return answer();
    const chosen = typeof team === 'string' ? team : undefined;
    const date = typeof day === 'string' && isCalendarDate(day) ? day : undefined;
    const posted = await postUpdate(kit, visit, {update: text, key, team: chosen, date});
    await answer();
    if (posted.outcome === 'form') return openForm(kit, visit, {...posted.wish, replaces: true});
    // What cannot be posted leaves the message with its button, to press it again.
    const replaces = posted.outcome === 'posted' || posted.outcome === 'asks';
    await visit.respond({...posted.answer, replace_original: replaces});
  });

  listenToButton(kit, actions.keepStandup, async ({visit}, answer) => {
    await answer();
    await visit.respond({...privately(visit.reader.words.typed.kept), replace_original: true});
  });

  // Beside the answer, which has what was posted.
  listenToButton(kit, actions.leaveTeam, async ({visit, value: {team}}, answer) => {
    const told = typeof team === 'string' ? await leaveTeam(kit, visit, team) : undefined;
    await answer();
    if (told !== undefined) await visit.respond({...privately(told), replace_original: false});
  });

  listenToButton(kit, actions.runCommand, runAgain);

  async function runAgain({visit, value}: Press, answer: () => Promise<void>): Promise<void> {
    const word = commandWords.find((known) => known === value['word']);
    if (word === undefined) return answer();
    const {rest, key} = value;
    const asked: Visit = {...visit, ...(typeof key === 'string' && {commandKey: key})};
    const respond: Answer<RespondArguments> = async (message) => {
      await answer();
      if (message !== undefined) await visit.respond({...message, replace_original: true});
    };
    await subcommands[word](kit, asked, respond, typeof rest === 'string' ? rest : '');
  }

  // Without an answer the person sees an error after 3 s.
  bolt.command(new RegExp(`^(?!${standupCommand}$)`), async ({command, ack}) => {
    const {words} = visitors.readerOf(originOf(command), {id: command.user_id, name: command.user_name});
    await ack(privatelyMarked(escapeText(words.command.unknown(command.command, standupCommand))));
  });
}
