import {privately} from '../blocks/blocks.js';
import {listenToButton} from '../door/listeners.js';
import {leaveTeam} from '../home/leave-team.js';
import type {Kit} from '../door/kit.js';
import {actions} from '../blocks/names.js';

/** *Leave* in the message that notifies a member of their team: the outcome replaces that message. */
export function listenToWelcomes(kit: Kit): void {
  listenToButton(kit, actions.leaveTold, async ({visit, value: {team}}, answer) => {
    if (typeof team !== 'string') return;
    const sentence = await leaveTeam(kit, visit, team);
    kit.refreshHome(visit.origin, visit.user);
    await answer({...privately(sentence), replace_original: true});
  });
}
