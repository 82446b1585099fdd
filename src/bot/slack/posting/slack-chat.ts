import type {WebClient} from '@slack/web-api';
import type {NoticeContent} from '../../../domain/slack/notice-content.js';
import type {Id} from '../../../domain/core/ids.js';
import type {Chat} from '../../showing/chat.js';
import {presentDigest} from '../digest/present-digest.js';
import {presentMoved, presentPrompt} from '../prompts/prompt-message.js';
import {presentWeek} from '../week/present-week.js';
import {createMentions} from '../rich-text/mentions.js';
import {createChannelCalls, type MethodLimits} from './channel-calls.js';
import {type Message, presentDay} from './messages.js';
import {presentStandup} from './standup-messages.js';

export interface SlackChatParts {
  readonly client: WebClient;
  readonly limits: MethodLimits;
  /** Called with a channel that the bot could join by itself. */
  readonly notePublic: (channel: string) => Promise<void>;
  readonly presentNotice: (event: Id<'event'>, notice: NoticeContent) => Promise<Message>;
}

/** Slack as a `Chat`, for one workspace. */
export function createSlackChat({client, limits, notePublic, presentNotice}: SlackChatParts): Chat<Message> {
  return {
    name: 'Slack',
    calls: createChannelCalls(client, limits, notePublic),
    isPerson: (channel) => /^[UW]/.test(channel),
    present: {
      standup: (standup, place, nameable) =>
        presentStandup(standup, place, nameable && createMentions(nameable)),
      day: presentDay,
      report: (content) => presentDigest(content),
      week: presentWeek,
      notice: presentNotice,
      prompt: presentPrompt,
      moved: presentMoved,
    },
  };
}
