import {findCutPositionBefore, ellipsis} from '../../texts/cut-text.js';
import {slackLimits} from './names.js';

const decoded: Record<string, string> = {'&amp;': '&', '&lt;': '<', '&gt;': '>'};

/** Decodes a text from Slack, in one pass: otherwise `&amp;lt;` would become `<`. */
export function decodeText(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (entity) => decoded[entity] ?? entity);
}

const escaped: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;'};

/**
 * Escapes a text so that Slack shows it as it is. A text longer than `max` UTF-16 code units is cut visibly,
 * never within an entity or a character, unless one alone is too long.
 */
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

function escapeAll(text: string): string {
  return text.replaceAll(/[&<>]/g, (char) => escaped[char] ?? char);
}

/** The three parts of an update that the form asks for. */
export interface FormText {
  readonly yesterday: string;
  readonly today: string;
  readonly blockers: string;
}

const headings = [
  ['yesterday', 'Yesterday'],
  ['today', 'Today'],
  ['blockers', 'Blockers'],
] as const;

export const formHeadings: readonly string[] = headings.map(([, heading]) => heading);

/** Composes one update from the form's fields: each filled field with its heading. */
export function composeUpdate(form: FormText): string {
  return headings
    .flatMap(([field, heading]) => (form[field].trim() === '' ? [] : [`${heading}\n${form[field].trim()}`]))
    .join('\n\n');
}

export {findTodaySection} from '../../../domain/core/text.js';
