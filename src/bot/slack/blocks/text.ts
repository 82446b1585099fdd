import {boundaryBefore, ellipsis} from '../../words/cut-text.js';
import {slackLimits} from './names.js';

const decoded: Record<string, string> = {'&amp;': '&', '&lt;': '<', '&gt;': '>'};

/**
 * Text as a person typed it: Slack encodes these three characters and no others. In one pass, or `&amp;lt;`
 * would become `<`.
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

/** The same of a text that is escaped already, and begins with marks of ours, if it has any. */
export function cutEscaped(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = boundaryBefore(text, max - ellipsis.length);
  return `${text.slice(0, end).replace(/&[a-z]*$/, '')}${ellipsis}`;
}

function escapeAll(text: string): string {
  return text.replaceAll(/[&<>]/g, (char) => escaped[char] ?? char);
}

/** The parts that the form asks for. */
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
