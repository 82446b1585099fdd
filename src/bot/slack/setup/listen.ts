import type {ViewResponseAction} from '@slack/bolt';
import {readText} from '../blocks/button-value.js';
import {
  listenToButton,
  listenToSearch,
  listenToView,
  type Press,
  type Submission,
} from '../door/listeners.js';
import type {Answer, Kit} from '../door/kit.js';
import {actions, fieldValue, teamFields, views} from '../blocks/names.js';
import {addMissing} from './add-missing.js';
import {readSetUpIn} from './offer.js';
import {openTeamSettings} from './open-settings.js';
import {openSetup} from './open-setup.js';
import {showWholeSetup} from './whole-setup.js';
import {postText} from './post-text.js';
import {readMemo} from './setup-view.js';
import {submitSettings} from './submit-settings.js';
import {submitSetup} from './submit-setup.js';
import {presentFaults} from './team-form.js';
import {createZones} from './zones.js';

/** The setup of a team and its settings: opened by buttons, searched in, and submitted. */
export function listenToSetup(kit: Kit): void {
  const zones = createZones(kit.now);

  onAction(actions.setUp, ({visit, text, view, channelName}) => {
    // A modal is in no channel, but may have been opened from one.
    const channel = visit.channel || readSetUpIn(view?.private_metadata ?? '');
    return openSetup(kit, {...visit, channel}, {channelName, text: readText(text)});
  });
  onAction(actions.setupMore, ({visit, view}) => showWholeSetup(kit, visit, view));
  onAction(actions.openSettings, ({visit, text: team}) => openTeamSettings(kit, visit, team));
  onAction(actions.postAfterSetup, ({visit, text, view}) => {
    const {team} = readMemo(view?.private_metadata ?? '');
    return postText(kit, visit, {team, text: readText(text), viewId: view?.id ?? ''});
  });

  listenToSearch(kit, {block_id: teamFields.zone, action_id: fieldValue}, (typed, view) =>
    zones.search(typed, readMemo(view?.private_metadata ?? '').own),
  );

  onSubmit(views.setup, submitSetup);
  onSubmit(views.settings, submitSettings);
  onSubmit(views.addPeople, addMissing);

  /** Acknowledges at once, since the result is a view. */
  function onAction(name: string, act: (press: Press) => Promise<void>): void {
    listenToButton(
      kit,
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
    submit: (kit: Kit, submission: Submission, answer: Answer<ViewResponseAction>) => Promise<void>,
  ): void {
    listenToView(
      kit,
      name,
      (submission, answer) => submit(kit, submission, answer),
      (sentence) => presentFaults({[teamFields.name]: sentence}),
    );
  }
}
