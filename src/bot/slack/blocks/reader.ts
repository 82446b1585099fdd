import type {RichTextDate} from '@slack/types';
import {readerOf as readerOfWords, type Reader as ReaderOfWords} from '../../words/words.js';

/** Whom a text in Slack is for: instants are told as Slack shows them, by the clock of whoever reads. */
export interface Reader extends ReaderOfWords {
  /** An instant (Unix ms) for `text` and mrkdwn. Put it in after escaping. */
  readonly instant: (ms: number) => string;
  /** The same as an element of rich text. */
  readonly richInstant: (ms: number) => RichTextDate;
}

/**
 * Somebody with this locale; what is no locale counts as not known.
 * Slack: https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
export function readerOf(locale?: string): Reader {
  const reader = readerOfWords(locale);
  const {
    plainInstant,
    words: {time},
  } = reader;
  return {
    ...reader,
    instant: (ms) => `<!date^${seconds(ms)}^${time.instant}|${plainInstant(ms).replaceAll(/[<>|&]/g, ' ')}>`,
    richInstant: (ms) => ({
      type: 'date',
      timestamp: seconds(ms),
      format: time.instant,
      fallback: plainInstant(ms),
    }),
  };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
