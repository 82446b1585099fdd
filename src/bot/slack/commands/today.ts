import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import {type Caller, everyScope} from '../../../domain/core/access.js';
import {listMembers} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import type {Kit, Visit} from '../door/kit.js';
import {presentSetupAnswer} from '../setup/offer.js';
import {presentToday, type TeamToday} from './today-view.js';
import {storedId} from '../../../domain/core/ids.js';

/** The maximum number of teams in one answer. */
const shownTeams = 5;
/** The number of standups read for each team: those that are shown, and those that only count. */
const readStandups = 100;

/**
 * Shows today in the team of the channel, or in the person's own teams. Errors: those of `identify`, for a
 * person who is no member.
 */
export async function showToday(kit: Kit, visit: Visit): Promise<RespondArguments> {
  const {visitors} = kit;
  const deadline = visitors.answerBy();
  const place = await visitors.findPlace(visit.origin, deadline);
  const member = await visitors.findMember(place, visit.user, deadline);
  if (member === undefined) await visitors.identify(place, visit.user, deadline);
  const here = place.directory.byChannel(visit.channel);
  const mine =
    here !== undefined
      ? [here]
      : member === undefined
        ? []
        : await visitors.listTeams(place, member, deadline);
  if (mine.length === 0) return presentSetupAnswer(visit.reader, visit.channel);
  const principal = {type: 'member', id: member ?? storedId(''), name: visit.user.name} as const;
  const access = {workspace: place.workspace, principal, scopes: everyScope, deadline};
  const days = await Promise.all(mine.slice(0, shownTeams).map((team) => readToday(kit, access, team)));
  return presentToday(visit.reader, days, mine.length - days.length);
}

async function readToday({services}: Kit, access: Caller, team: Team): Promise<TeamToday> {
  const date = await services.standups.findDate(access, team, access.principal.id);
  const query = {team: team.id, dateFrom: date, dateTo: date, limit: readStandups};
  const [{rows, next}, size] = await Promise.all([
    services.standups.listStandups(access, query),
    services.teamMembers.countExpected(access, team.id),
  ]);
  const standups = rows.map(parseWire);
  const people = await services.teamMembers.countExpected(access, team.id, listMembers(standups));
  const own = standups.find(({author}) => author.id === access.principal.id);
  return {team, date, size, people, standups, more: next !== undefined, own};
}
