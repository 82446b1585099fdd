import type {Id} from '../../../domain/core/ids.js';
import type {KnownBlock, RichTextElement, RichTextSection} from '@slack/types';
import type {NoticeWebhook} from '../../../domain/slack/notice-content.js';
import {failingLimits} from '../../../domain/webhooks/webhook-failing.js';
import {isolateName} from '../../texts/bidi.js';
import {richTextSentence} from '../blocks/blocks.js';
import {createDayMenu} from '../missing/day-menu.js';
import type {ChatMessage, DayContent} from '../../showing/chat.js';
import {createDayMetadata, createNoticeMetadata} from '../../showing/metadata.js';
import {slackLimits} from '../blocks/names.js';
import {escapeText} from '../blocks/text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';

/** A message in the form of `chat.postMessage` and `chat.update`, without its channel. */
export interface OutgoingMessage extends ChatMessage {
  /** The text for screen readers and notifications, in place of the blocks. */
  readonly text: string;
  readonly blocks?: KnownBlock[];
}

/**
 * Presents the message of a day. Names are its only text from people, in an element in which Slack finds no
 * markup.
 */
export function presentDayMessage(
  translation: SlackTranslation,
  {team, date, in: count, of, names = [], closing}: DayContent,
): OutgoingMessage {
  const {posting} = translation.texts;
  const say = (at: (ms: number) => string): string => {
    const heading = posting.day({day: translation.shortDay(date), count, of});
    if (closing === undefined) return heading;
    return closing === 'closed' ? posting.closed({heading}) : posting.closes({heading, at: at(closing)});
  };
  const heading = say(translation.instant);
  const shown = richTextSentence((gap) => say((ms) => gap(translation.richInstant(ms))), {bold: true});
  const metadata = createDayMetadata({team, date});
  const menu: KnownBlock = {type: 'actions', elements: [createDayMenu(translation.texts, team, date)]};
  if (names.length === 0) return {text: heading, blocks: [presentHeadedText(shown), menu], metadata};
  const postedLine = posting.postedNames({names: joinNames(translation, names)});
  const room = slackLimits.messageText - heading.length - 1;
  return {
    text: `${heading}\n${escapeText(postedLine, room)}`,
    blocks: [presentHeadedText(shown, postedLine), menu],
    metadata,
  };
}

function presentHeadedText(heading: readonly RichTextElement[], text?: string): KnownBlock {
  const elements: RichTextSection['elements'] = [
    ...heading,
    ...(text === undefined ? [] : [{type: 'text' as const, text: `\n${text}`}]),
  ];
  return {type: 'rich_text', elements: [{type: 'rich_text_section', elements}]};
}

/**
 * The maximum length of all names: half of an element's limit, so that normal names fit even when escaped.
 */
const namesLength = slackLimits.element / 2;

/** Joins as many names as fit, and counts the rest. */
function joinNames({texts}: SlackTranslation, given: readonly string[]): string {
  const names = given.map(isolateName);
  let shown = 0;
  for (let length = 0; shown < names.length; shown++) {
    length += (names[shown]?.length ?? 0) + 2;
    if (length > namesLength) break;
  }
  const listed = names.slice(0, shown).join(', ');
  return shown === names.length ? listed : texts.posting.andMore({names: listed, more: names.length - shown});
}

/**
 * Notifies the people who run the workspace about a webhook: its host (the path may hold a secret), the time,
 * and what to do. `failingSince`: since when (ms) it fails; left out if the webhook is disabled. `dashboard`:
 * the dashboard's address.
 */
export function presentWebhookNotice(
  translation: SlackTranslation,
  event: Id<'event'>,
  {id, url, description, disabled_reason, disabled_at}: NoticeWebhook,
  {failingSince, dashboard}: {failingSince?: number | undefined; dashboard: string},
): OutgoingMessage {
  // The same text goes to several people, so Slack shows times in each person's time zone.
  const texts = translation.texts.webhook;
  const {host} = new URL(url);
  const named = description === null ? host : `${description} (${host})`;
  /** Returns the sentence as plain text or rich text, depending on the functions that fill its gaps. */
  const say = (name: string, at: (ms: number) => string): string =>
    failingSince === undefined
      ? texts.disabled({
          name,
          at: at(Date.parse(disabled_at ?? '')),
          forFailing: disabled_reason === 'failing',
        })
      : texts.failing({name, since: at(failingSince), until: at(failingSince + failingLimits.disable.ms)});
  const elements = richTextSentence((gap) =>
    say(gap({type: 'text', text: isolateName(named)}), (ms) => gap(translation.richInstant(ms))),
  );
  const page = `${dashboard}/webhooks/${id}`;
  const link = [{type: 'text', text: ' '} as const, {type: 'link', url: page} as const];
  return {
    text: `${say(escapeText(isolateName(named)), translation.instant)} ${page}`,
    blocks: [{type: 'rich_text', elements: [{type: 'rich_text_section', elements: [...elements, ...link]}]}],
    metadata: createNoticeMetadata(event),
  };
}
