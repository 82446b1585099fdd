import {type Caller, everyScope} from '../../../domain/core/access.js';
import {plainRefusal} from '../../../domain/core/errors.js';
import {type Id, storedId} from '../../../domain/core/ids.js';
import type {Team} from '../../../domain/teams/team.js';
import type {Kit, Visit} from '../door/kit.js';
import {NoTeam, type Place} from '../door/visitors.js';
import {dateIn} from './form-dates.js';
import {type FormRequest, forTeamOf} from './form-request.js';

/** The person who asks for a form, and their context. */
export interface Asker {
  readonly visit: Visit;
  readonly place: Place;
  readonly member: Id<'member'> | undefined;
  /** Undefined for a person who is no member yet: they have posted nothing. */
  readonly access: Caller | undefined;
  readonly deadline: number;
  /** The channel's team. */
  readonly here: Team | undefined;
}

type Parts = Pick<Kit, 'visitors'>;

/**
 * Errors: those of `refuseOutsider`, for a person who may not post: they get it before they write anything.
 */
export async function findAsker({visitors}: Parts, visit: Visit, deadline: number): Promise<Asker> {
  const place = await visitors.findPlace(visit.origin, deadline);
  const member = await visitors.findMember(place, visit.user, deadline);
  if (member === undefined) await visitors.refuseOutsider(place, visit.user, deadline);
  const principal = {type: 'member', id: member ?? storedId<'member'>(''), name: visit.user.name} as const;
  const access = {workspace: place.workspace, principal, scopes: everyScope, deadline};
  return {
    visit,
    place,
    member,
    access: member === undefined ? undefined : access,
    deadline,
    here: place.directory.byChannel(visit.channel),
  };
}

/** The teams that the person posts for; none for a new person. */
export async function listOwnTeams(
  {visitors}: Parts,
  {place, member, deadline}: Asker,
): Promise<readonly Team[]> {
  return member === undefined ? [] : visitors.listPostable(place, member, deadline);
}

/**
 * The requested team, the channel's, or the person's own; of those only the ones with a requested date count,
 * if there are any. A text is added in a channel's team only if the person is in it. Errors:
 * `team_not_found`; `NoTeam`.
 */
export async function teamsInQuestion(
  parts: Parts,
  asker: Asker,
  request: FormRequest,
): Promise<readonly Team[]> {
  const {place, here, visit} = asker;
  const {words} = visit.reader;
  const {team: named, dates} = forTeamOf(request);
  if (named !== undefined) {
    const team = place.directory.byReference(named);
    if (team === undefined) throw plainRefusal('team_not_found', words.form.teamGone);
    return [team];
  }
  if (here !== undefined && request.mode !== 'add') return [here];
  const mine = await listOwnTeams(parts, asker);
  if (here !== undefined && mine.some(({id}) => id === here.id)) return [here];
  if (mine.length === 0) throw new NoTeam(words);
  const dated = mine.filter(({id}) => dateIn(dates, id) !== undefined);
  return dated.length > 0 ? dated : mine;
}
