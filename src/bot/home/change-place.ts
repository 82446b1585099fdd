import {AppError} from '../../domain/errors.js';
import {nameInText} from '../bidi.js';
import type {Kit, Visit} from '../kit.js';

const changeMs = 5_000;

/** Puts a person into a team, or takes them out of it, as often as it is said; gives the sentence that tells so. */
export async function changePlace(
  {visitors, services}: Pick<Kit, 'visitors' | 'services'>,
  {origin, user, reader}: Pick<Visit, 'origin' | 'user' | 'reader'>,
  how: 'join' | 'leave',
  reference: string,
): Promise<string> {
  const {home} = reader.words;
  const deadline = performance.now() + changeMs;
  const place = await visitors.findPlace(origin, deadline);
  const team = place.directory.byReference(reference);
  if (team === undefined) return home.teamGone;
  const call = await visitors.admit(place, user, deadline);
  if (how === 'join') {
    await visitors.join(call, team);
    return home.joined(nameInText(team.name));
  }
  try {
    await services.teamMembers.removeTeamMember(call, team.id, call.principal.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  }
  return home.left(nameInText(team.name));
}
