import {expect, it} from '@jest/globals';
import {createCalendarReader} from '../../src/calendar/calendar-reader.js';
import {asId} from '../support/ids.js';
import {measureTime} from '../support/stopwatch.js';

const workspaceOf = (n: number) => asId<'workspace'>(`ws_${n}`);
const ours = workspaceOf(0);
const time = {from: '2025-01-01', until: '2031-12-31'};
const ics = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'DTSTART;VALUE=DATE:20261224',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

it('a calendar file that takes too long to read is refused, and the next file is read in a new thread', async () => {
  const hurried = createCalendarReader(1);
  const refused = {error: expect.stringContaining('takes too long to read')};
  const event = ['BEGIN:VEVENT', 'DTSTART;VALUE=DATE:00010101', 'RRULE:FREQ=YEARLY;BYDAY=1MO', 'END:VEVENT'];
  const costly = ['BEGIN:VCALENDAR', ...Array.from({length: 300}, () => event).flat(), 'END:VCALENDAR'];
  expect(await hurried.readCalendarFile(ours, costly.join('\r\n'), time)).toEqual(refused);
  expect(await hurried.readCalendarFile(ours, costly.join('\r\n'), time)).toEqual(refused);
  await hurried.close();
  const usual = createCalendarReader();
  const read = await Promise.all([1, 2, 3].map((n) => usual.readCalendarFile(workspaceOf(n), ics, time)));
  expect(read).toEqual(read.map(() => ({days: [{date: '2026-12-24', name: 'Holiday'}]})));
  await usual.close();
});

it('calendar files are refused while too many wait, and accepted once those have been read', async () => {
  const reader = createCalendarReader();
  const read = await Promise.allSettled(
    Array.from({length: 20}, (_, i) => reader.readCalendarFile(workspaceOf(i), ics, time)),
  );
  const refused = read.filter(({status}) => status === 'rejected');
  expect(refused).toHaveLength(11);
  expect(refused[0]).toMatchObject({reason: {code: 'service_unavailable'}});
  expect(await reader.readCalendarFile(ours, ics, time)).toMatchObject({days: [{date: '2026-12-24'}]});
  await reader.close();
});

it('regression: a workspace that sends very many calendar files at once does not block files of other workspaces', async () => {
  const reader = createCalendarReader();
  const [one, other] = [workspaceOf(1), workspaceOf(2)];
  const many = Array.from({length: 50}, () => reader.readCalendarFile(one, ics, time));
  const theirs = reader.readCalendarFile(other, ics, time);
  const settled = await Promise.allSettled(many);
  expect(settled.filter(({status}) => status === 'fulfilled')).toHaveLength(2);
  expect(settled.at(-1)).toMatchObject({reason: {message: expect.stringContaining('of this workspace')}});
  expect(await theirs).toMatchObject({days: [{date: '2026-12-24'}]});
  expect(await reader.readCalendarFile(one, ics, time)).toMatchObject({days: [{date: '2026-12-24'}]});
  await reader.close();
});

it('regression: a slow start of the reading thread does not count towards the time limit of a calendar file', async () => {
  const expected = {days: [{date: '2026-12-24', name: 'Holiday'}]};
  // A busy machine may also delay the file itself, but hardly five times in a row.
  for (let attempt = 1; ; attempt += 1) {
    const first = createCalendarReader();
    const [read, ms] = await measureTime(() => first.readCalendarFile(ours, ics, time));
    await first.close();
    expect(read).toEqual(expected);
    // Nearly all of that time was the start of the thread, so half of it is enough as the limit for a file.
    const second = createCalendarReader(ms / 2);
    const limited = await second.readCalendarFile(ours, ics, time);
    await second.close();
    if (attempt < 5 && !('days' in limited)) continue;
    expect(limited).toEqual(expected);
    break;
  }
});
