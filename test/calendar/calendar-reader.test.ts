import {expect, it} from '@jest/globals';
import {createCalendarReader} from '../../src/calendar/calendar-reader.js';
import {timed} from '../support/stopwatch.js';

const time = {from: '2025-01-01', until: '2031-12-31'};
const ics = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'DTSTART;VALUE=DATE:20261224',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

it('refuses a file for which its time is not enough, and reads on in a new thread', async () => {
  const hurried = createCalendarReader(1);
  const refused = {fault: expect.stringContaining('takes too long to read')};
  const event = ['BEGIN:VEVENT', 'DTSTART;VALUE=DATE:00010101', 'RRULE:FREQ=YEARLY;BYDAY=1MO', 'END:VEVENT'];
  const costly = ['BEGIN:VCALENDAR', ...Array.from({length: 300}, () => event).flat(), 'END:VCALENDAR'];
  expect(await hurried.readCalendarFile(costly.join('\r\n'), time)).toEqual(refused);
  expect(await hurried.readCalendarFile(costly.join('\r\n'), time)).toEqual(refused);
  await hurried.close();
  const usual = createCalendarReader();
  const read = await Promise.all([1, 2, 3].map(() => usual.readCalendarFile(ics, time)));
  expect(read).toEqual(read.map(() => ({days: [{date: '2026-12-24', name: 'Holiday'}]})));
  await usual.close();
});

it('refuses more files at once than may wait, and takes them when those have been read', async () => {
  const reader = createCalendarReader();
  const read = await Promise.allSettled(Array.from({length: 20}, () => reader.readCalendarFile(ics, time)));
  const refused = read.filter(({status}) => status === 'rejected');
  expect(refused).toHaveLength(11);
  expect(refused[0]).toMatchObject({reason: {code: 'service_unavailable'}});
  expect(await reader.readCalendarFile(ics, time)).toMatchObject({days: [{date: '2026-12-24'}]});
  await reader.close();
});

it('regression: a start of the thread that takes long makes no file too slow to read', async () => {
  const first = createCalendarReader();
  const [read, ms] = await timed(() => first.readCalendarFile(ics, time));
  await first.close();
  // Nearly all of that was the start.
  const second = createCalendarReader(ms / 2);
  expect(await second.readCalendarFile(ics, time)).toEqual(read);
  expect(read).toEqual({days: [{date: '2026-12-24', name: 'Holiday'}]});
  await second.close();
});
