import {AppError} from '../../../domain/core/errors.js';
import {parseWire} from '../../../domain/core/resource.js';
import type {Team} from '../../../domain/teams/team.js';
import {isolateName} from '../../texts/bidi.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import type {MemberCall} from '../core/slack-identities.js';
import {privateAnswer} from '../blocks/blocks.js';
import {listenToButton} from '../core/listeners.js';
import {actions} from '../blocks/names.js';

const changeMs = 5_000;

/** Removes a person from a team; returns a sentence that says so. Safe to repeat. */
export async function leaveTeam(
  {identities, services}: SlackContext,
  {origin, user, translation}: SlackRequest,
  reference: string,
): Promise<string> {
  const {home} = translation.texts;
  const deadline = performance.now() + changeMs;
  const slackWorkspace = await identities.findSlackWorkspace(origin, deadline);
  const team = slackWorkspace.directory.byReference(reference);
  if (team === undefined) return home.teamGone;
  const call = await identities.admit(slackWorkspace, user, deadline);
  const isLast = await isOnlyLead(services, call, team).catch(() => false);
  try {
    await services.teamMembers.removeTeamMember(call, team.id, call.principal.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  }
  return isLast
    ? translation.texts.leads.leftAsLead({team: isolateName(team.name)})
    : home.left({team: isolateName(team.name)});
}

/** Listens to the buttons to leave a team. Only the message about a new team is replaced by the outcome. */
export function listenToLeaving(context: SlackContext): void {
  listenToButton(context, actions.leaveTeam, async ({request, value: {team}}, answer) => {
    if (typeof team === 'string') await answer(privateAnswer(await leaveTeam(context, request, team)));
  });
  listenToButton(context, actions.leaveNewTeam, async ({request, value: {team}}, answer) => {
    if (typeof team !== 'string') return;
    const sentence = await leaveTeam(context, request, team);
    context.refreshHome(request.origin, request.user);
    await answer({...privateAnswer(sentence), replace_original: true});
  });
}

/** The maximum number of people who are searched for leads, in pages of 100. */
const searchedAtMost = 1_000;

/** True if the caller is the only lead of a team; false for a team that is too big to search. */
async function isOnlyLead(
  {teamMembers}: SlackContext['services'],
  call: MemberCall,
  {id}: Team,
): Promise<boolean> {
  let past: number | undefined;
  let leads = false;
  for (let seen = 0; seen < searchedAtMost; seen += 100) {
    const {rows, next} = await teamMembers.listTeamMembers(call, id, {past, limit: 100});
    const found = rows.map(parseWire).filter(({role}) => role === 'lead');
    if (found.some(({member}) => member.id !== call.principal.id)) return false;
    leads ||= found.length > 0;
    if (next === undefined) return leads;
    past = next;
  }
  return false;
}
