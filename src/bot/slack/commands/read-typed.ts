import type {BotDeps, SlackRequest} from '../core/deps.js';
import {findNames} from '../rich-text/find-names.js';
import {namesFromRequest, type SlackNames} from '../rich-text/names.js';
import {markupToPlainText} from '../rich-text/plain-of.js';

/** The names that Slack sends in place of those of direct messages and private channels. */
const isName = (name: string | undefined): boolean => name !== 'directmessage' && name !== 'privategroup';

/**
 * The text after the command, people and channels by name; while their names are unavailable, as Slack has
 * named them.
 */
export async function readTyped(
  deps: Pick<BotDeps, 'services' | 'identities' | 'timeouts'>,
  {origin, translation: {texts}, channel, domain}: SlackRequest,
  {text, channel_name: channelName}: {readonly text: string; readonly channel_name?: string | undefined},
): Promise<string> {
  const deadline = performance.now() + deps.timeouts.names.command;
  const findSlackWorkspace = () => deps.identities.findSlackWorkspace(origin, deadline);
  const names = await findNames(deps, findSlackWorkspace, text, {texts, deadline, domain}).catch(() =>
    namesFromRequest(texts, {domain}),
  );
  const here: SlackNames = {
    ...names,
    channel: (id, given) => given ?? (id === channel && isName(channelName) ? channelName : undefined),
  };
  return markupToPlainText(text, here);
}
