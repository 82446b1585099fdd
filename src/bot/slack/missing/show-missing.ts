import type {RespondArguments} from '@slack/bolt';
import {everyScope} from '../../../domain/core/access.js';
import type {TeamMissing} from '../../../domain/runs/missing.js';
import {privately} from '../blocks/blocks.js';
import type {Kit, Visit} from '../door/kit.js';
import {mayRemind, presentMissing} from './missing-view.js';

type MissingKit = Pick<Kit, 'visitors' | 'services'>;

/** The maximum number of teams in one answer. */
const shownTeams = 5;

interface Found {
  readonly missing: readonly TeamMissing[];
  /** The number of teams left out. */
  readonly more: number;
}

/**
 * The missing members of a team, of that of the channel, or of the person's own. Errors: those of `identify`,
 * for a person who is no member: this is shown to people of the workspace only.
 */
export async function findTheMissing(kit: MissingKit, visit: Visit, team?: string): Promise<Found> {
  const {visitors, services} = kit;
  const deadline = visitors.answerBy();
  const place = await visitors.findPlace(visit.origin, deadline);
  const member = await visitors.findMember(place, visit.user, deadline);
  if (member === undefined) await visitors.identify(place, visit.user, deadline);
  const here = place.directory.byChannel(visit.channel)?.id;
  const named = team ?? here;
  const call = {workspace: place.workspace, deadline};
  const found = named === undefined || named === here ? undefined : place.directory.byReference(named);
  // A button remains in Slack when the person leaves the team.
  if (found !== undefined && !(await services.teamDays.mayHearOf(call, member, found)))
    return {missing: [], more: 0};
  const mine =
    named !== undefined || member === undefined
      ? []
      : (await visitors.listTeams(place, member, deadline)).map(({id}) => id);
  const wanted = named === undefined ? mine : [named];
  const asked = {workspace: place.workspace, scopes: everyScope, deadline};
  const missing = await Promise.all(
    wanted.slice(0, shownTeams).map((id) => services.findMissing(asked, id, member)),
  );
  return {missing, more: wanted.length - missing.length};
}

/** The answer to `/standup missing`, to the button of the Home tab and to the menu of the day's message. */
export async function showMissing(kit: MissingKit, visit: Visit, team?: string): Promise<RespondArguments> {
  const {missing, more} = await findTheMissing(kit, visit, team);
  const {leads, home} = visit.reader.words;
  if (missing.length === 0) return privately(team === undefined ? leads.noTeam : home.teamGone);
  return presentMissing(visit.reader, missing, {more});
}

/** The answer to `/standup remind`: the members that it would remind, with the button that does it. */
export async function askToRemind(kit: MissingKit, visit: Visit): Promise<RespondArguments> {
  const {leads} = visit.reader.words;
  const {missing, more} = await findTheMissing(kit, visit);
  const led = missing.filter(({manages}) => manages);
  if (led.length === 0) return privately(leads.leadNone);
  return presentMissing(visit.reader, led, {more, note: led.some(mayRemind) ? leads.remindAsk : undefined});
}
