import {type Caller, everyScope} from '../../../domain/core/access.js';
import {refusalForPeople} from '../../../domain/core/errors.js';
import {type Id, storedId} from '../../../domain/core/ids.js';
import type {Team} from '../../../domain/teams/team.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {NoTeam, type SlackWorkspace} from '../core/slack-identities.js';
import {findTeamDate} from '../answers/form-dates.js';
import {type FormRequest, readTeamAndDates} from '../answers/form-request.js';

/** The person who asked for a form, with their request and teams. */
export interface Asker {
  readonly slackRequest: SlackRequest;
  readonly slackWorkspace: SlackWorkspace;
  readonly member: Id<'member'> | undefined;
  /** The person's rights; undefined for a person who is not a member yet and so has posted nothing. */
  readonly access: Caller | undefined;
  readonly deadline: number;
  readonly here: Team | undefined;
}

/** Finds the person who asked for a form, and refuses a person who may not post before they write. */
export async function findAsker(
  {identities}: SlackContext,
  slackRequest: SlackRequest,
  deadline: number,
): Promise<Asker> {
  const slackWorkspace = await identities.findSlackWorkspace(slackRequest.origin, deadline);
  const member = await identities.findMember(slackWorkspace, slackRequest.user, deadline);
  if (member === undefined) await identities.refuseOutsider(slackWorkspace, slackRequest.user, deadline);
  const principal = {
    type: 'member',
    id: member ?? storedId<'member'>(''),
    name: slackRequest.user.name,
  } as const;
  const access = {workspace: slackWorkspace.workspace, principal, scopes: everyScope, deadline};
  return {
    slackRequest,
    slackWorkspace,
    member,
    access: member === undefined ? undefined : access,
    deadline,
    here: slackWorkspace.directory.byChannel(slackRequest.channel),
  };
}

/** Returns the teams for which the person posts; none for a new person. */
export async function listPostableTeams(
  {identities}: SlackContext,
  {slackWorkspace, member, deadline}: Asker,
): Promise<readonly Team[]> {
  return member === undefined ? [] : identities.listTeams(slackWorkspace, member, deadline, 'expected');
}

/**
 * Returns the teams of a form: the requested team, the channel's, or all of the person, and of these only
 * teams with a date if the request has dates. Errors: `team_not_found`; `NoTeam`.
 */
export async function listRequestedTeams(
  context: SlackContext,
  asker: Asker,
  request: FormRequest,
): Promise<readonly Team[]> {
  const {slackWorkspace, here, slackRequest} = asker;
  const {texts} = slackRequest.translation;
  const {team: named, dates} = readTeamAndDates(request);
  if (named !== undefined) {
    const team = slackWorkspace.directory.byReference(named);
    if (team === undefined) throw refusalForPeople('team_not_found', texts.form.teamGone);
    return [team];
  }
  if (here !== undefined && request.mode !== 'add') return [here];
  const mine = await listPostableTeams(context, asker);
  if (here !== undefined && mine.some(({id}) => id === here.id)) return [here];
  if (mine.length === 0) throw new NoTeam(texts);
  const dated = mine.filter(({id}) => findTeamDate(dates, id) !== undefined);
  return dated.length > 0 ? dated : mine;
}
