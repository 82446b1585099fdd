import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {PreviewedRun} from '../../../web/api/schema.ts';
import {computeUtcOffset} from '../../../web/parts/utc-offset.ts';
import {listUpcomingClockChanges, findClockChange, splitIntoClockPhases} from '../../../web/team/clocks.ts';
import {deriveUniqueKey, moveItem} from '../../../web/team/question-drafts.ts';
import {newSchedule} from '../../../web/team/new-team.ts';
import {formatTimeOnDay, describeSchedule} from '../../../web/team/schedule-draft.ts';
import {deriveSlug} from '../../../web/team/slug.ts';
import {describeChange} from '../../../web/team/describe-change.ts';
import {loadTexts} from '../../../web/texts/texts.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

let browser: FakeBrowser;
beforeAll(async () => {
  browser = createFakeBrowser();
  await browser.speak('en-GB');
  await loadTexts('leading');
});
afterAll(() => browser.close());

const people = [
  ['Ada', 'Europe/Berlin'],
  ['Grace', 'America/New_York'],
  ['Ravi', 'Asia/Kolkata'],
] as const;

/** A preview of a two-hour run that opens at the same instant for every member. */
function runAt(opens: string, date = opens.slice(0, 10)): PreviewedRun {
  const from = Date.parse(opens);
  const until = from + 2 * 3_600_000;
  const localOf = (zone: string) => {
    const local = (at: number) => new Date(at + computeUtcOffset(zone, at)).toISOString().slice(0, 16);
    return {opens: local(from), closes: local(until), reminders: []};
  };
  const window = {
    opens_at: opens,
    closes_at: new Date(until).toISOString(),
    reminders_at: [],
    asked_at: [],
  };
  return {
    date,
    ...window,
    local: localOf('Europe/Berlin'),
    members: people.map(([name, timezone]) => ({
      id: `mem_${name}`,
      name,
      timezone,
      ...window,
      local: localOf(timezone),
    })),
  };
}

/** Runs that open at 09:00 in Berlin. */
const autumn = [
  runAt('2026-10-22T07:00:00.000Z'),
  runAt('2026-10-23T07:00:00.000Z'),
  runAt('2026-10-26T08:00:00.000Z'),
  runAt('2026-10-30T08:00:00.000Z'),
  runAt('2026-11-02T08:00:00.000Z'),
];

test('a time on the day after its run’s day is marked with that, in the schedule and by each person’s clock', () => {
  const draft = {...newSchedule, kind: 'weekly', nth: '1', day: 'mon', startsOn: null} as const;
  const hours = {opens: '09:00', closes: '08:00', paused: false, promptAt: 'both'} as const;
  const facts = describeSchedule({...draft, ...hours}, 'Europe/Berlin');
  expect(facts).toContainEqual(['Open', '09:00 to 08:00 the next day']);
  expect(formatTimeOnDay('22:00', -1)).toBe('22:00 the day before');
});

describe('clock changes in a preview', () => {
  const now = '2026-10-20T09:00:00.000Z';

  test('are shown between the runs before and after, with the people whose time changes', () => {
    const story = splitIntoClockPhases({timezone: 'Europe/Berlin', runs: autumn});
    expect(
      story.map((part) => (part.kind === 'phase' ? part.dates.length : describeChange(part, now))),
    ).toEqual([
      2,
      [
        'Sunday 25 Oct: clocks go back an hour in Berlin.',
        'From then on, standups open at 04:00 instead of 03:00 in New York (Grace).',
        'From then on, standups open at 13:30 instead of 12:30 in Kolkata (Ravi).',
      ],
      2,
      [
        'Sunday 1 Nov: clocks go back an hour in New York.',
        'From then on, standups open at 03:00 instead of 04:00 in New York (Grace).',
      ],
      1,
    ]);
  });

  test('say that no one’s times change where each person follows their own clock', () => {
    const alone = (run: PreviewedRun): PreviewedRun => ({...run, members: run.members.slice(0, 1)});
    const story = splitIntoClockPhases({timezone: 'Europe/Berlin', runs: autumn.slice(0, 3).map(alone)});
    expect(story[1]).toMatchObject({kind: 'change', effects: []});
    expect(story[1]?.kind === 'change' && describeChange(story[1], now)[1]).toBe(
      'No one’s local times change.',
    );
  });

  test('are described in German, too', async () => {
    await browser.speak('de-DE');
    const [, change] = splitIntoClockPhases({timezone: 'Europe/Berlin', runs: autumn});
    expect(change?.kind === 'change' && describeChange(change, now).slice(0, 2)).toEqual([
      expect.stringMatching(/^Sonntag, 25\. Okt.*: In Berlin gehen die Uhren eine Stunde zurück\.$/),
      'Ab dann öffnet es in New York um 04:00 statt um 03:00 (Grace).',
    ]);
    await browser.speak('en-GB');
  });

  test('distinguish a change forward, a change by half an hour, and no change', () => {
    expect(findClockChange('Europe/Berlin', Date.parse('2027-03-01'), Date.parse('2027-04-30'))).toEqual({
      at: Date.parse('2027-03-28T01:00Z'),
      minutes: 60,
    });
    expect(
      findClockChange('Australia/Lord_Howe', Date.parse('2027-03-01'), Date.parse('2027-05-01')),
    ).toEqual({
      at: Date.parse('2027-04-03T15:00Z'),
      minutes: -30,
    });
    expect(findClockChange('Asia/Tokyo', Date.parse('2027-01-01'), Date.parse('2028-01-01'))).toBeUndefined();
  });

  test('are listed by day within a year, with places that change together in one line', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Europe/Paris', 'Asia/Tokyo'];
    expect(listUpcomingClockChanges(zones, Date.parse('2026-10-01'))).toEqual([
      {date: '2026-10-25', minutes: -60, zones: ['Europe/Berlin', 'Europe/Paris']},
      {date: '2026-11-01', minutes: -60, zones: ['America/New_York']},
      {date: '2027-03-14', minutes: 60, zones: ['America/New_York']},
      {date: '2027-03-28', minutes: 60, zones: ['Europe/Berlin', 'Europe/Paris']},
    ]);
  });

  test('mark a time outside of 7 to 20, and name the day of a time on another day', () => {
    const [phase] = splitIntoClockPhases({timezone: 'Asia/Tokyo', runs: [runAt('2026-10-22T22:00:00.000Z')]});
    expect(phase?.kind === 'phase' && phase.clocks.map((one) => [one.zone, one.opensOn, one.isOdd])).toEqual([
      ['America/New_York', 0, false],
      ['Europe/Berlin', 1, true],
      ['Asia/Kolkata', 1, true],
    ]);
  });
});

describe('names made from text', () => {
  test('are valid for the API and unique, as keys of questions and as short names of teams', () => {
    expect(deriveUniqueKey('Was hält dich auf?', [])).toBe('was_halt_dich_auf');
    expect(deriveUniqueKey('Next?', [{key: 'next'}, {key: 'next_2'}])).toBe('next_3');
    expect(deriveUniqueKey('次は？', [])).toBe('question');
    expect(deriveUniqueKey('x'.repeat(150), []).length).toBeLessThanOrEqual(40);
    expect(deriveSlug('  Dätä & Science! ')).toBe('data-science');
    expect(deriveSlug('x'.repeat(80))).toHaveLength(40);
  });

  test('the list of questions moves a question to its new position, and no further than the ends', () => {
    expect(moveItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(moveItem(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
    expect(moveItem(['a', 'b', 'c'], 2, 3)).toEqual(['a', 'b', 'c']);
  });
});
