import type {RespondArguments} from '@slack/bolt';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {suffixOf, type Id} from '../../../domain/core/ids.js';
import {packDates} from '../answers/form-dates.js';
import {openForm} from '../form/open-form.js';
import {listenToButton, type ButtonPress} from '../core/listeners.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {actions} from '../blocks/names.js';
import {resolveWithin} from '../core/resolve-within.js';
import {remindMissing, presentMissingMembers} from './show-missing.js';

/** Listens to the buttons and the menu that show who is missing, and to the button that reminds them. */
export function listenToMissing(context: SlackContext): void {
  listenToMissingButton(actions.showMissing, (request, value) =>
    presentMissingMembers(context, request, readButtonText(value, 'team')),
  );
  listenToMissingButton(actions.remindMissing, (request, value) =>
    remindMissing(context, request, readButtonText(value, 'team') ?? ''),
  );
  listenToMissingButton(actions.dayMenu, async (request, value) => {
    const team = await findTeamBySuffix(context, request, readButtonText(value, 'team'));
    if (value['act'] === 'missing') return presentMissingMembers(context, request, team);
    const date = readButtonText(value, 'date') ?? '';
    const dates = team !== undefined && isCalendarDate(date) ? packDates([[team, date]]) : undefined;
    await openForm(context, request, {mode: 'auto', team, dates});
    return undefined;
  });

  /** Listens to a button about missing people. Slack is acknowledged at once; a form or a message follows. */
  function listenToMissingButton(
    name: string,
    act: (request: SlackRequest, value: ButtonPress['value']) => Promise<RespondArguments | undefined>,
  ): void {
    listenToButton(
      context,
      name,
      async ({request, value}, answer) => {
        await answer();
        await answer(await act(request, value));
      },
      'modal',
    );
  }
}

/** Returns the id of the team with this suffix; undefined if the store answers too late. */
async function findTeamBySuffix(
  {identities, timeouts}: SlackContext,
  {origin}: SlackRequest,
  suffix: string | undefined,
): Promise<Id<'team'> | undefined> {
  const finding = identities
    .findSlackWorkspace(origin, performance.now() + timeouts.team)
    .catch(() => undefined);
  const slackWorkspace = await resolveWithin(finding, timeouts.team);
  return slackWorkspace?.directory.teams.find(({id}) => suffixOf(id) === suffix)?.id;
}

function readButtonText(value: ButtonPress['value'], name: string): string | undefined {
  const given = value[name];
  return typeof given === 'string' ? given : undefined;
}
