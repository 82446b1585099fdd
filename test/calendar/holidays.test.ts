import {afterAll, expect, it} from '@jest/globals';
import {createPublicHolidays} from '../../src/calendar/holidays.js';

const holidays = createPublicHolidays();
afterAll(() => holidays.close());

const list = async (country: string, region: string | null, from: string, until: string, loaded = holidays) =>
  Object.fromEntries(await loaded.list({country, region}, from, until));

it('regression: loading holidays and computing a year of them does not block the process', async () => {
  // A new instance, so that the holidays are loaded during the measurement.
  const fresh = createPublicHolidays();
  const [ofAll, ofThread] = [process.cpuUsage(), process.threadCpuUsage()];
  const found = await list('CN', null, '2026-01-01', '2026-12-31', fresh);
  const [all, thread] = [process.cpuUsage(ofAll), process.threadCpuUsage(ofThread)];
  // The share is about 2 %. If this thread did the work too, it would be a third; if alone, nearly all.
  expect((thread.user + thread.system) / (all.user + all.system)).toBeLessThan(0.2);
  expect(Object.keys(found).length).toBeGreaterThan(3);
  await fresh.close();
});

it('the holidays of a country differ by region, and have English names', async () => {
  expect(await list('DE', null, '2026-01-01', '2026-01-31')).toEqual({'2026-01-01': "New Year's Day"});
  expect(await list('DE', 'BY', '2026-01-01', '2026-01-31')).toEqual({
    '2026-01-01': "New Year's Day",
    '2026-01-06': 'Epiphany',
  });
  const augsburg = await list('DE', 'BY-A', '2026-08-01', '2026-08-31');
  expect(Object.keys(augsburg)).toContain('2026-08-08');
});

it('a substitute day counts in addition to the holiday itself', async () => {
  expect(Object.keys(await list('GB', 'ENG', '2027-12-20', '2027-12-31'))).toEqual([
    '2027-12-25',
    '2027-12-26',
    '2027-12-27',
    '2027-12-28',
  ]);
});

it('each day of a long holiday counts, a half day does not, and a change of clocks makes no difference', async () => {
  expect(Object.keys(await list('SA', null, '2026-03-01', '2026-03-31'))).toEqual([
    '2026-03-19',
    '2026-03-20',
    '2026-03-21',
    '2026-03-22',
  ]);
  // Christmas Eve is a holiday in Iceland only from noon on.
  expect(await list('IS', null, '2026-12-24', '2026-12-24')).toEqual({});
  expect(await list('IS', null, '2026-12-25', '2026-12-25')).toEqual({'2026-12-25': expect.any(String)});
  // 2026-11-01 has 25 hours in Haiti.
  expect(Object.keys(await list('HT', null, '2026-11-01', '2026-11-01'))).toEqual(['2026-11-01']);
});

it('a period across New Year has the holidays of both years, and a period without a country has none', async () => {
  const newYear = await list('GB', 'SCT', '2026-12-25', '2027-01-02');
  expect(Object.keys(newYear)).toEqual(expect.arrayContaining(['2026-12-25', '2027-01-01', '2027-01-02']));
  expect(await holidays.list({country: null, region: null}, '2026-01-01', '2026-12-31')).toEqual(new Map());
});

it('a day that is only a school or bank holiday, or only a custom, does not count as a holiday', async () => {
  // Christmas Eve is observed in Germany, but is a working day.
  expect(await list('DE', null, '2026-12-24', '2026-12-24')).toEqual({});
});

it.each([
  ['UK', null, 'country', /"UK"/],
  ['GERMANY', null, 'country', /DE \(/],
  ['DE', 'BAVARIA', 'region', /Germany has no part "BAVARIA"/],
  ['DE', 'BYY', 'region', /BY \(/],
  ['GB', 'LONDON', 'region', /ENG \(England\)/],
  ['DE', 'BY-X', 'region', /BY-A \(/],
  ['JP', '13', 'region', /no part "13"/],
  ['__proto__', null, 'country', /no holidays/],
  [null, 'BY', 'region', /country/],
])(
  'country %s with region %s is refused for its %s, and the error lists the possible values',
  async (country, region, member, detail) => {
    const error = await holidays.findRegionError({country, region});
    expect(error).toEqual({member, detail: expect.stringMatching(detail)});
  },
);

it.each([
  ['DE', null],
  ['DE', 'BY'],
  ['DE', 'BY-A'],
  [null, null],
])('country %s with region %s can be chosen', async (country, region) => {
  expect(await holidays.findRegionError({country, region})).toBeUndefined();
});
