import type {SlackContext, SlackRequest} from '../core/context.js';
import {findNamesWithin} from '../core/find-names.js';
import {convertMarkupToPlainText} from '../rich-text/to-plain-text.js';

/** True for a real channel name: Slack sends a fixed word for direct messages and private channels. */
const isName = (name: string | undefined): boolean => name !== 'directmessage' && name !== 'privategroup';

/** Returns the text after the command with names, found in the store or else as Slack sent them. */
export async function readCommandText(
  context: SlackContext,
  request: SlackRequest,
  {text, channel_name: channelName}: {readonly text: string; readonly channel_name?: string | undefined},
): Promise<string> {
  const names = await findNamesWithin(context, request, text, context.timeouts.names.command);
  const isHere = (id: string) => id === request.channel && isName(channelName);
  return convertMarkupToPlainText(text, {
    ...names,
    channel: (id, given) => given ?? (isHere(id) ? channelName : undefined),
  });
}
