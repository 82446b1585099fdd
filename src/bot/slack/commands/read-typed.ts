import type {SlackContext, SlackRequest} from '../core/context.js';
import {findNames} from '../core/find-names.js';
import {namesFromRequest, type SlackNames} from '../rich-text/names.js';
import {convertMarkupToPlainText} from '../rich-text/plain-of.js';

/** True for a real channel name: Slack sends a fixed word for direct messages and private channels. */
const isName = (name: string | undefined): boolean => name !== 'directmessage' && name !== 'privategroup';

/** Returns the text after the command with names, found in the store or else as Slack sent them. */
export async function readCommandText(
  context: SlackContext,
  {origin, translation: {texts}, channel, domain}: SlackRequest,
  {text, channel_name: channelName}: {readonly text: string; readonly channel_name?: string | undefined},
): Promise<string> {
  const deadline = performance.now() + context.timeouts.names.command;
  const findSlackWorkspace = () => context.identities.findSlackWorkspace(origin, deadline);
  const names = await findNames(context, findSlackWorkspace, text, {texts, deadline, domain}).catch(() =>
    namesFromRequest(texts, {domain}),
  );
  const here: SlackNames = {
    ...names,
    channel: (id, given) => given ?? (id === channel && isName(channelName) ? channelName : undefined),
  };
  return convertMarkupToPlainText(text, here);
}
