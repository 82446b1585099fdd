import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import {type Caller, everyScope} from '../../../domain/core/access.js';
import type {Standup} from '../../../domain/standups/standup.js';
import {privately} from '../blocks/blocks.js';
import {nowhere} from '../blocks/reach.js';
import type {Kit, Visit} from '../door/kit.js';
import {slackKey} from '../door/visitors.js';
import {presentDeletion, type SavedFor} from './answers.js';
import {undoStandup} from './undo.js';
import {storedId} from '../../../domain/core/ids.js';

/** For this time (ms) after a post, `undo` can only mean that post. */
const justNowMs = 5 * 60_000;
/** The maximum number of a person's teams whose standups of today are searched. */
const mostTeams = 25;

/**
 * `/standup undo` and `/standup delete`: the person's own latest standup of today. A very recent post is
 * undone at once; any other is shown, with a question. One posted for several teams at once is shown for all
 * of them. Errors: those of `identify`.
 */
export async function undoLatest(
  kit: Kit,
  visit: Visit,
  {asks}: {readonly asks: boolean},
): Promise<RespondArguments> {
  const {visitors, now} = kit;
  const {reader, origin, user} = visit;
  const deadline = visitors.answerBy();
  const place = await visitors.findPlace(origin, deadline);
  const member = await visitors.findMember(place, user, deadline);
  if (member === undefined) await visitors.identify(place, user, deadline);
  const principal = {type: 'member', id: member ?? storedId(''), name: user.name} as const;
  const access = {workspace: place.workspace, principal, scopes: everyScope, deadline};
  const teams = member === undefined ? [] : await visitors.listTeams(place, member, deadline);
  const dates = await kit.services.standups.findDates(access, teams.slice(0, mostTeams), member);
  const found = await listOwn(kit, access, dates);
  const [latest] = found;
  if (latest === undefined) return privately(reader.words.typed.nothingToDelete);
  const together = found.filter(
    ({created_at: at, update}) => at === latest.created_at && update === latest.update,
  );
  const isJustNow = now() - Date.parse(latest.created_at) < justNowMs && !latest.edited;
  if (!asks && isJustNow && together.length === 1) {
    return undoStandup(kit, visit, latest, 'themselves', (call) => ({
      ...call,
      // Slack may send the command again: that must not undo the standup before this one.
      idempotency: slackKey(call, 'command', visit.commandKey ?? visit.triggerId, 'undo'),
    }));
  }
  const shown: SavedFor[] = together.map((standup) => ({
    standup,
    team: place.directory.byReference(standup.team_id) ?? nowhere(reader.words.typed.goneTeam),
  }));
  return presentDeletion(reader, shown);
}

/** The latest ones of today in each of these teams, newest first. */
async function listOwn(
  {services}: Kit,
  access: Caller,
  dates: ReadonlyMap<string, string>,
): Promise<Standup[]> {
  const author = access.principal.id;
  const pages = await Promise.all(
    [...dates].map(([team, date]) =>
      services.standups.listStandups(access, {author, team, dateFrom: date, dateTo: date, limit: 1}),
    ),
  );
  return pages
    .flatMap(({rows}) => rows.map(parseWire))
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
}
