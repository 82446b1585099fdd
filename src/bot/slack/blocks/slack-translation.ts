import type {RichTextDate} from '@slack/types';
import {
  createTranslation,
  type Language,
  languageOf,
  languages,
  type Translation,
} from '../../texts/translation.js';

/** The texts and formats for a viewer in Slack. Times are shown in the viewer's time zone. */
export interface SlackTranslation extends Translation {
  /** Formats an instant (Unix ms) for `text` and mrkdwn. Insert the result after escaping. */
  readonly instant: (ms: number) => string;
  /** Formats an instant (Unix ms) as a rich text element. */
  readonly richInstant: (ms: number) => RichTextDate;
}

const translations = Object.fromEntries(
  languages.map((language) => [language, createSlackTranslation(language)]),
) as Readonly<Record<Language, SlackTranslation>>;

/** Slack's date formats: https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
function createSlackTranslation(language: Language): SlackTranslation {
  const translation = createTranslation(language);
  const {plainInstant} = translation;
  const format = translation.texts.time.instant;
  return {
    ...translation,
    instant: (ms) => `<!date^${toWholeSeconds(ms)}^${format}|${plainInstant(ms).replaceAll(/[<>|&]/g, ' ')}>`,
    richInstant: (ms) => ({
      type: 'date',
      timestamp: toWholeSeconds(ms),
      format,
      fallback: plainInstant(ms),
    }),
  };
}

export function translationFor(language: Language = 'en'): SlackTranslation {
  return translations[language];
}

/** Returns the translation for the locale of a person's Slack. `otherwise`: the language without one. */
export function getTranslationForLocale(locale: string | undefined, otherwise: Language): SlackTranslation {
  return translationFor(languageOf(locale) ?? otherwise);
}

function toWholeSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
