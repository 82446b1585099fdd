import {privately} from '../blocks.js';
import {openForm} from '../form/open-form.js';
import {type Kit, originOf, type Visit} from '../kit.js';
import {standupCommand} from '../names.js';
import {decodeText} from '../text.js';
import {postCommand} from './post.js';
import {subcommands} from './subcommands.js';

/** `/standup`, with an update, a word that stands for something else, or nothing. */
export function listenToCommands(kit: Kit): void {
  const {bolt, visitors} = kit;

  bolt.command(standupCommand, async ({command, ack, context}) => {
    const origin = originOf(command);
    const user = {id: command.user_id, name: command.user_name};
    const visit: Visit = {
      origin,
      user,
      channel: command.channel_id,
      triggerId: command.trigger_id,
      reader: visitors.readerOf(origin, user),
      respond: (message) => kit.respondTo(command.response_url, message),
    };
    await kit.answering(ack, privately, async (answer) => {
      const text = decodeText(command.text).trim();
      const subcommand = subcommands.get(text.toLowerCase());
      if (subcommand !== undefined) return subcommand(kit, visit, answer);
      if (text !== '')
        return answer(
          await postCommand({...kit, onUnserved: () => kit.forget(context)}, visit, command.text),
        );
      await answer();
      await openForm(kit, visit);
    });
  });

  // Without an answer the person sees an error after 3 s.
  bolt.command(new RegExp(`^(?!${standupCommand}$)`), async ({command, ack}) => {
    const {words} = visitors.readerOf(originOf(command), {id: command.user_id, name: command.user_name});
    await ack(privately(words.command.unknown(command.command, standupCommand)));
  });
}
