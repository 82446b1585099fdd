import {addDays} from '../domain/core/dates.js';
import type {CalendarFeed, WriteCalendarFile} from '../domain/schedules/calendar-feed.js';

/** The longest line (octets), without its end (RFC 5545 section 3.1). */
const longestLine = 75;

/**
 * Writes the lines itself: the library that reads calendar files takes half a second for the largest calendar,
 * in which nothing else could run.
 */
export const writeCalendarFile: WriteCalendarFile = ({name, runs, days}: CalendarFeed) => {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Team Standup Service//Calendar feed//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...runs.flatMap((run) =>
      listEventLines(run, [
        `DTSTART:${toUtc(run.opensAt)}`,
        `DTEND:${toUtc(run.closesAt)}`,
        `URL:${run.url}`,
      ]),
    ),
    ...days.flatMap((one) =>
      listEventLines(one, [
        `DTSTART;VALUE=DATE:${one.from.replaceAll('-', '')}`,
        `DTEND;VALUE=DATE:${addDays(one.until, 1).replaceAll('-', '')}`,
        ...(one.note === null ? [] : [`DESCRIPTION:${escapeText(one.note)}`]),
      ]),
    ),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
};

function listEventLines(
  {uid, title, changedAt}: {readonly uid: string; readonly title: string; readonly changedAt: string},
  own: readonly string[],
): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${toUtc(changedAt)}`,
    `SUMMARY:${escapeText(title)}`,
    ...own,
    // Neither a standup nor somebody else's day off makes the reader busy.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** Returns an instant without milliseconds, which have no place in the format. */
function toUtc(instant: string): string {
  return `${instant.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Escapes a text (RFC 5545 section 3.3.11), without the control characters that the format cannot hold. */
function escapeText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);
}

/** Divides a long line between two characters. Each further part begins with a space. */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= longestLine) return line;
  let [folded, octets] = ['', 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > longestLine) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
