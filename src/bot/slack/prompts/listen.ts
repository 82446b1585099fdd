import type {RespondArguments} from '@slack/bolt';
import type {Call} from '../../../domain/core/access.js';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {snoozeMinutes} from '../../../domain/prompts/prompt.js';
import {privateAnswer, createPrivateMarkupAnswer} from '../blocks/blocks.js';
import {listenToButton} from '../core/listeners.js';
import {parseRequest} from '../answers/form-request.js';
import {openForm} from '../form/open-form.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {actions} from '../blocks/names.js';
import {slackKey} from '../core/slack-identities.js';

/** Listens to the buttons of a reminder, which itself shows the outcome; only refusals are messages. */
export function listenToPrompts(context: SlackContext): void {
  const {prompts, absences} = context.services;

  listenToButton(context, actions.promptPost, async ({request, value}, answer) => {
    await answer();
    // The form is for the date of the reminder, even if the button is pressed later.
    await openForm(context, request, parseRequest(value));
  });

  listenToButton(context, actions.promptSkip, async ({request, value}, answer) => {
    const date = readPromptDate(value['date']);
    if (date === undefined) return;
    const call = await admitMember(request);
    const open = await prompts.listOpen(call, date);
    for (const {team, date: day} of open) {
      const idempotency = slackKey(call, 'prompt', `${request.triggerId}/skip/${team.id}/${day}`, '');
      await absences.skip({...call, idempotency}, {date: day, team: team.id});
    }
    if (open.length === 0) await answer(privateAnswer(request.translation.texts.prompts.nothingLeft));
    else context.refreshHome(request.origin, request.user);
  });

  listenToButton(context, actions.promptSnooze, async ({request, text}, answer) =>
    answer(await snoozePrompt(request, text)),
  );

  /** Snoozes a reminder. Returns why that was not possible; undefined if it was. */
  async function snoozePrompt(request: SlackRequest, choice: string): Promise<RespondArguments | undefined> {
    const [day, wanted] = choice.split('/');
    const date = readPromptDate(day);
    const minutes = snoozeMinutes.find((some) => String(some) === wanted);
    if (date === undefined || minutes === undefined) return undefined;
    const call = await admitMember(request);
    const idempotency = slackKey(call, 'prompt', request.triggerId, choice);
    const snoozed = await prompts.snooze({...call, idempotency}, {date, minutes});
    const texts = request.translation.texts.prompts;
    if (snoozed.kind === 'snoozed') context.refreshHome(request.origin, request.user);
    if (snoozed.kind === 'over') return privateAnswer(texts.nothingLeft);
    if (snoozed.kind === 'snoozed') return undefined;
    return createPrivateMarkupAnswer(texts.tooLate({closes: request.translation.instant(snoozed.closesAt)}));
  }

  async function admitMember({origin, user}: SlackRequest): Promise<Call> {
    const deadline = context.identities.answerBy();
    return context.identities.admit(
      await context.identities.findSlackWorkspace(origin, deadline),
      user,
      deadline,
    );
  }
}

function readPromptDate(given: unknown): string | undefined {
  return typeof given === 'string' && isCalendarDate(given) ? given : undefined;
}
