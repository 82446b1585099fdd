import type {BlockAction, RespondArguments, StaticSelectAction} from '@slack/bolt';
import type {Call} from '../../../domain/core/access.js';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {snoozeMinutes} from '../../../domain/prompts/prompt.js';
import {privately, privatelyMarked} from '../blocks/blocks.js';
import {listenToButton} from '../door/buttons.js';
import {parseWish} from '../form/form-wish.js';
import {openForm} from '../form/open-form.js';
import {type Kit, originOf, type Visit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {slackKey} from '../door/visitors.js';

/** What can be done with a reminder. The message itself says what has become of it; only a refusal is told apart from it. */
export function listenToPrompts(kit: Kit): void {
  const {prompts, absences} = kit.services;

  listenToButton(kit, actions.promptPost, async ({visit, value}, answer) => {
    await answer();
    // For the day that was asked about, whenever it is pressed.
    const {team, dates} = parseWish(value);
    await openForm(kit, visit, {mode: 'auto', team, dates});
  });

  listenToButton(kit, actions.promptSkip, async ({visit, value}, answer) => {
    const date = dateOf(value['date']);
    if (date === undefined) return answer();
    const call = await admit(visit);
    const open = await prompts.listOpen(call, date);
    for (const {team, date: day} of open) {
      const idempotency = slackKey(call, 'prompt', `${visit.triggerId}/skip/${team.id}/${day}`, '');
      await absences.skip({...call, idempotency}, {date: day, team: team.id});
    }
    await answer();
    if (open.length === 0) await refuse(visit, privately(visit.reader.words.prompts.nothingLeft));
    else kit.refreshHome(visit.origin, visit.user);
  });

  kit.bolt.action<BlockAction<StaticSelectAction>>(
    {type: 'block_actions', action_id: actions.promptSnooze},
    async ({body, action, ack}) => {
      const origin = originOf(body);
      const user = {id: body.user.id, name: body.user.name ?? body.user.username};
      const visit: Visit = {
        origin,
        user,
        channel: body.channel?.id ?? '',
        triggerId: body.trigger_id,
        reader: kit.visitors.readerOf(origin, user),
        respond: (message) => kit.respondTo(body.response_url, message),
      };
      const {words} = visit.reader;
      await kit.answering<RespondArguments>(
        async (refusal) => {
          await ack();
          if (refusal !== undefined) await refuse(visit, refusal);
        },
        privately,
        async (answer) => answer(await snooze(visit, action.selected_option?.value ?? '')),
        words,
      );
    },
  );

  /** Answers why it was not put off; undefined when it was. */
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

  async function refuse(visit: Visit, refusal: RespondArguments): Promise<void> {
    await visit.respond({...refusal, replace_original: false});
  }
}

function dateOf(given: unknown): string | undefined {
  return typeof given === 'string' && isCalendarDate(given) ? given : undefined;
}
