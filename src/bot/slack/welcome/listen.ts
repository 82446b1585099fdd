import {privateAnswer} from '../blocks/blocks.js';
import {listenToButton} from '../core/listeners.js';
import {leaveTeam} from '../home/leave-team.js';
import type {BotDeps} from '../core/deps.js';
import {actions} from '../blocks/names.js';

/** *Leave* in the message that notifies a member of their team: the outcome replaces that message. */
export function listenToWelcomes(deps: BotDeps): void {
  listenToButton(deps, actions.leaveNewTeam, async ({request, value: {team}}, answer) => {
    if (typeof team !== 'string') return;
    const sentence = await leaveTeam(deps, request, team);
    deps.refreshHome(request.origin, request.user);
    await answer({...privateAnswer(sentence), replace_original: true});
  });
}
