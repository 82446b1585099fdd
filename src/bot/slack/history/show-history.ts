import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {presentHistory} from './history-view.js';
import {findViewer} from '../core/requester.js';
import {listenToButton} from '../core/listeners.js';
import {actions} from '../blocks/names.js';

/** The number of standups in one answer. */
const shown = 10;

/**
 * Handles `/standup history`: the person's standups in all teams, newest first. `past`: the position where
 * the previous answer ended. Errors: see `identify`.
 */
export async function showHistory(
  context: SlackContext,
  request: SlackRequest,
  past?: number,
): Promise<RespondArguments> {
  const {translation} = request;
  const isFirst = past === undefined;
  const {slackWorkspace, member, access} = await findViewer(context, request);
  if (member === undefined) return presentHistory(translation, {rows: [], next: undefined, isFirst});
  const page = await context.services.standups.listShownStandups(access, {
    author: member,
    past,
    limit: shown,
  });
  const rows = page.rows.map((row) => {
    const standup = parseWire(row);
    return {
      standup,
      team: slackWorkspace.directory.byReference(standup.team_id)?.name ?? translation.texts.typed.goneTeam,
    };
  });
  return presentHistory(translation, {rows, next: page.next, isFirst});
}

/** Listens to *Earlier* under a list of standups. The answer leaves the list, except in a modal. */
export function listenToHistory(context: SlackContext): void {
  listenToButton(
    context,
    actions.history,
    async ({request, value: {past}}, answer) => {
      const from = Number.isSafeInteger(past) ? Number(past) : undefined;
      await answer(await showHistory(context, request, from));
    },
    'modal',
  );
}
