import {isId, storedSuffix} from '../../../domain/core/ids.js';
import type {ShownSubject} from '../../../service/slack/public-channels.js';
import type {ChatCalls, ChatRefusal, MessageMetadata} from '../../showing/chat.js';
import type {OutgoingMessage} from '../blocks/blocks.js';
import {isPerson} from './slack-chat.js';

/** The refusal for a private team whose channel is public. It ends when a person changes one of them. */
const refused: ChatRefusal = {kind: 'refused', code: 'channel_is_public', reason: 'closed'};

/**
 * Returns the calls of a channel, which say nothing more about a private team where everyone in Slack can read
 * it. Messages can still be removed.
 */
export function refusePublicChannels(
  calls: ChatCalls<OutgoingMessage>,
  showsToAll: (channel: string, subject: ShownSubject) => Promise<boolean>,
): ChatCalls<OutgoingMessage> {
  async function isRefused(channel: string, {metadata}: Pick<OutgoingMessage, 'metadata'>): Promise<boolean> {
    const subject = isPerson(channel) ? undefined : findSubject(metadata);
    return subject !== undefined && showsToAll(channel, subject);
  }

  return {
    ...calls,
    post: async (channel, message, ...rest) =>
      (await isRefused(channel, message)) ? refused : calls.post(channel, message, ...rest),
    update: async (channel, ts, message, ...rest) =>
      (await isRefused(channel, message)) ? refused : calls.update(channel, ts, message, ...rest),
  };
}

/** Finds what a message shows; undefined for one that is not about a team. */
function findSubject({event_payload: payload}: MessageMetadata): ShownSubject | undefined {
  const {standup, team} = payload;
  if (typeof standup === 'string' && isId('standup', standup)) return {standup};
  return typeof team === 'string' ? {team: storedSuffix<'team'>(team)} : undefined;
}
