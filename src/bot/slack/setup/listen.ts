import type {ViewResponseAction} from '@slack/bolt';
import {readText} from '../blocks/button-value.js';
import {
  listenToButton,
  listenToSearch,
  listenToView,
  type ButtonPress,
  type Submission,
} from '../core/listeners.js';
import type {RespondOnce, SlackContext} from '../core/context.js';
import {actions, fieldValue, teamFields, views} from '../blocks/names.js';
import {addMissingPeople} from './add-missing.js';
import {readSetupChannel} from './offer.js';
import {openTeamSettings} from './open-settings.js';
import {openSetup} from './open-setup.js';
import {showWholeSetup} from './whole-setup.js';
import {postWaitingText} from './post-text.js';
import {readMemo} from './setup-view.js';
import {submitSettings} from './submit-settings.js';
import {submitSetup} from './submit-setup.js';
import {presentFieldErrors} from './team-form.js';
import {createZoneSearch} from './zones.js';

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
  listenToAction(actions.setupMore, ({request, view}) => showWholeSetup(deps, request, view));
  listenToAction(actions.openSettings, ({request, text: team}) => openTeamSettings(deps, request, team));
  listenToAction(actions.postAfterSetup, ({request, text, view}) => {
    const {team} = readMemo(view?.private_metadata ?? '');
    return postWaitingText(deps, request, {team, text: readText(text), viewId: view?.id ?? ''});
  });

  listenToSearch(deps, {block_id: teamFields.zone, action_id: fieldValue}, (typed, view) =>
    zones.search(typed, readMemo(view?.private_metadata ?? '').own),
  );

  listenToSubmission(views.setup, submitSetup);
  listenToSubmission(views.settings, submitSettings);
  listenToSubmission(views.addPeople, addMissingPeople);

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

  function listenToSubmission(
    name: string,
    submit: (
      deps: SlackContext,
      submission: Submission,
      answer: RespondOnce<ViewResponseAction>,
    ) => Promise<void>,
  ): void {
    listenToView(
      deps,
      name,
      (submission, answer) => submit(deps, submission, answer),
      (sentence) => presentFieldErrors({[teamFields.name]: sentence}),
    );
  }
}
