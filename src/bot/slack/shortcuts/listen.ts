import type {GlobalShortcut, MessageShortcut} from '@slack/bolt';
import {privatelyMarked} from '../blocks/blocks.js';
import {openForm} from '../form/open-form.js';
import {type Kit, originOf, type Visit} from '../door/kit.js';
import {shortcuts} from '../blocks/names.js';
import {respondByView} from '../door/respond-by-view.js';
import {findNames} from '../rich-text/find-names.js';
import {givenNames, type SlackNames} from '../rich-text/names.js';
import {composeAddition} from './compose-addition.js';

/** What stands in Slack's own menus: the form from anywhere, and the form with a message in it. */
export function listenToShortcuts(kit: Kit): void {
  const {bolt, visitors, patience} = kit;

  bolt.shortcut<GlobalShortcut>({type: 'shortcut', callback_id: shortcuts.post}, async ({shortcut, ack}) => {
    await kit.answering(ack, undefined, async (answer) => {
      await answer();
      await openForm(kit, visitOf(shortcut, ''), {mode: 'auto'});
    });
  });

  bolt.shortcut<MessageShortcut>(
    {type: 'message_action', callback_id: shortcuts.addMessage},
    async ({shortcut, ack}) => {
      await kit.answering(ack, undefined, async (answer) => {
        await answer();
        const visit = visitOf(shortcut, shortcut.channel.id);
        const append = composeAddition(visit.reader, shortcut, await namesIn(visit, shortcut));
        if (append === undefined) {
          return visit.respond(privatelyMarked(visit.reader.words.shortcuts.noText));
        }
        await openForm(kit, visit, {mode: 'auto', append, ownTeams: true});
      });
    },
  );

  /** Of members alone, from the store: Slack is asked for nothing before the form is there. */
  async function namesIn({origin, reader: {words}}: Visit, {message}: MessageShortcut): Promise<SlackNames> {
    const deadline = performance.now() + patience.names.shortcut;
    const named = [message.text, message['blocks'], {type: 'user', user_id: message.user}];
    const findPlace = () => visitors.findPlace(origin, deadline);
    const asked = {words, deadline, inSlack: false} as const;
    return findNames(kit, findPlace, named, asked).catch(() => givenNames(words));
  }

  function visitOf(shortcut: GlobalShortcut | MessageShortcut, channel: string): Visit {
    const origin = originOf(shortcut);
    const {id, name, username} = shortcut.user as {id: string; name?: string; username?: string};
    const user = {id, name: name ?? username ?? ''};
    return {
      origin,
      user,
      channel,
      domain: shortcut.team?.domain,
      triggerId: shortcut.trigger_id,
      reader: visitors.readerOf(origin, user),
      byView: true,
      respond: respondByView(kit, {origin, user, triggerId: shortcut.trigger_id}),
    };
  }
}
