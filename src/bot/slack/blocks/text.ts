import {slackLimits} from './names.js';

const decoded: Record<string, string> = {'&amp;': '&', '&lt;': '<', '&gt;': '>'};

/**
 * What a person typed: Slack encodes these three characters and no others. In one pass, or `&amp;lt;` would
 * become `<`.
 */
export function decodeText(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (entity) => decoded[entity] ?? entity);
}

const escaped: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;'};

/**
 * Text that Slack shows as it is: no mention, channel ping or link. At most `max` UTF-16 code units, cut
 * where a person sees a cut; never within an entity, nor within a character of several code points unless
 * that alone is too long.
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
  return `${escapeAll(text.slice(0, boundaryBefore(text, end)))}${ellipsis}`;
}

function escapeAll(text: string): string {
  return text.replaceAll(/[&<>]/g, (char) => escaped[char] ?? char);
}

const ellipsis = '…';

/** At most `max` UTF-16 code units, with an ellipsis where it was cut. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, boundaryBefore(text, max - ellipsis.length))}${ellipsis}`;
}

/** Pieces of at most `max` code units (2 or more) that together are the text. */
export function splitText(text: string, max: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > max) {
    const end = boundaryBefore(text, from + max, from);
    pieces.push(text.slice(from, end));
    from = end;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/**
 * What a person takes for one character (an emoji with its parts, a flag, a letter with its marks) is the
 * same in every language.
 */
const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});

/**
 * The last place at or before `index`, and after `from`, where a text may be cut: between what a person
 * takes for characters, or, where one of those reaches back to `from`, at least between code points. Looks
 * at one place, not at the whole text, so that 40,000 characters cost less than a millisecond.
 */
export function boundaryBefore(text: string, index: number, from: number = 0): number {
  if (index <= from || index >= text.length) return Math.max(from, Math.min(index, text.length));
  const at = graphemes.segment(text).containing(index)?.index ?? index;
  if (at > from) return at;
  const splitsPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(index - 1, index + 1));
  return splitsPair ? index - 1 : index;
}

/** What the form asks for. */
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

/** One update from the form's fields: each that is filled under its heading. */
export function composeUpdate(form: FormText): string {
  return headings
    .flatMap(([field, heading]) => (form[field].trim() === '' ? [] : [`${heading}\n${form[field].trim()}`]))
    .join('\n\n');
}

export {todayOf} from '../../../domain/core/text.js';

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2026-11-24` as `Tue 24 Nov`. */
export function shortDay(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return `${weekdays[day.getUTCDay()]} ${day.getUTCDate()} ${months[day.getUTCMonth()]}`;
}
