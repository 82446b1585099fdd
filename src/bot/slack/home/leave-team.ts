import type {ConfirmationDialog} from '@slack/types';
import {AppError} from '../../../domain/core/errors.js';
import type {Team} from '../../../domain/teams/team.js';
import {nameInText} from '../../words/bidi.js';
import {confirmation} from '../blocks/shapes.js';
import {findLeads} from '../setup/leads.js';
import type {Kit, Visit} from '../door/kit.js';
import type {Words} from '../../words/words.js';

const changeMs = 5_000;

/** Removes a person from a team, safe to repeat; returns the sentence that says so. */
export async function leaveTeam(
  {visitors, services}: Pick<Kit, 'visitors' | 'services'>,
  {origin, user, reader}: Pick<Visit, 'origin' | 'user' | 'reader'>,
  reference: string,
): Promise<string> {
  const {home} = reader.words;
  const deadline = performance.now() + changeMs;
  const place = await visitors.findPlace(origin, deadline);
  const team = place.directory.byReference(reference);
  if (team === undefined) return home.teamGone;
  const call = await visitors.admit(place, user, deadline);
  const leads = await findLeads(services, call, team).catch(() => undefined);
  const isLast = leads?.elsewhere === false && leads.inSlack.length === 1 && leads.inSlack[0] === user.id;
  try {
    await services.teamMembers.removeTeamMember(call, team.id, call.principal.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  }
  return isLast ? reader.words.leads.leftAsLead(nameInText(team.name)) : home.left(nameInText(team.name));
}

/** Asks for confirmation. */
export function confirmLeaving({home}: Words, {name}: Pick<Team, 'name'>): ConfirmationDialog {
  const {leaveTitle: title, leaveConfirm: confirm, leaveDeny: deny} = home;
  return confirmation({title, text: home.leaveText(nameInText(name)), confirm, deny}, 'danger');
}
