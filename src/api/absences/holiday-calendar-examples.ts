import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';
import {member} from '../members/examples.js';

const file = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Example//Holidays//EN',
  'BEGIN:VEVENT',
  'UID:founding-day@example.com',
  'DTSTAMP:20251201T000000Z',
  'DTSTART;VALUE=DATE:20260901',
  'SUMMARY:Founding day',
  'RRULE:FREQ=YEARLY;COUNT=2',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

export const holidayCalendar = {
  id: exampleIds.holiday_calendar,
  object: 'holiday_calendar',
  name: 'Company holidays',
  from: '2025-01-01',
  until: '2031-12-31',
  days: [
    {date: '2026-09-01', name: 'Founding day'},
    {date: '2027-09-01', name: 'Founding day'},
  ],
  revision: 1,
  created_at: '2026-01-05T09:30:00.000Z',
  updated_at: '2026-01-05T09:30:00.000Z',
};

export const daysOffExamples: Examples = {
  listDaysOff: {
    query: {team: 'platform', from: '2026-12-21', until: '2026-12-31'},
    answer: lastPage({
      object: 'member_days_off',
      member: {type: 'member', id: member.id, name: member.name},
      days_off: [
        {status: 'holiday', from: '2026-12-25', until: '2026-12-25', reason: 'Christmas Day', absence: null},
        {
          status: 'away',
          from: '2026-12-28',
          until: '2026-12-31',
          reason: 'Vacation',
          absence: exampleIds.absence,
        },
      ],
    }),
  },
  listHolidayRegions: {
    query: {country: 'DE'},
    answer: lastPage(
      {object: 'holiday_region', country: 'DE', region: 'BY', name: 'Bayern'},
      {object: 'holiday_region', country: 'DE', region: 'BY-A', name: 'Bayern, Stadt Augsburg'},
    ),
  },
};

export const holidayCalendarExamples: Examples = {
  createHolidayCalendar: {body: {name: 'Company holidays', ics: file}, answer: holidayCalendar},
  listHolidayCalendars: {query: {limit: '50'}, answer: lastPage(holidayCalendar)},
  getHolidayCalendar: {answer: holidayCalendar},
  deleteHolidayCalendar: {},
};
