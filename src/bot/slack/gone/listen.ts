// Members whose account is deactivated in Slack, and other changes of people that only Slack knows of.
// Nothing of what people do themselves.
import {deadlines} from '../../../domain/core/limits.js';
import {isId} from '../../../domain/core/ids.js';
import {AppError} from '../../../domain/core/errors.js';
import {nameInText} from '../../words/bidi.js';
import {privately} from '../blocks/blocks.js';
import {actions} from '../blocks/names.js';
import type {FollowProfile} from '../door/follow-profile.js';
import {listenToButton, listenToEvent} from '../door/listeners.js';
import type {Kit, Visit} from '../door/kit.js';

/** Slack's `user_change`, and *Remove from team* in the message about a deactivated member. */
export function listenToGone(kit: Kit, followProfile: FollowProfile): void {
  const {visitors, services} = kit;

  listenToEvent(kit, 'user_change', async ({event: {user}, origin}) => {
    const place = await visitors.findPlace(origin, performance.now() + deadlines.job);
    await followProfile({...place, client: place.jobClient}, user, origin);
  });

  listenToButton(kit, actions.removeGone, async ({visit, value}, answer) => {
    const {team, member, only} = value;
    if (typeof team !== 'string' || typeof member !== 'string' || !isId('member', member)) return;
    const sentence = await remove(visit, team, member);
    await answer({...privately(sentence), replace_original: only === true});
  });

  async function remove({origin, user, reader}: Visit, reference: string, member: string): Promise<string> {
    const {gone, home} = reader.words;
    const deadline = visitors.answerBy();
    const place = await visitors.findPlace(origin, deadline);
    const team = place.directory.byReference(reference);
    if (team === undefined) return home.teamGone;
    const call = await visitors.admit(place, user, deadline);
    try {
      await services.teamMembers.removeTeamMember(call, team.id, member);
    } catch (error) {
      // Another press has the same result.
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    }
    return gone.removed(nameInText(team.name));
  }
}
