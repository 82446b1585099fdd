import type {Team} from '../../../domain/teams/team.js';
import {everyScope} from '../../../domain/core/access.js';
import {type Id, storedId} from '../../../domain/core/ids.js';
import type {SlackContext, SlackRequest} from './context.js';
import type {SlackWorkspace} from './slack-identities.js';

type Requester = Pick<SlackRequest, 'origin' | 'user'> & Partial<Pick<SlackRequest, 'channel'>>;

/**
 * Leaves out the private teams that the person may not see, but for the team of the channel in which they act. Old
 * buttons and forms name teams, and still work after the person has left them.
 */
export async function narrowToPerson(
  {services}: Pick<SlackContext, 'services'>,
  slackWorkspace: SlackWorkspace,
  member: Id<'member'> | undefined,
  {channel, deadline}: {readonly channel: string | undefined; readonly deadline: number},
): Promise<SlackWorkspace> {
  const {workspace, directory} = slackWorkspace;
  const principal = member === undefined ? undefined : ({type: 'member', id: member} as const);
  const reader = {workspace, deadline, principal, scopes: everyScope};
  const seen = await services.teams.narrowDirectory(directory, reader, channel);
  return {...slackWorkspace, directory: seen};
}

/** Finds the member who made a request, for a change. A new person becomes a member. Errors: see `admit`. */
export async function admitRequester(
  context: SlackContext,
  {origin, user, channel}: Requester,
  deadline: number = context.identities.answerBy(),
) {
  const {identities} = context;
  const whole = await identities.findSlackWorkspace(origin, deadline);
  const call = await identities.admit(whole, user, deadline);
  const {id} = call.principal;
  return {slackWorkspace: await narrowToPerson(context, whole, id, {channel, deadline}), call};
}

/** Finds the member who asks, and refuses an outsider. `member`: undefined for a new person. */
export async function findRequestingMember(
  context: SlackContext,
  {origin, user, channel}: Requester,
  deadline: number,
) {
  const {identities, services} = context;
  const whole = await identities.findSlackWorkspace(origin, deadline);
  const {workspace} = whole;
  const member = await services.people.findSlackMember({workspace, deadline}, user.id);
  if (member === undefined) await identities.refuseOutsider(whole, user, deadline);
  return {slackWorkspace: await narrowToPerson(context, whole, member?.id, {channel, deadline}), member};
}

/** Finds the person who asks. Without a member, the id in `access` is empty. Errors: those of `refuse`. */
export async function findViewer(
  context: Pick<SlackContext, 'identities' | 'services'>,
  {origin, user, channel}: Requester,
  deadline: number = context.identities.answerBy(),
  refuse: 'identify' | 'refuseOutsider' = 'identify',
) {
  const {identities} = context;
  const whole = await identities.findSlackWorkspace(origin, deadline);
  const {workspace} = whole;
  const member = await identities.findMember(whole, user, deadline);
  if (member === undefined) await identities[refuse](whole, user, deadline);
  const slackWorkspace = await narrowToPerson(context, whole, member, {channel, deadline});
  const principal = {type: 'member', id: member ?? storedId<'member'>(''), name: user.name} as const;
  return {slackWorkspace, member, deadline, access: {workspace, principal, scopes: everyScope, deadline}};
}

/** Lists the teams that a command without a name is about: the team of its channel, or else the person's own. */
export async function listAskedTeams(
  {identities}: Pick<SlackContext, 'identities'>,
  channel: string,
  {slackWorkspace, member, deadline}: Awaited<ReturnType<typeof findViewer>>,
): Promise<readonly Team[]> {
  const here = slackWorkspace.directory.byChannel(channel);
  if (here !== undefined) return [here];
  return member === undefined ? [] : identities.listTeams(slackWorkspace, member, deadline);
}
