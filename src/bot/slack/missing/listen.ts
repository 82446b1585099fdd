import type {RespondArguments} from '@slack/bolt';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {drawnPart, type Id} from '../../../domain/core/ids.js';
import {packDates} from '../form/form-dates.js';
import {openForm} from '../form/open-form.js';
import {listenToButton, type Press} from '../door/listeners.js';
import type {Kit, Visit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {soon} from '../door/visitors.js';
import {remindMissing} from './remind.js';
import {showMissing} from './show-missing.js';

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

  /** The form needs its trigger, and other answers come another way: Slack waits for neither. */
  function listen(
    name: string,
    act: (visit: Visit, value: Press['value']) => Promise<RespondArguments | undefined>,
  ): void {
    listenToButton(
      kit,
      name,
      async ({visit, value}, answer) => {
        await answer();
        await answer(await act(visit, value));
      },
      'place',
    );
  }
}

/**
 * The id of a team by its random half, which is all that a day's message has; while the store is late the
 * channel determines the team.
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

function textOf(value: Press['value'], name: string): string | undefined {
  const given = value[name];
  return typeof given === 'string' ? given : undefined;
}
