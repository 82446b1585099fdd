import type {BlockAction, RespondArguments, ViewResponseAction} from '@slack/bolt';
import type {KnownBlock} from '@slack/types';
import {sendDirect} from '../direct-message.js';
import {type Answer, type Kit, originOf, type Visit} from '../kit.js';
import {actions, fieldValue, teamFields, views} from '../names.js';
import {errorCodeOf} from '../clients.js';
import {answerMs} from '../visitors.js';
import {addMissing} from './add-missing.js';
import {openTeamSettings} from './open-settings.js';
import {openSetup} from './open-setup.js';
import {postText} from './post-text.js';
import {readMemo} from './setup-view.js';
import {submitSettings} from './submit-settings.js';
import {type Submission, submitSetup} from './submit-setup.js';
import {presentFaults} from './team-form.js';
import {createZones} from './zones.js';

/** The set-up of a team and its settings: asked for by buttons, searched in, and handed in. */
export function listenToSetup(kit: Kit): void {
  const {bolt} = kit;
  const zones = createZones(kit.now);

  listenToButton(actions.setUp, (visit, value, {channel}) =>
    openSetup(kit, visit, {channelName: channel?.name ?? '', text: value}),
  );
  listenToButton(actions.openSettings, (visit, team) => openTeamSettings(kit, visit, team));
  listenToButton(actions.postAfterSetup, (visit, text, {view}) => {
    const {team} = readMemo(view?.private_metadata ?? '');
    return postText(kit, visit, {team, text, viewId: view?.id ?? ''});
  });

  bolt.options<'block_suggestion'>(
    {block_id: teamFields.zone, action_id: fieldValue},
    async ({options, ack}) => {
      const {own} = readMemo(options.view?.private_metadata ?? '');
      await ack({options: zones.search(options.value, own)});
    },
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
      );
    });
  }
}

/** Beside the message with the button; modals and the Home tab have no such place, so it comes as a direct message. */
async function tell(kit: Kit, body: BlockAction, message: RespondArguments): Promise<void> {
  // Slack leaves it out there, whatever the SDK's types say.
  const url = body.response_url as string | undefined;
  if (url !== undefined) return kit.respondTo(url, message);
  try {
    const client = await kit.visitors.findClient(originOf(body), performance.now() + answerMs);
    const {text = '', blocks} = message as {text?: string; blocks?: KnownBlock[]};
    await sendDirect(client, body.user.id, {text, ...(blocks !== undefined && {blocks})});
  } catch (error) {
    kit.log.warn({code: errorCodeOf(error)}, 'a private answer did not reach Slack');
  }
}

/** Who pressed a button, and where: in a message, in a modal, whose place the next view takes, or on the Home tab. */
function visitOf(kit: Kit, body: BlockAction): Visit {
  const origin = originOf(body);
  const user = {id: body.user.id, name: body.user.name ?? body.user.username};
  const within = body.view?.type === 'modal' ? body.view.id : undefined;
  return {
    origin,
    user,
    channel: body.channel?.id ?? '',
    triggerId: body.trigger_id,
    reader: kit.visitors.readerOf(origin, user),
    within,
    respond: (message) => tell(kit, body, message),
  };
}
