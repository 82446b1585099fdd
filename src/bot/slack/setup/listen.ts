import type {KnownBlock} from '@slack/types';
import {readText} from '../blocks/button-value.js';
import {listenToButton, listenToSearch, listenToView, type ButtonPress} from '../core/listeners.js';
import type {SlackContext} from '../core/context.js';
import {presentFieldErrors} from '../blocks/inputs.js';
import {createZoneSearch} from '../blocks/zones.js';
import {postUpdate} from '../commands/post.js';
import {createSignInLink} from '../commands/web.js';
import {openForm} from '../form/open-form.js';
import {actions, fieldValue, teamFields, views} from '../blocks/names.js';
import {readSetupChannel} from '../answers/setup-offer.js';
import {openSetup, openTeamSettings} from './open-forms.js';
import {readMemo} from './setup-view.js';
import {submitSettings} from './submit-settings.js';
import {addMissingPeople, submitSetup} from './submit-setup.js';

/**
 * Listens to the forms for a new team and its settings: the buttons that open them, searches in them, and
 * submissions.
 */
export function listenToSetup(deps: SlackContext): void {
  const zones = createZoneSearch(deps.now);

  listenToAction(actions.setUp, ({request, text, view, channelName}) => {
    // A modal has no channel itself, but may have been opened in one.
    const channel = request.channel || readSetupChannel(view?.private_metadata ?? '');
    return openSetup(deps, {...request, channel}, {channelName, text: readText(text)});
  });
  listenToAction(actions.openSettings, ({request, text: team}) => openTeamSettings(deps, request, team));
  listenToAction(actions.moreSettings, async ({request, text: team}) =>
    request.respond(await createSignInLink(deps, request, team)),
  );
  listenToAction(actions.postAfterSetup, async ({request, text, view}) => {
    if (view === undefined) return;
    const {team} = readMemo(view.private_metadata);
    // Pressed twice in one modal, the button posts once.
    const outcome = await postUpdate(deps, request, {update: readText(text), key: view.id, team});
    if (outcome.outcome === 'form') return openForm(deps, request, outcome.request);
    const {text: said, blocks} = outcome.answer as {text: string; blocks: KnownBlock[]};
    // The buttons of an answer need the address of a message. Those of the modal below it stay.
    await request.respond({text: said, blocks: blocks.filter(({type}) => type !== 'actions')});
  });

  listenToSearch(deps, {block_id: teamFields.zone, action_id: fieldValue}, (typed, view) =>
    zones.search(typed, readMemo(view?.private_metadata ?? '').own),
  );

  const submissions = {
    [views.setup]: submitSetup,
    [views.settings]: submitSettings,
    [views.addPeople]: addMissingPeople,
  };
  for (const [name, submit] of Object.entries(submissions)) {
    listenToView(
      deps,
      name,
      (submission, answer) => submit(deps, submission, answer),
      (sentence) => presentFieldErrors({[teamFields.name]: sentence}),
    );
  }

  /** Acknowledges an action at once, since its result appears in a modal. */
  function listenToAction(name: string, act: (press: ButtonPress) => Promise<void>): void {
    listenToButton(
      deps,
      name,
      async (press, answer) => {
        await answer();
        await act(press);
      },
      'view',
    );
  }
}
