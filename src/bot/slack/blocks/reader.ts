import type {RichTextDate} from '@slack/types';
import {reader as readerOfWords, type Reader as ReaderOfWords} from '../../words/words.js';

/** The reader of a text in Slack: instants are told as Slack shows them, by the clock of that person. */
export interface Reader extends ReaderOfWords {
  /** An instant (Unix ms) for `text` and mrkdwn. Put it in after escaping. */
  readonly instant: (ms: number) => string;
  /** The same as an element of rich text. */
  readonly richInstant: (ms: number) => RichTextDate;
}

const {plainInstant} = readerOfWords;
const format = readerOfWords.words.time.instant;

const reader: Reader = {
  ...readerOfWords,
  instant: (ms) => `<!date^${seconds(ms)}^${format}|${plainInstant(ms).replaceAll(/[<>|&]/g, ' ')}>`,
  richInstant: (ms) => ({
    type: 'date',
    timestamp: seconds(ms),
    format,
    fallback: plainInstant(ms),
  }),
};

/** Slack: https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
export function readerOf(): Reader {
  return reader;
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
