import type {Team} from '../../../domain/teams/team.js';
import {everyScope} from '../../../domain/core/access.js';
import {storedId} from '../../../domain/core/ids.js';
import type {SlackContext, SlackRequest} from './context.js';

type Requester = Pick<SlackRequest, 'origin' | 'user'>;

/** Finds the member who made a request, for a change. A new person becomes a member. Errors: see `admit`. */
export async function admitRequester(
  {identities}: SlackContext,
  {origin, user}: Requester,
  deadline: number = identities.answerBy(),
) {
  const slackWorkspace = await identities.findSlackWorkspace(origin, deadline);
  return {slackWorkspace, call: await identities.admit(slackWorkspace, user, deadline)};
}

/** Finds the member who asks, and refuses an outsider. `member`: undefined for a new person. */
export async function findRequestingMember(
  {identities, services}: SlackContext,
  {origin, user}: Requester,
  deadline: number,
) {
  const slackWorkspace = await identities.findSlackWorkspace(origin, deadline);
  const {workspace} = slackWorkspace;
  const member = await services.people.findSlackMember({workspace, deadline}, user.id);
  if (member === undefined) await identities.refuseOutsider(slackWorkspace, user, deadline);
  return {slackWorkspace, member};
}

/** Finds the person who asks. Without a member, the id in `access` is empty. Errors: those of `refuse`. */
export async function findViewer(
  {identities}: Pick<SlackContext, 'identities'>,
  {origin, user}: Requester,
  deadline: number = identities.answerBy(),
  refuse: 'identify' | 'refuseOutsider' = 'identify',
) {
  const slackWorkspace = await identities.findSlackWorkspace(origin, deadline);
  const {workspace} = slackWorkspace;
  const member = await identities.findMember(slackWorkspace, user, deadline);
  if (member === undefined) await identities[refuse](slackWorkspace, user, deadline);
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
