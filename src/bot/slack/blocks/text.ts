import {findCutPositionBefore, ellipsis} from '../../texts/cut-text.js';
import {slackLimits} from './names.js';

const decoded: Record<string, string> = {'&amp;': '&', '&lt;': '<', '&gt;': '>'};

/** Decodes a text from Slack, in one pass: otherwise `&amp;lt;` would become `<`. */
export function decodeText(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (entity) => decoded[entity] ?? entity);
}

const escaped: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;'};

/** Escapes a text. Beyond `max` UTF-16 units it is cut visibly, but not within an entity or character. */
export function escapeText(text: string, max: number = slackLimits.messageText): string {
  const whole = escapeAll(text);
  if (whole.length <= max) return whole;
  let [length, end] = [ellipsis.length, 0];
  for (const char of text) {
    length += (escaped[char] ?? char).length;
    if (length > max) break;
    end += char.length;
  }
  return `${escapeAll(text.slice(0, findCutPositionBefore(text, end)))}${ellipsis}`;
}

/** Cuts a text that is already escaped. The text may begin with our own markup. */
export function cutEscapedText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = findCutPositionBefore(text, max - ellipsis.length);
  return `${text.slice(0, end).replace(/&[a-z]*$/, '')}${ellipsis}`;
}

export function escapeAll(text: string): string {
  return text.replaceAll(/[&<>]/g, (char) => escaped[char] ?? char);
}

export const formParts = ['yesterday', 'today', 'blockers'] as const;
export const formHeadings = {yesterday: 'Yesterday', today: 'Today', blockers: 'Blockers'} as const;

/** The three parts of an update that the form asks for. */
export type FormText = Readonly<Record<(typeof formParts)[number], string>>;

/** Composes one update from the form's fields: each filled field with its heading. */
export function composeUpdate(form: FormText): string {
  return formParts
    .flatMap((part) => (form[part].trim() === '' ? [] : [`${formHeadings[part]}\n${form[part].trim()}`]))
    .join('\n\n');
}
