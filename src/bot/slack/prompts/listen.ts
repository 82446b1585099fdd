import type {RespondArguments} from '@slack/bolt';
import type {Call} from '../../../domain/core/access.js';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {snoozeMinutes} from '../../../domain/prompts/prompt.js';
import {privately, privatelyMarked} from '../blocks/blocks.js';
import {listenToButton} from '../door/listeners.js';
import {parseRequest} from '../form/form-request.js';
import {openForm} from '../form/open-form.js';
import type {Kit, Visit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {slackKey} from '../door/visitors.js';

/** The actions of a reminder. The message itself shows the outcome; only a refusal is answered separately. */
export function listenToPrompts(kit: Kit): void {
  const {prompts, absences} = kit.services;

  listenToButton(kit, actions.promptPost, async ({visit, value}, answer) => {
    await answer();
    // For the day that the reminder is about, whenever it is pressed.
    await openForm(kit, visit, parseRequest(value));
  });

  listenToButton(kit, actions.promptSkip, async ({visit, value}, answer) => {
    const date = dateOf(value['date']);
    if (date === undefined) return;
    const call = await admit(visit);
    const open = await prompts.listOpen(call, date);
    for (const {team, date: day} of open) {
      const idempotency = slackKey(call, 'prompt', `${visit.triggerId}/skip/${team.id}/${day}`, '');
      await absences.skip({...call, idempotency}, {date: day, team: team.id});
    }
    if (open.length === 0) await answer(privately(visit.reader.words.prompts.nothingLeft));
    else kit.refreshHome(visit.origin, visit.user);
  });

  listenToButton(kit, actions.promptSnooze, async ({visit, text}, answer) =>
    answer(await snooze(visit, text)),
  );

  /** Returns why it was not snoozed; undefined when it was. */
  async function snooze(visit: Visit, choice: string): Promise<RespondArguments | undefined> {
    const [day, wanted] = choice.split('/');
    const date = dateOf(day);
    const minutes = snoozeMinutes.find((some) => String(some) === wanted);
    if (date === undefined || minutes === undefined) return undefined;
    const call = await admit(visit);
    const idempotency = slackKey(call, 'prompt', visit.triggerId, choice);
    const snoozed = await prompts.snooze({...call, idempotency}, {date, minutes});
    const words = visit.reader.words.prompts;
    if (snoozed.kind === 'snoozed') kit.refreshHome(visit.origin, visit.user);
    if (snoozed.kind === 'over') return privately(words.nothingLeft);
    if (snoozed.kind === 'snoozed') return undefined;
    return privatelyMarked(words.tooLate(visit.reader.instant(snoozed.closesAt)));
  }

  async function admit({origin, user}: Visit): Promise<Call> {
    const deadline = kit.visitors.answerBy();
    return kit.visitors.admit(await kit.visitors.findPlace(origin, deadline), user, deadline);
  }
}

function dateOf(given: unknown): string | undefined {
  return typeof given === 'string' && isCalendarDate(given) ? given : undefined;
}
