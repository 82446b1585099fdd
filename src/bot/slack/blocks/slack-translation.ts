import type {RichTextDate} from '@slack/types';
import {createTranslation, type Language, languageOf, type Translation} from '../../texts/translation.js';

/** The viewer of a text in Slack, which shows instants by that person's clock. */
export interface SlackTranslation extends Translation {
  /** Formats an instant (Unix ms) for `text` and mrkdwn. Insert it after escaping. */
  readonly instant: (ms: number) => string;
  /** The same as a rich text element. */
  readonly richInstant: (ms: number) => RichTextDate;
}

const translations: Readonly<Record<Language, SlackTranslation>> = {
  en: createSlackTranslation('en'),
  de: createSlackTranslation('de'),
};

/** Slack: https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
function createSlackTranslation(language: Language): SlackTranslation {
  const translation = createTranslation(language);
  const {plainInstant} = translation;
  const format = translation.texts.time.instant;
  return {
    ...translation,
    instant: (ms) => `<!date^${seconds(ms)}^${format}|${plainInstant(ms).replaceAll(/[<>|&]/g, ' ')}>`,
    richInstant: (ms) => ({
      type: 'date',
      timestamp: seconds(ms),
      format,
      fallback: plainInstant(ms),
    }),
  };
}

/** The translation for many people, such as those of a channel. */
export function translationFor(language: Language = 'en'): SlackTranslation {
  return translations[language];
}

/**
 * The translation for one person, by the locale of their Slack; `otherwise`: the language for a locale that
 * is unknown or has no catalogue.
 */
export function translationForLocale(locale: string | undefined, otherwise: Language): SlackTranslation {
  return translationFor(languageOf(locale) ?? otherwise);
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
