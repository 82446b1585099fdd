import {slackLimits} from './names.js';

const decoded: Record<string, string> = {'&amp;': '&', '&lt;': '<', '&gt;': '>'};

/** What a person typed: Slack encodes these three characters and no others. In one pass, or `&amp;lt;` would become `<`. */
export function decodeText(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (entity) => decoded[entity] ?? entity);
}

const escaped: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;'};

/** Text that Slack shows as it is: no mention, channel ping or link. At most `max` characters, never ending within one. */
export function escapeText(text: string, max: number = slackLimits.messageText): string {
  let out = '';
  for (const char of text) {
    const next = escaped[char] ?? char;
    if (out.length + next.length > max) return `${cutEnd(out)}…`;
    out += next;
  }
  return out;
}

/** Room for the ellipsis, without leaving half an entity or half a surrogate pair. */
function cutEnd(text: string): string {
  return text.replace(/(?:&(?:amp|lt|gt);|[\ud800-\udbff][\udc00-\udfff]|[^])$/, '');
}

/** At most `max` UTF-16 code units, never half a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = text.codePointAt(max - 2) === text.charCodeAt(max - 2) ? max - 1 : max - 2;
  return `${text.slice(0, end)}…`;
}

/** Pieces of at most `max` code units that together are the text, never cut within a character. */
export function splitText(text: string, max: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const char of text) {
    if (piece.length + char.length > max) {
      pieces.push(piece);
      piece = '';
    }
    piece += char;
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
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

/** One update from the form's fields: each that is filled under its heading. */
export function composeUpdate(form: FormText): string {
  return headings
    .flatMap(([field, heading]) => (form[field].trim() === '' ? [] : [`${heading}\n${form[field].trim()}`]))
    .join('\n\n');
}

/** What an update said about its day: the part under Today, or all of it when it has no headings. */
export function todayOf(update: string): string {
  return /(?:^|\n\n)Today\n([^]*?)(?:\n\nBlockers\n[^]*)?$/.exec(update)?.[1] ?? update;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2026-11-24` as `Tue 24 Nov`. */
export function shortDay(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return `${weekdays[day.getUTCDay()]} ${day.getUTCDate()} ${months[day.getUTCMonth()]}`;
}

/** Unix ms as `Tue 24 Nov, 09:30 UTC`. */
export function shortInstant(ms: number): string {
  const instant = new Date(ms).toISOString();
  return `${shortDay(instant.slice(0, 10))}, ${instant.slice(11, 16)} UTC`;
}
