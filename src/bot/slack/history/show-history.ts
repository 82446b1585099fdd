import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import {everyScope} from '../../../domain/core/access.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {presentHistory} from './history-view.js';

/** The number of standups in one answer. */
const shown = 10;

/**
 * Handles `/standup history`: lists the person's standups in all of their teams, newest first, with links to
 * Slack. `past`: the position where the previous answer ended. Errors: those of `identify`, for a person who
 * is not a member.
 */
export async function showHistory(
  deps: SlackContext,
  request: SlackRequest,
  past?: number,
): Promise<RespondArguments> {
  const {identities, services} = deps;
  const {translation, origin, user} = request;
  const deadline = identities.answerBy();
  const slackWorkspace = await identities.findSlackWorkspace(origin, deadline);
  const member = await identities.findMember(slackWorkspace, user, deadline);
  if (member === undefined) {
    await identities.identify(slackWorkspace, user, deadline);
    return presentHistory(translation, {rows: [], next: undefined, isFirst: past === undefined});
  }
  const principal = {type: 'member', id: member, name: user.name} as const;
  const access = {workspace: slackWorkspace.workspace, principal, scopes: everyScope, deadline};
  const page = await services.standups.listShownStandups(access, {author: member, past, limit: shown});
  const rows = page.rows.map((row) => {
    const standup = parseWire(row);
    return {
      standup,
      team: slackWorkspace.directory.byReference(standup.team_id)?.name ?? translation.texts.typed.goneTeam,
    };
  });
  return presentHistory(translation, {rows, next: page.next, isFirst: past === undefined});
}
