import type {RespondArguments} from '@slack/bolt';
import type {KnownBlock} from '@slack/types';
import type {WebClient} from '@slack/web-api';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';
import {errorCodeOf} from './clients.js';
import {sendDirect} from './direct-message.js';
import {presentNote} from '../form/form-view.js';
import type {Kit} from './kit.js';
import {decodeText} from '../blocks/text.js';
import type {SlackUser} from './visitors.js';

const clientMs = 1_000;

/**
 * How somebody is answered whose request came without an address for answers: in a view, or, once their trigger is used up, by direct
 * message. Never throws: where not even that can be sent, it is logged with a reference.
 */
export function respondByView(
  {visitors, log, drawReference}: Pick<Kit, 'visitors' | 'log' | 'drawReference'>,
  {
    origin,
    user,
    triggerId,
  }: {readonly origin: SlackOrigin; readonly user: SlackUser; readonly triggerId: string},
): (message: RespondArguments) => Promise<void> {
  return async (message) => {
    const {text = ''} = message;
    const blocks = 'blocks' in message ? (message.blocks as KnownBlock[]) : undefined;
    try {
      const client = await visitors.findClient(origin, performance.now() + clientMs);
      if (await open(client, decodeText(text), blocks)) return;
      await sendDirect(client, user.id, {text, ...(blocks && {blocks})});
    } catch (error) {
      log.warn(
        {reference: drawReference(), code: errorCodeOf(error)},
        'somebody in Slack could not be answered',
      );
    }
  };

  async function open(
    client: WebClient,
    sentence: string,
    blocks: KnownBlock[] | undefined,
  ): Promise<boolean> {
    try {
      await client.views.open({
        trigger_id: triggerId,
        // What can be done about it stands in the blocks.
        view: {...presentNote(visitors.readerOf(origin, user), sentence), ...(blocks && {blocks})},
      });
      return true;
    } catch {
      return false;
    }
  }
}
