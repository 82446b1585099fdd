import {addDays} from '../domain/core/dates.js';
import type {CalendarFeed, WriteCalendarFile} from '../domain/schedules/calendar-feed.js';

/** The longest part of a line (octets), after which the library adds one more: RFC 5545 allows 75. */
const foldLength = 74;

export const writeCalendarFile: WriteCalendarFile = async ({name, runs, days}: CalendarFeed) => {
  const {default: ICAL} = await import('ical.js');
  ICAL.foldLength = foldLength;
  const calendar = new ICAL.Component('vcalendar');
  const addText = (to: InstanceType<typeof ICAL.Component>, property: string, text: string): void => {
    to.addPropertyWithValue(property, cleanText(text));
  };
  addText(calendar, 'version', '2.0');
  addText(calendar, 'prodid', '-//Team Standup Service//Calendar feed//EN');
  addText(calendar, 'calscale', 'GREGORIAN');
  addText(calendar, 'method', 'PUBLISH');
  addText(calendar, 'name', name);
  addText(calendar, 'x-wr-calname', name);
  calendar
    .addPropertyWithValue('refresh-interval', ICAL.Duration.fromString('PT1H'))
    .setParameter('value', 'DURATION');
  addText(calendar, 'x-published-ttl', 'PT1H');

  function addEvent({
    uid,
    title,
    changedAt,
  }: {
    readonly uid: string;
    readonly title: string;
    readonly changedAt: string;
  }) {
    const event = new ICAL.Component('vevent');
    addText(event, 'uid', uid);
    event.addPropertyWithValue('dtstamp', toTime(changedAt));
    addText(event, 'summary', title);
    // Neither a standup nor somebody else's day off makes the reader busy.
    addText(event, 'transp', 'TRANSPARENT');
    calendar.addSubcomponent(event);
    return event;
  }
  // Milliseconds have no place in the format.
  const toTime = (instant: string) => ICAL.Time.fromDateTimeString(`${instant.slice(0, 19)}Z`);

  for (const {opensAt, closesAt, url, ...shown} of runs) {
    const event = addEvent(shown);
    event.addPropertyWithValue('dtstart', toTime(opensAt));
    event.addPropertyWithValue('dtend', toTime(closesAt));
    event.addPropertyWithValue('url', url);
  }
  for (const {from, until, note, ...shown} of days) {
    const event = addEvent(shown);
    event.addPropertyWithValue('dtstart', ICAL.Time.fromDateString(from));
    event.addPropertyWithValue('dtend', ICAL.Time.fromDateString(addDays(until, 1)));
    if (note !== null) addText(event, 'description', note);
  }
  return `${calendar.toString()}\r\n`;
};

/** Returns a text without the control characters that the format cannot hold. */
function cleanText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\t\n]/gu, '');
}
