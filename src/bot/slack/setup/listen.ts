import type {ViewResponseAction} from '@slack/bolt';
import {readText} from '../blocks/button-value.js';
import {
  listenToButton,
  listenToSearch,
  listenToView,
  type ButtonPress,
  type Submission,
} from '../core/listeners.js';
import type {RespondOnce, BotDeps} from '../core/deps.js';
import {actions, fieldValue, teamFields, views} from '../blocks/names.js';
import {addMissing} from './add-missing.js';
import {readSetUpIn} from './offer.js';
import {openTeamSettings} from './open-settings.js';
import {openSetup} from './open-setup.js';
import {showWholeSetup} from './whole-setup.js';
import {postWaitingText} from './post-text.js';
import {readMemo} from './setup-view.js';
import {submitSettings} from './submit-settings.js';
import {submitSetup} from './submit-setup.js';
import {presentErrors} from './team-form.js';
import {createZoneSearch} from './zones.js';

/**
 * Listens to the forms for a new team and its settings: the buttons that open them, searches in them, and
 * submissions.
 */
export function listenToSetup(deps: BotDeps): void {
  const zones = createZoneSearch(deps.now);

  onAction(actions.setUp, ({request, text, view, channelName}) => {
    // A modal has no channel itself, but may have been opened in one.
    const channel = request.channel || readSetUpIn(view?.private_metadata ?? '');
    return openSetup(deps, {...request, channel}, {channelName, text: readText(text)});
  });
  onAction(actions.setupMore, ({request, view}) => showWholeSetup(deps, request, view));
  onAction(actions.openSettings, ({request, text: team}) => openTeamSettings(deps, request, team));
  onAction(actions.postAfterSetup, ({request, text, view}) => {
    const {team} = readMemo(view?.private_metadata ?? '');
    return postWaitingText(deps, request, {team, text: readText(text), viewId: view?.id ?? ''});
  });

  listenToSearch(deps, {block_id: teamFields.zone, action_id: fieldValue}, (typed, view) =>
    zones.search(typed, readMemo(view?.private_metadata ?? '').own),
  );

  onSubmit(views.setup, submitSetup);
  onSubmit(views.settings, submitSettings);
  onSubmit(views.addPeople, addMissing);

  /** Acknowledges an action at once, since its result appears in a modal. */
  function onAction(name: string, act: (press: ButtonPress) => Promise<void>): void {
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

  function onSubmit(
    name: string,
    submit: (deps: BotDeps, submission: Submission, answer: RespondOnce<ViewResponseAction>) => Promise<void>,
  ): void {
    listenToView(
      deps,
      name,
      (submission, answer) => submit(deps, submission, answer),
      (sentence) => presentErrors({[teamFields.name]: sentence}),
    );
  }
}
