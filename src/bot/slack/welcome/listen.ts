import {privateAnswer} from '../blocks/blocks.js';
import {listenToButton} from '../core/listeners.js';
import {leaveTeam} from './leave-team.js';
import type {SlackContext} from '../core/context.js';
import {actions} from '../blocks/names.js';

/**
 * Listens to *Leave* in the message that tells a person of their new team. The outcome replaces the message.
 */
export function listenToWelcomes(deps: SlackContext): void {
  listenToButton(deps, actions.leaveNewTeam, async ({request, value: {team}}, answer) => {
    if (typeof team !== 'string') return;
    const sentence = await leaveTeam(deps, request, team);
    deps.refreshHome(request.origin, request.user);
    await answer({...privateAnswer(sentence), replace_original: true});
  });
}
