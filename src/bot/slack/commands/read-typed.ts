import type {Kit, Visit} from '../door/kit.js';
import {findNames} from '../rich-text/find-names.js';
import {givenNames, type SlackNames} from '../rich-text/names.js';
import {plainOfMarkup} from '../rich-text/plain-of.js';

/** The names that Slack sends in place of those of direct messages and private channels. */
const isName = (name: string | undefined): boolean => name !== 'directmessage' && name !== 'privategroup';

/**
 * The text after the command, people and channels by name; while their names are unavailable, as Slack has
 * named them.
 */
export async function readTyped(
  kit: Pick<Kit, 'services' | 'visitors' | 'patience'>,
  {origin, reader: {words}, channel, domain}: Visit,
  {text, channel_name: channelName}: {readonly text: string; readonly channel_name?: string | undefined},
): Promise<string> {
  const deadline = performance.now() + kit.patience.names.command;
  const findPlace = () => kit.visitors.findPlace(origin, deadline);
  const names = await findNames(kit, findPlace, text, {words, deadline, domain}).catch(() =>
    givenNames(words, {domain}),
  );
  const here: SlackNames = {
    ...names,
    channel: (id, given) => given ?? (id === channel && isName(channelName) ? channelName : undefined),
  };
  return plainOfMarkup(text, here);
}
