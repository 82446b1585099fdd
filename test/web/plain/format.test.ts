import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {
  dateInZone,
  formatAge,
  formatDay,
  formatDayLong,
  formatHour,
  formatHourOfDay,
  formatMoment,
  formatNumber,
  formatRelative,
  formatTimeSince,
  formatSpan,
  formatTime,
  formatViewerAndTeamTime,
  formatZone,
} from '../../../web/texts/format.ts';
import {formatClock, formatExact} from '../../../web/texts/format-exact.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

const now = '2026-11-20T10:26:00.000Z';
const minutes = (amount: number) => Date.parse(now) + amount * 60_000;

/** Removes differences between releases of Node: commas, and kinds of spaces. */
const plain = (text: string) =>
  text
    .replaceAll(',', '')
    .replaceAll(/\s*–\s*/g, '–')
    .replaceAll(/\s/g, ' ');

let browser: FakeBrowser;

beforeAll(() => {
  browser = createFakeBrowser();
});
afterAll(() => browser.close());

describe('the British English format', () => {
  beforeAll(() => browser.speak('en-GB'));

  it('shows times with 24 hours and two digits, in the given time zone', () => {
    expect(plain(formatTime(now, 'Europe/Berlin'))).toBe('11:26');
    expect(plain(formatTime('2026-11-20T00:05:00Z', 'UTC'))).toBe('00:05');
    expect(plain(formatTime(minutes(0), 'Asia/Kathmandu'))).toBe('16:11');
  });

  it('uses the browser’s own clock for a time zone that the browser does not know, without an error', () => {
    expect(formatTime(now, 'Mars/Olympus')).toBe(formatTime(now));
    expect(formatZone('Mars/Olympus', now)).toBe('Olympus');
  });

  it('shows weekday, year and time zone in the full form of an instant', () => {
    expect(plain(formatMoment(now, 'Europe/Berlin'))).toBe('Friday 20 November 2026 at 11:26 CET');
  });

  it('shows the year of a day only when it is another year', () => {
    expect(plain(formatDay('2026-11-20', {now}))).toBe('20 Nov');
    expect(plain(formatDay('2025-11-20', {now}))).toBe('20 Nov 2025');
    expect(plain(formatDay('2026-11-20', {now, weekday: true}))).toBe('Fri 20 Nov');
    expect(plain(formatDayLong('2026-11-20'))).toBe('Friday 20 November 2026');
  });

  it('shows the common part of a span’s two ends only once', () => {
    expect(plain(formatSpan('2026-11-20', '2026-11-24', now))).toBe('20–24 Nov');
    expect(plain(formatSpan('2026-11-28', '2026-12-02', now))).toBe('28 Nov–2 Dec');
    expect(plain(formatSpan('2026-12-28', '2027-01-02', now))).toBe('28 Dec 2026–2 Jan 2027');
    expect(plain(formatSpan('2026-11-20', '2026-11-20', now))).toBe('20 Nov');
    expect(plain(formatSpan('2026-11-20', null, now))).toBe('from 20 Nov');
  });

  it('shows an age in the largest unit that it fills', () => {
    const ages = [59, 60, 3_599, 3_600, 172_799, 172_800, 2_592_000].map((seconds) =>
      formatAge(seconds * 1_000),
    );
    expect(ages).toEqual(['now', '1 min', '59 min', '1 h', '47 h', '2 d', '30 d']);
    expect(formatAge('2026-11-17T10:26:00Z', now)).toBe('3 d');
  });

  it('rounds a future time up, so that it is never “now” before its time', () => {
    expect(formatRelative(minutes(34), now)).toBe('in 34 min');
    expect(formatRelative(minutes(0) + 1, now)).toBe('in 1 min');
    expect(formatRelative(minutes(0), now)).toBe('now');
    expect(formatRelative(minutes(-125), now)).toBe('2 h ago');
  });

  it('never shows a past event as future, even when another clock is ahead of ours', () => {
    expect(formatTimeSince(minutes(0) + 9_000, now)).toBe('now');
    expect(formatTimeSince(minutes(-125), now)).toBe('2 h ago');
  });

  it('shows a time by the viewer’s clock, with the team’s time and day where they differ', () => {
    const noon = '2026-11-20T12:00:00Z';
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(formatViewerAndTeamTime(noon, own, '2026-11-20')).toBe(formatTime(noon));
    expect(plain(formatViewerAndTeamTime(noon, 'Asia/Kathmandu', '2026-11-20'))).toBe(
      `${formatTime(noon)} (17:45 in Kathmandu)`,
    );
    expect(plain(formatViewerAndTeamTime(noon, 'Pacific/Kiritimati', '2026-11-21'))).toBe(
      `Fri 20 Nov ${formatTime(noon)} (02:00 in Kiritimati)`,
    );
  });

  it('shows a time zone as its place and its offset from UTC at that instant', () => {
    expect(formatZone('Europe/Berlin', now)).toBe('Berlin, GMT+1');
    expect(formatZone('Europe/Berlin', '2026-07-20T10:00:00Z')).toBe('Berlin, GMT+2');
    expect(formatZone('America/Argentina/Buenos_Aires', now)).toBe('Buenos Aires, GMT-3');
    expect(formatZone('UTC', now)).toBe('UTC');
  });

  it('gives an instant its day in a time zone', () => {
    expect(dateInZone('2026-11-20T23:30:00Z', 'Pacific/Auckland')).toBe('2026-11-21');
    expect(dateInZone('2026-11-20T03:30:00Z', 'America/New_York')).toBe('2026-11-19');
  });

  it('shows numbers with a comma for thousands and a point for decimals', () => {
    expect(formatNumber(1_234.5)).toBe('1,234.5');
    expect(formatNumber(0.83, {style: 'percent'})).toBe('83%');
  });
});

