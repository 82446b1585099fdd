import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import type {Caller} from '../../../domain/core/access.js';
import {listMemberAuthors} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {presentSetupAnswer} from '../setup/offer.js';
import {presentToday, type TeamToday} from './today-view.js';
import {findViewer} from '../core/requester.js';

/** The maximum number of teams in one answer. */
const shownTeams = 5;
/** The number of standups read for each team: some are shown, the others are only counted. */
const readStandups = 100;

/** Shows today's standups in the channel's team or the person's own teams. Errors: those of `identify`. */
export async function presentTodayAnswer(
  context: SlackContext,
  request: SlackRequest,
): Promise<RespondArguments> {
  const {slackWorkspace, member, deadline, access} = await findViewer(context, request);
  const here = slackWorkspace.directory.byChannel(request.channel);
  const mine =
    here !== undefined
      ? [here]
      : member === undefined
        ? []
        : await context.identities.listTeams(slackWorkspace, member, deadline);
  if (mine.length === 0) return presentSetupAnswer(request.translation, request.channel);
  const days = await Promise.all(
    mine.slice(0, shownTeams).map((team) => readTeamToday(context, access, team)),
  );
  return presentToday(request.translation, days, mine.length - days.length);
}

async function readTeamToday({services}: SlackContext, access: Caller, team: Team): Promise<TeamToday> {
  const date = await services.standups.findDate(access, team, access.principal.id);
  const query = {team: team.id, dateFrom: date, dateTo: date, limit: readStandups};
  const [{rows, next}, size] = await Promise.all([
    services.standups.listStandups(access, query),
    services.teamMembers.countExpected(access, team.id),
  ]);
  const standups = rows.map(parseWire);
  const people = await services.teamMembers.countExpected(access, team.id, listMemberAuthors(standups));
  const own = standups.find(({author}) => author.id === access.principal.id);
  return {team, date, size, people, standups, more: next !== undefined, own};
}
