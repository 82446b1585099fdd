import type {BlockAction, ViewResponseAction} from '@slack/bolt';
import {readText} from '../blocks/button-value.js';
import {parsePlace} from '../form/form-place.js';
import {type Answer, type Kit, originOf, type Visit} from '../door/kit.js';
import {actions, fieldValue, teamFields, views} from '../blocks/names.js';
import {respondByView} from '../door/respond-by-view.js';
import {addMissing} from './add-missing.js';
import {openTeamSettings} from './open-settings.js';
import {openSetup} from './open-setup.js';
import {showWholeSetup} from './whole-setup.js';
import {postText} from './post-text.js';
import {readMemo} from './setup-view.js';
import {submitSettings} from './submit-settings.js';
import {type Submission, submitSetup} from './submit-setup.js';
import {presentFaults} from './team-form.js';
import {createZones, type ZoneOption} from './zones.js';

/** The set-up of a team and its settings: asked for by buttons, searched in, and handed in. */
export function listenToSetup(kit: Kit): void {
  const {bolt} = kit;
  const zones = createZones(kit.now);

  listenToButton(actions.setUp, (visit, value, {channel}) =>
    openSetup(kit, visit, {channelName: channel?.name ?? '', text: readText(value)}),
  );
  listenToButton(actions.setupMore, (visit, _, {view}) => showWholeSetup(kit, visit, view));
  listenToButton(actions.openSettings, (visit, team) => openTeamSettings(kit, visit, team));
  listenToButton(actions.postAfterSetup, (visit, value, {view}) => {
    const {team} = readMemo(view?.private_metadata ?? '');
    return postText(kit, visit, {team, text: readText(value), viewId: view?.id ?? ''});
  });

  bolt.options<'block_suggestion'>({block_id: teamFields.zone, action_id: fieldValue}, ({options, ack}) =>
    kit.answering<{options: ZoneOption[]}>(
      (found = {options: []}) => ack(found),
      () => ({options: []}),
      async (answer) => {
        const {own} = readMemo(options.view?.private_metadata ?? '');
        await answer({options: zones.search(options.value, own)});
      },
    ),
  );

  listenToView(views.setup, submitSetup);
  listenToView(views.settings, submitSettings);
  listenToView(views.addPeople, addMissing);

  function listenToButton(
    name: string,
    use: (visit: Visit, value: string, body: BlockAction) => Promise<void>,
  ): void {
    bolt.action<BlockAction>({type: 'block_actions', action_id: name}, async ({body, action, ack}) => {
      await kit.answering(
        () => ack(),
        undefined,
        async (answer) => {
          await answer();
          await use(visitOf(kit, body), action.type === 'button' ? (action.value ?? '') : '', body);
        },
      );
    });
  }

  function listenToView(
    name: string,
    submit: (kit: Kit, submission: Submission, answer: Answer<ViewResponseAction>) => Promise<void>,
  ): void {
    bolt.view({callback_id: name, type: 'view_submission'}, async ({body, view, ack, context}) => {
      const user = {id: body.user.id, name: body.user.name};
      const submission = {view, origin: originOf(body), user, onUnserved: () => kit.forget(context)};
      await kit.answering(
        ack as Answer<ViewResponseAction>,
        (sentence) => presentFaults({[teamFields.name]: sentence}),
        (answer) => submit(kit, submission, answer),
        kit.visitors.readerOf(submission.origin, user).words,
      );
    });
  }
}

/**
 * Who pressed a button, and where: in a message, in a modal, whose place the next view takes, or on the
 * Home tab.
 */
function visitOf(kit: Kit, body: BlockAction): Visit {
  const origin = originOf(body);
  const user = {id: body.user.id, name: body.user.name ?? body.user.username};
  const url = body.response_url as string | undefined;
  const within = body.view?.type === 'modal' ? body.view.id : undefined;
  return {
    origin,
    user,
    // A modal is in no channel, but may have been opened from one.
    channel: body.channel?.id ?? parsePlace(body.view?.private_metadata ?? '').setUpIn ?? '',
    triggerId: body.trigger_id,
    reader: kit.visitors.readerOf(origin, user),
    within,
    // Modals and the Home tab have no address for answers, whatever the SDK's types say.
    respond:
      url === undefined
        ? respondByView(kit, {origin, user, triggerId: body.trigger_id})
        : (message) => kit.respondTo(url, message),
  };
}
