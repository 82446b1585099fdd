import type {WebClient} from '@slack/web-api';
import type {NoticeContent} from '../../../domain/slack/notice-content.js';
import type {Id} from '../../../domain/core/ids.js';
import type {Chat} from '../../showing/chat.js';
import {presentDigest} from '../digest/present-digest.js';
import {presentReplacedPrompt, presentPrompt} from '../prompts/prompt-message.js';
import {presentWeek} from '../week/present-week.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {buildMentionIndex} from '../rich-text/mentions.js';
import {createChannelCalls, type MethodLimits} from './channel-calls.js';
import type {OutgoingMessage} from '../blocks/blocks.js';
import {presentDayMessage} from './day-message.js';
import {presentStandup} from './standup-messages.js';

export interface SlackChatParts {
  readonly client: WebClient;
  readonly limits: MethodLimits;
  /** Called with a channel that the bot could join by itself. */
  readonly notePublic: (channel: string) => Promise<void>;
  /** The translation for the viewers of the channel, or for the person who gets the message. */
  readonly translation: SlackTranslation;
  readonly presentNotice: (event: Id<'event'>, notice: NoticeContent) => Promise<OutgoingMessage>;
}

/** True for the Slack id of a person, false for that of a channel. */
export function isPerson(channel: string): boolean {
  return /^[UW]/.test(channel);
}

/** Creates the `Chat` for one Slack workspace. */
export function createSlackChat({
  client,
  limits,
  notePublic,
  translation,
  presentNotice,
}: SlackChatParts): Chat<OutgoingMessage> {
  return {
    name: 'Slack',
    calls: createChannelCalls(client, limits, notePublic),
    isPerson,
    present: {
      standup: (standup, location, nameable) =>
        presentStandup(translation, standup, location, nameable && buildMentionIndex(nameable)),
      day: (day) => presentDayMessage(translation, day),
      report: (content) => presentDigest(translation, content),
      week: (week) => presentWeek(translation, week),
      notice: presentNotice,
      prompt: (prompt, lines, more) => presentPrompt(translation, prompt, lines, more),
      moved: (prompt) => presentReplacedPrompt(translation, prompt),
    },
  };
}
