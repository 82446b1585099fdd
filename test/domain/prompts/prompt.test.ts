import {expect, test} from '@jest/globals';
import {createZones} from '../../../src/calendar/zones.js';
import {findEndOfQuietHours} from '../../../src/domain/prompts/prompt.js';

const zones = createZones();
const at = (instant: string) => Date.parse(instant);

test.each([
  ['before quiet hours', '22:00', '07:30', '2026-11-24T20:59:00Z', '2026-11-24T20:59:00Z'],
  ['in the evening', '22:00', '07:30', '2026-11-24T21:00:00Z', '2026-11-25T06:30:00Z'],
  ['after midnight', '22:00', '07:30', '2026-11-24T23:30:00Z', '2026-11-25T06:30:00Z'],
  ['at the end of quiet hours', '22:00', '07:30', '2026-11-25T06:30:00Z', '2026-11-25T06:30:00Z'],
  ['at noon', '12:00', '13:00', '2026-11-24T11:15:00Z', '2026-11-24T12:00:00Z'],
  [
    'before an end of quiet hours that is skipped in spring',
    '22:00',
    '02:30',
    '2026-03-29T00:10:00Z',
    '2026-03-29T01:00:00Z',
  ],
  ['in the second pass of an hour', '22:00', '02:30', '2026-10-25T01:10:00Z', '2026-10-25T01:10:00Z'],
])('a prompt that is due %s is sent outside quiet hours', (_, from, until, due, expected) => {
  const choice = {quiet_from: from, quiet_until: until};
  expect(findEndOfQuietHours(choice, 'Europe/Berlin', at(due), zones)).toBe(at(expected));
});

test('a prompt is sent when it is due if the member has no quiet hours', () => {
  const due = at('2026-11-24T23:30:00Z');
  expect(findEndOfQuietHours({quiet_from: null, quiet_until: null}, 'Europe/Berlin', due, zones)).toBe(due);
});
