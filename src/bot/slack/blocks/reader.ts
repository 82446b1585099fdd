import type {RichTextDate} from '@slack/types';
import {reader as readerOfWords, type Reader as ReaderOfWords} from '../../words/words.js';

/** The viewer of a text in Slack, which shows instants by that person's clock. */
export interface Reader extends ReaderOfWords {
  /** Formats an instant (Unix ms) for `text` and mrkdwn. Insert it after escaping. */
  readonly instant: (ms: number) => string;
  /** The same as a rich text element. */
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
