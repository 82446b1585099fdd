import {type Caller, everyScope} from '../../../domain/core/access.js';
import {refusalForPeople} from '../../../domain/core/errors.js';
import {type Id, storedId} from '../../../domain/core/ids.js';
import type {Team} from '../../../domain/teams/team.js';
import type {BotDeps, SlackRequest} from '../core/deps.js';
import {NoTeam, type SlackWorkspace} from '../core/slack-identities.js';
import {dateIn} from './form-dates.js';
import {type FormRequest, teamAndDatesOf} from './form-request.js';

/** The person who asks for a form, and their context. */
export interface Asker {
  readonly slackRequest: SlackRequest;
  readonly slackWorkspace: SlackWorkspace;
  readonly member: Id<'member'> | undefined;
  /** Undefined for a person who is no member yet: they have posted nothing. */
  readonly access: Caller | undefined;
  readonly deadline: number;
  /** The channel's team. */
  readonly here: Team | undefined;
}

type FindAskerDeps = Pick<BotDeps, 'identities'>;

/**
 * Errors: those of `refuseOutsider`, for a person who may not post: they get it before they write anything.
 */
export async function findAsker(
  {identities}: FindAskerDeps,
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

/** The teams that the person posts for; none for a new person. */
export async function listOwnTeams(
  {identities}: FindAskerDeps,
  {slackWorkspace, member, deadline}: Asker,
): Promise<readonly Team[]> {
  return member === undefined ? [] : identities.listPostable(slackWorkspace, member, deadline);
}

/**
 * The requested team, the channel's, or the person's own; of those only the ones with a requested date count,
 * if there are any. A text is added in a channel's team only if the person is in it. Errors:
 * `team_not_found`; `NoTeam`.
 */
export async function listRequestedTeams(
  parts: FindAskerDeps,
  asker: Asker,
  request: FormRequest,
): Promise<readonly Team[]> {
  const {slackWorkspace, here, slackRequest} = asker;
  const {texts} = slackRequest.translation;
  const {team: named, dates} = teamAndDatesOf(request);
  if (named !== undefined) {
    const team = slackWorkspace.directory.byReference(named);
    if (team === undefined) throw refusalForPeople('team_not_found', texts.form.teamGone);
    return [team];
  }
  if (here !== undefined && request.mode !== 'add') return [here];
  const mine = await listOwnTeams(parts, asker);
  if (here !== undefined && mine.some(({id}) => id === here.id)) return [here];
  if (mine.length === 0) throw new NoTeam(texts);
  const dated = mine.filter(({id}) => dateIn(dates, id) !== undefined);
  return dated.length > 0 ? dated : mine;
}