describe('other formats', () => {
  it('show a time with 12 hours in the United States', async () => {
    await browser.speak('en-US');
    expect(plain(formatTime(now, 'America/New_York'))).toBe('5:26 AM');
    expect(plain(formatDay('2026-11-20', {now, weekday: true}))).toBe('Fri Nov 20');
  });

  it('shorten the hour of an axis, with 12 or 24 hours, so that its neighbours have room', async () => {
    const evening = '2026-11-20T18:00:00Z';
    await browser.speak('en-US');
    expect(plain(formatHour(evening, 'UTC'))).toBe('6 PM');
    await browser.speak('de-DE');
    expect(plain(formatHour(evening, 'UTC'))).toBe('18:00');
  });

  it('show seconds and full hours with 12 hours where other times have 12 hours', async () => {
    await browser.speak('en-US');
    expect(plain(formatClock(now))).toMatch(/^\d{1,2}:26:00 [AP]M$/);
    expect(plain(formatExact(now))).toMatch(/:26:00\.000 [AP]M /);
    expect(plain(formatHourOfDay(20))).toBe('8 PM');
    await browser.speak('de-DE');
    expect(formatClock(now)).toMatch(/^\d\d:26:00$/);
    expect(formatExact(now)).toMatch(/ \d\d:26:00,000 /);
    expect(formatHourOfDay(7)).toBe('07:00');
  });

  it('follow the system’s language in the dashboard', async () => {
    await browser.speak('de_DE.UTF-8');
    expect(plain(formatTime('2026-11-20T08:05:00Z', 'Europe/Berlin'))).toBe('09:05');
    await browser.speak('en-US@posix');
    expect(plain(formatTime(now, 'America/New_York'))).toBe('5:26 AM');
  });

  it('are completely German in German', async () => {
    await browser.speak('de-DE');
    expect(plain(formatTime('2026-11-20T08:05:00Z', 'Europe/Berlin'))).toBe('09:05');
    expect(plain(formatDay('2026-11-20', {now, weekday: true}))).toBe('Fr. 20. Nov.');
    expect(formatRelative(minutes(34), now)).toBe('in 34 min');
    expect(formatRelative(minutes(-3 * 1_440), now)).toBe('vor 3 Tg.');
    expect(plain(formatSpan('2026-11-20', '2026-11-24', now))).toBe('20.–24. Nov.');
    expect(formatNumber(1_234.5)).toBe('1.234,5');
  });
});
