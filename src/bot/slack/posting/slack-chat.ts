import type {Chat, Presenters} from '../../showing/chat.js';
import {presentDigest} from '../digest/present-digest.js';
import {presentReplacedPrompt, presentPrompt} from '../prompts/prompt-message.js';
import {presentWeek} from '../week/present-week.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {buildMentionIndex} from '../rich-text/mentions.js';
import type {OutgoingMessage} from '../blocks/blocks.js';
import {presentDayMessage} from './day-message.js';
import {presentComment, presentStandup} from './standup-messages.js';

export function isPerson(channel: string): boolean {
  return /^[UW]/.test(channel);
}

export function createSlackChat(
  calls: Chat<OutgoingMessage>['calls'],
  translation: SlackTranslation,
  presentNotice: Presenters<OutgoingMessage>['notice'],
): Chat<OutgoingMessage> {
  return {
    name: 'Slack',
    calls,
    isPerson,
    present: {
      standup: (standup, location, nameable) =>
        presentStandup(translation, standup, location, nameable && buildMentionIndex(nameable)),
      comment: (comment, location) => presentComment(translation, comment, location),
      day: (day) => presentDayMessage(translation, day),
      report: (content) => presentDigest(translation, content),
      week: (week) => presentWeek(translation, week),
      notice: presentNotice,
      prompt: (prompt, content, more) => presentPrompt(translation, prompt, content, more),
      moved: (prompt) => presentReplacedPrompt(translation, prompt),
    },
  };
}
