import type {RichTextDate} from '@slack/types';
import {createReader, type Language, languageOf, type Reader as ReaderOfWords} from '../../words/words.js';

/** The viewer of a text in Slack, which shows instants by that person's clock. */
export interface Reader extends ReaderOfWords {
  /** Formats an instant (Unix ms) for `text` and mrkdwn. Insert it after escaping. */
  readonly instant: (ms: number) => string;
  /** The same as a rich text element. */
  readonly richInstant: (ms: number) => RichTextDate;
}

const readers: Readonly<Record<Language, Reader>> = {en: create('en'), de: create('de')};

/** Slack: https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
function create(language: Language): Reader {
  const inWords = createReader(language);
  const {plainInstant} = inWords;
  const format = inWords.words.time.instant;
  return {
    ...inWords,
    instant: (ms) => `<!date^${seconds(ms)}^${format}|${plainInstant(ms).replaceAll(/[<>|&]/g, ' ')}>`,
    richInstant: (ms) => ({
      type: 'date',
      timestamp: seconds(ms),
      format,
      fallback: plainInstant(ms),
    }),
  };
}

/** The reader of many people, such as those of a channel. */
export function readerOf(language: Language = 'en'): Reader {
  return readers[language];
}

/**
 * One person as a reader, by the locale of their Slack; `otherwise`: the language for a locale that is unknown
 * or has no catalogue.
 */
export function readerOfLocale(locale: string | undefined, otherwise: Language): Reader {
  return readerOf(languageOf(locale) ?? otherwise);
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
