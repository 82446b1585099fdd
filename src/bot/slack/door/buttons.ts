import type {BlockElementAction, ViewOutput} from '@slack/bolt';
import {privately} from '../blocks/blocks.js';
import {parseValue} from '../blocks/button-value.js';
import {parsePlace} from '../form/form-place.js';
import {type Kit, originOf, type Visit} from './kit.js';

/** A button that somebody has pressed. */
export interface Press {
  readonly visit: Visit;
  readonly value: Readonly<Record<string, unknown>>;
  /** The view it stands in, when it stands in one. */
  readonly view: ViewOutput | undefined;
  /** When it was pressed, as Slack names instants, and the thread of the message that it stands in. */
  readonly at: string;
  readonly thread: string | undefined;
}

/**
 * Listens to a button, or a menu of a message, by its name, alone or with a part after a colon, which tells
 * buttons of one block apart. Slack gets its answer whatever happens, and what goes wrong before that is
 * told to the person, where there is an address for it: the one of the message, or the one that the view's
 * form was opened with.
 */
export function listenToButton(
  kit: Kit,
  action: string,
  listen: (press: Press, answer: () => Promise<void>) => Promise<void>,
): void {
  const named = new RegExp(`^${action}(?::|$)`);
  kit.bolt.action({action_id: named, type: 'block_actions'}, async ({body, action: pressed, ack}) => {
    const origin = originOf(body);
    const user = {id: body.user.id, name: body.user.name ?? body.user.username};
    const url =
      // The type has it in every body; a press within a view comes without.
      (body.response_url as string | undefined) ?? parsePlace(body.view?.private_metadata ?? '').answer?.url;
    // Pressed in a thread, it is answered there.
    const thread = (body.message as {readonly thread_ts?: string} | undefined)?.thread_ts;
    const visit: Visit = {
      origin,
      user,
      channel: body.channel?.id ?? '',
      domain: body.team?.domain,
      triggerId: body.trigger_id,
      reader: kit.visitors.readerOf(origin, user),
      responseUrl: url,
      thread,
      respond: async (message) => {
        const beside = message.replace_original !== true && thread !== undefined;
        if (url !== undefined) await kit.respondTo(url, beside ? {...message, thread_ts: thread} : message);
      },
    };
    const answer = async (sentence?: string) => {
      await ack();
      if (sentence !== undefined) await visit.respond({...privately(sentence), replace_original: false});
    };
    const value = parseValue(valueOf(pressed));
    await kit.answering<string>(
      answer,
      (sentence) => sentence,
      () => listen({visit, value, view: body.view, at: pressed.action_ts, thread}, () => answer()),
      visit.reader.words,
    );
  });
}

function valueOf(pressed: BlockElementAction): string | undefined {
  if (pressed.type === 'overflow') return pressed.selected_option.value;
  return pressed.type === 'button' ? pressed.value : undefined;
}
