import type {RespondArguments} from '@slack/bolt';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {isId} from '../../../domain/core/ids.js';
import {privateAnswer, createPrivateMarkupAnswer} from '../blocks/blocks.js';
import {listenToButton, listenToCommand} from '../core/listeners.js';
import {openForm} from '../form/open-form.js';
import type {RespondOnce, SlackContext, SlackRequest} from '../core/context.js';
import {actions, standupCommand} from '../blocks/names.js';
import {escapeText} from '../blocks/text.js';
import {presentUpdateInForm} from '../answers/standup-answers.js';
import {parseCommand, isUpdateTooShort} from '../../typed/parse-command.js';
import {postUpdate} from './post.js';
import {readCommandText} from '../core/find-names.js';
import {subcommands, askWhetherUpdate, presentSuggestion} from './subcommands.js';
import {undoStandup} from './undo.js';
import {commandNames} from '../../typed/vocabulary.js';

/** Listens to `/standup` with an update, a subcommand or nothing, and to the buttons of its answers. */
export function listenToCommands(context: SlackContext): void {
  listenToCommand(context, standupCommand, async ({request, command, onUnserved}, answer) => {
    const typed = await readCommandText(context, request, command);
    const parsed = parseCommand(typed.trim());
    switch (parsed.kind) {
      case 'form':
        await answer();
        return openForm(context, request);
      case 'run':
        return subcommands[parsed.name](context, request, answer, parsed.rest);
      case 'unclear':
        return answer(presentSuggestion(request.translation, parsed, request.triggerId));
      case 'update':
        if (parsed.text === undefined && isUpdateTooShort(typed))
          return answer(askWhetherUpdate(request.translation, typed.trim(), request.triggerId));
        return postTypedUpdate(request, parsed.text ?? typed, answer, onUnserved);
    }
  });

  async function postTypedUpdate(
    request: SlackRequest,
    update: string,
    answer: RespondOnce<RespondArguments>,
    onUnserved: () => void,
  ): Promise<void> {
    const outcome = await postUpdate(context, request, {update, key: request.triggerId});
    if (outcome.outcome === 'unserved') onUnserved();
    if (outcome.outcome !== 'form') return answer(outcome.answer);
    await answer(presentUpdateInForm(request.translation, update));
    await openForm(context, request, outcome.request);
  }

  listenToButton(context, actions.undo, async ({request, value: {standup, revision, beside}}, answer) => {
    if (typeof standup !== 'string' || !isId('standup', standup) || !Number.isInteger(revision)) return;
    const message = await undoStandup(context, request, {id: standup, revision: Number(revision)});
    // The message with the pressed button stays if it may also contain buttons for other teams.
    await answer(beside === true ? {...message, replace_original: false} : message);
  });

  listenToButton(
    context,
    actions.postText,
    async ({request, value: {text, key, team, date: day}}, answer) => {
      if (typeof text !== 'string' || typeof key !== 'string') return;
      const chosen = typeof team === 'string' ? team : undefined;
      const date = typeof day === 'string' && isCalendarDate(day) ? day : undefined;
      const outcome = await postUpdate(context, request, {update: text, key, team: chosen, date});
      await answer();
      if (outcome.outcome === 'form') return openForm(context, request, {...outcome.request, replaces: true});
      // If the text could not be posted, the message keeps its button, so that the person can try again.
      const replaces = outcome.outcome === 'posted' || outcome.outcome === 'asks';
      await answer({...outcome.answer, replace_original: replaces});
    },
  );

  listenToButton(context, actions.keepStandup, async ({request}, answer) => {
    await answer({...privateAnswer(request.translation.texts.typed.kept), replace_original: true});
  });

  listenToButton(context, actions.runCommand, async ({request, value: {word: named, rest, key}}, answer) => {
    const name = commandNames.find((known) => known === named);
    if (name === undefined) return;
    const asked: SlackRequest = {...request, ...(typeof key === 'string' && {commandKey: key})};
    const replace: RespondOnce<RespondArguments> = (message) =>
      answer(message && {...message, replace_original: true});
    await subcommands[name](context, asked, replace, typeof rest === 'string' ? rest : '');
  });

  // Slack shows an error after 3 s without an answer.
  listenToCommand(context, new RegExp(`^(?!${standupCommand}$)`), ({request, command}, answer) => {
    const {unknown} = request.translation.texts.command;
    return answer(
      createPrivateMarkupAnswer(escapeText(unknown({command: command.command, standup: standupCommand}))),
    );
  });
}
