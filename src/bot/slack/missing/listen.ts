import type {BlockAction, ButtonAction, OverflowAction, RespondArguments} from '@slack/bolt';
import type {KnownBlock} from '@slack/types';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {drawnPart, type Id} from '../../../domain/core/ids.js';
import {privately} from '../blocks/blocks.js';
import {parseValue} from '../blocks/button-value.js';
import {packDates} from '../form/form-dates.js';
import {presentNote} from '../form/form-view.js';
import {openForm} from '../form/open-form.js';
import {type Kit, originOf, type Visit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {respondByView} from '../door/respond-by-view.js';
import {soon} from '../door/visitors.js';
import {remindMissing} from './remind.js';
import {showMissing} from './show-missing.js';

const clientMs = 1_000;

/** The buttons and the menu that show who is missing, and the button that reminds them. */
export function listenToMissing(kit: Kit): void {
  listen(actions.showMissing, (visit, value) => showMissing(kit, visit, textOf(value, 'team')));
  listen(actions.remindMissing, (visit, value) => remindMissing(kit, visit, textOf(value, 'team') ?? ''));
  listen(actions.dayMenu, async (visit, value) => {
    const team = await findDrawn(kit, visit, textOf(value, 'team'));
    if (value['act'] === 'missing') return showMissing(kit, visit, team);
    const date = textOf(value, 'date') ?? '';
    const dates = team !== undefined && isCalendarDate(date) ? packDates([[team, date]]) : undefined;
    await openForm(kit, visit, {mode: 'auto', team, dates});
    return undefined;
  });

  function listen(
    name: string,
    act: (visit: Visit, value: Readonly<Record<string, unknown>>) => Promise<RespondArguments | undefined>,
  ): void {
    kit.bolt.action<BlockAction<ButtonAction | OverflowAction>>(
      {type: 'block_actions', action_id: new RegExp(`^${name}(?::|$)`)},
      async ({body, action, ack}) => {
        const visit = visitOf(kit, body);
        let acknowledged = false;
        const told = async (message?: RespondArguments) => {
          if (!acknowledged) await ack();
          acknowledged = true;
          if (message !== undefined) await visit.respond({...message, replace_original: false});
        };
        await kit.answering<RespondArguments>(
          told,
          privately,
          async (answer) => {
            // The form needs its trigger, and what is told comes by another way: Slack waits for neither.
            await told();
            const message = await act(visit, parseValue(valueOf(action)));
            await answer(message);
          },
          visit.reader.words,
        );
      },
    );
  }
}

/**
 * The visit of somebody who has pressed, in a message, in a modal, whose place the answer takes, or on the
 * Home tab.
 */
function visitOf(kit: Kit, body: BlockAction): Visit {
  const origin = originOf(body);
  const user = {id: body.user.id, name: body.user.name ?? body.user.username};
  const reader = kit.visitors.readerOf(origin, user);
  const url = body.response_url as string | undefined;
  const modal = body.view?.type === 'modal' ? body.view.id : undefined;
  const visit: Omit<Visit, 'respond'> = {
    origin,
    user,
    channel: body.channel?.id ?? '',
    triggerId: body.trigger_id,
    reader,
    responseUrl: url,
  };
  if (url !== undefined) return {...visit, respond: (message) => kit.respondTo(url, message)};
  const byView = respondByView(kit, {origin, user, triggerId: body.trigger_id});
  if (modal === undefined) return {...visit, byView: true, respond: byView};
  return {
    ...visit,
    respond: async (message) => {
      const blocks = 'blocks' in message ? (message.blocks as KnownBlock[]) : undefined;
      const view = {...presentNote(reader, message.text ?? ''), ...(blocks && {blocks})};
      try {
        const client = await kit.visitors.findClient(origin, performance.now() + clientMs);
        await client.views.update({view_id: modal, view});
      } catch {
        await byView(message);
      }
    },
  };
}

/**
 * The id of a team by its drawn half, which is all that a message of a day knows; where the store is late the
 * channel says which one it is.
 */
async function findDrawn(
  {visitors, patience}: Kit,
  {origin}: Visit,
  drawn: string | undefined,
): Promise<Id<'team'> | undefined> {
  const finding = visitors.findPlace(origin, performance.now() + patience.team).catch(() => undefined);
  const place = await soon(finding, patience.team);
  return place?.directory.teams.find(({id}) => drawnPart(id) === drawn)?.id;
}

function valueOf(action: ButtonAction | OverflowAction): string | undefined {
  return 'selected_option' in action ? action.selected_option.value : action.value;
}

function textOf(value: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const given = value[name];
  return typeof given === 'string' ? given : undefined;
}
