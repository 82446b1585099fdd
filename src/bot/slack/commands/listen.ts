import type {RespondArguments} from '@slack/bolt';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {isId} from '../../../domain/core/ids.js';
import {privately, privatelyMarked} from '../blocks/blocks.js';
import {listenToButton, listenToCommand} from '../door/listeners.js';
import {openForm} from '../form/open-form.js';
import {leaveTeam} from '../home/leave-team.js';
import type {Answer, Kit, Visit} from '../door/kit.js';
import {actions, standupCommand} from '../blocks/names.js';
import {escapeText} from '../blocks/text.js';
import {presentAsked} from './answers.js';
import {parseCommand, saysLittle} from '../../typed/parse-command.js';
import {postUpdate} from './post.js';
import {readTyped} from './read-typed.js';
import {subcommands} from './subcommands.js';
import {presentDoubt, presentSuggestion} from './suggestion.js';
import {undoStandup} from './undo.js';
import {commandWords} from '../../typed/vocabulary.js';

/** `/standup`, with an update, a subcommand, or nothing; and the buttons of its answers. */
export function listenToCommands(kit: Kit): void {
  listenToCommand(kit, standupCommand, async ({visit, command, onUnserved}, answer) => {
    const typed = await readTyped(kit, visit, command);
    const parsed = parseCommand(typed.trim());
    switch (parsed.kind) {
      case 'form':
        await answer();
        return openForm(kit, visit);
      case 'run':
        return subcommands[parsed.word](kit, visit, answer, parsed.rest);
      case 'unclear':
        return answer(presentSuggestion(visit.reader, parsed, visit.triggerId));
      case 'update':
        if (parsed.text === undefined && saysLittle(typed))
          return answer(presentDoubt(visit.reader, typed.trim(), visit.triggerId));
        return postTyped(visit, parsed.text ?? typed, answer, onUnserved);
    }
  });

  async function postTyped(
    visit: Visit,
    update: string,
    answer: Answer<RespondArguments>,
    onUnserved: () => void,
  ): Promise<void> {
    const posted = await postUpdate(kit, visit, {update, key: visit.triggerId});
    if (posted.outcome === 'unserved') onUnserved();
    if (posted.outcome !== 'form') return answer(posted.answer);
    await answer(presentAsked(visit.reader, update));
    await openForm(kit, visit, posted.request);
  }

  listenToButton(kit, actions.undo, async ({visit, value: {standup, revision, beside}}, answer) => {
    if (typeof standup !== 'string' || !isId('standup', standup) || !Number.isInteger(revision)) return;
    const message = await undoStandup(kit, visit, {id: standup, revision: Number(revision)});
    // The message may have the buttons of other teams too.
    await answer(beside === true ? {...message, replace_original: false} : message);
  });

  listenToButton(kit, actions.postText, async ({visit, value: {text, key, team, date: day}}, answer) => {
    if (typeof text !== 'string' || typeof key !== 'string') return;
    const chosen = typeof team === 'string' ? team : undefined;
    const date = typeof day === 'string' && isCalendarDate(day) ? day : undefined;
    const posted = await postUpdate(kit, visit, {update: text, key, team: chosen, date});
    await answer();
    if (posted.outcome === 'form') return openForm(kit, visit, {...posted.request, replaces: true});
    // A text that cannot be posted leaves the message with its button for another press.
    const replaces = posted.outcome === 'posted' || posted.outcome === 'asks';
    await answer({...posted.answer, replace_original: replaces});
  });

  listenToButton(kit, actions.keepStandup, async ({visit}, answer) => {
    await answer({...privately(visit.reader.words.typed.kept), replace_original: true});
  });

  // Shown beside the answer, which contains the posted text.
  listenToButton(kit, actions.leaveTeam, async ({visit, value: {team}}, answer) => {
    if (typeof team === 'string') await answer(privately(await leaveTeam(kit, visit, team)));
  });

  listenToButton(kit, actions.runCommand, async ({visit, value: {word: named, rest, key}}, answer) => {
    const word = commandWords.find((known) => known === named);
    if (word === undefined) return;
    const asked: Visit = {...visit, ...(typeof key === 'string' && {commandKey: key})};
    const replace: Answer<RespondArguments> = (message) =>
      answer(message && {...message, replace_original: true});
    await subcommands[word](kit, asked, replace, typeof rest === 'string' ? rest : '');
  });

  // Without an answer the person sees an error after 3 s.
  listenToCommand(kit, new RegExp(`^(?!${standupCommand}$)`), ({visit, command}, answer) => {
    const {unknown} = visit.reader.words.command;
    return answer(privatelyMarked(escapeText(unknown(command.command, standupCommand))));
  });
}
