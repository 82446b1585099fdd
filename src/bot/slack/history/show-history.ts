import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import {everyScope} from '../../../domain/core/access.js';
import type {Kit, Visit} from '../door/kit.js';
import {presentHistory} from './history-view.js';

/** The number of standups in one answer. */
const shown = 10;

/**
 * `/standup history`: a person's own standups over all their teams, newest first, with their Slack messages.
 * `past`: the end of the previous answer. Errors: those of `identify`, for a person who is no member.
 */
export async function showHistory(kit: Kit, visit: Visit, past?: number): Promise<RespondArguments> {
  const {visitors, services} = kit;
  const {reader, origin, user} = visit;
  const deadline = visitors.answerBy();
  const place = await visitors.findPlace(origin, deadline);
  const member = await visitors.findMember(place, user, deadline);
  if (member === undefined) {
    await visitors.identify(place, user, deadline);
    return presentHistory(reader, {rows: [], next: undefined, isFirst: past === undefined});
  }
  const principal = {type: 'member', id: member, name: user.name} as const;
  const access = {workspace: place.workspace, principal, scopes: everyScope, deadline};
  const page = await services.standups.listShownStandups(access, {author: member, past, limit: shown});
  const rows = page.rows.map((row) => {
    const standup = parseWire(row);
    return {standup, team: place.directory.byReference(standup.team_id)?.name ?? reader.words.typed.goneTeam};
  });
  return presentHistory(reader, {rows, next: page.next, isFirst: past === undefined});
}
