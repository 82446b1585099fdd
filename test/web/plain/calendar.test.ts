import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Absence, Me, Member} from '../../../web/api/schema.ts';
import {
  type AbsenceDraft,
  toAbsenceDraft,
  findAbsenceError,
  buildInitialAbsenceDraft,
  toNewAbsence,
  listTeamChoices,
  setDraftDays,
  setDraftPerson,
} from '../../../web/calendar/absence-form.ts';
import {groupByFirstDay} from '../../../web/calendar/agenda-groups.ts';
import {buildDayOffBars} from '../../../web/calendar/bars.ts';
import {addMonths, listDaysOfMonth, doRangesOverlap, findWeek} from '../../../web/calendar/dates.ts';
import {createSequentialSender} from '../../../web/calendar/in-sequence.ts';
import type {Holiday} from '../../../web/calendar/queries.ts';
import {mayChangeAbsence, mayEnterAbsencesFor} from '../../../web/calendar/rights.ts';
import {readCalendarSearch} from '../../../web/calendar/search.ts';
import {sortViewerFirst, isFreeDay} from '../../../web/calendar/shown.ts';
import {readTeamsFromUrl} from '../../../web/parts/every-team.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

let browser: FakeBrowser;
beforeAll(async () => {
  browser = createFakeBrowser();
  await browser.speak('en-GB');
});
afterAll(() => browser.close());

const platform = {
  id: 'team_p',
  slug: 'platform',
  name: 'Platform',
  role: 'member',
  visibility: 'open' as const,
};
const data = {id: 'team_d', slug: 'data', name: 'Data', role: 'lead', visibility: 'open' as const};
const meAs = (role: string, ...teams: object[]) =>
  ({principal: {type: 'member', id: 'ada', name: 'Ada'}, role, teams}) as unknown as Me;
const ada = meAs('member', platform);
const lead = meAs('member', platform, data);
const admin = meAs('admin', platform);

const absence = (given: Partial<Absence>): Absence =>
  ({
    id: 'abs_1',
    member: {id: 'ada', name: 'Ada'},
    kind: 'away',
    from: '2030-11-11',
    until: '2030-11-13',
    reason: null,
    team: null,
    team_id: null,
    revision: 1,
    ...given,
  }) as Absence;
const person = (id: string, name = id) => ({id, name}) as Member;
const nextTask = () => new Promise((resolve) => setTimeout(resolve));
const draft: AbsenceDraft = buildInitialAbsenceDraft(ada, {}, {team: 'platform', today: '2030-11-20'});

describe('the content of the calendar', () => {
  it('the address of the calendar stores team, person, month and view, and ignores invalid values', () => {
    const said = {team: 2030, person: 'mem_1', month: '2030-12', view: 'list'};
    expect(readCalendarSearch(said)).toEqual({...said, team: '2030'});
    expect(readCalendarSearch({team: '', person: 7, month: '2030-13', view: 'year'})).toEqual({});
  });

  it('the calendar shows the viewer’s own teams unless the address names one or all', () => {
    expect(readTeamsFromUrl(undefined, lead)).toEqual(['platform', 'data']);
    expect(readTeamsFromUrl('quiet', lead)).toEqual(['quiet']);
    expect(readTeamsFromUrl('*', lead)).toBeUndefined();
  });

  it('people are listed by name, the viewer first', () => {
    const people = [person('z', 'Person 10'), person('ada', 'Zoe'), person('b', 'person 9')];
    expect(sortViewerFirst(people, ada).map(({name}) => name)).toEqual(['Zoe', 'person 9', 'Person 10']);
  });

  it('a day without standups is a weekend day or, with one team shown, a day that its schedule leaves out', () => {
    expect(['2030-11-22', '2030-11-23', '2030-11-24'].map((day) => isFreeDay(day, undefined))).toEqual([
      false,
      true,
      true,
    ]);
    const schedule = {frequency: 'weekly', days: ['sun']} as never;
    expect(['2030-11-22', '2030-11-24'].map((day) => isFreeDay(day, schedule))).toEqual([true, false]);
  });

  it('a week is from Monday to Sunday, a month has all of its days, and years follow each other', () => {
    expect(findWeek('2030-11-24')).toEqual({from: '2030-11-18', until: '2030-11-24'});
    expect(listDaysOfMonth('2032-02')).toHaveLength(29);
    expect(addMonths('2030-12', 1)).toBe('2031-01');
    expect(
      doRangesOverlap({from: '2030-11-24', until: null}, {from: '2030-11-01', until: '2030-11-24'}),
    ).toBe(true);
    expect(
      doRangesOverlap({from: '2030-11-25', until: null}, {from: '2030-11-01', until: '2030-11-24'}),
    ).toBe(false);
  });
});

describe('bars of a month', () => {
  const days = listDaysOfMonth('2030-11');
  const everybody = [person('ada', 'Ada'), person('bob', 'Bob')];
  const holidays = new Map<string, readonly Holiday[]>(
    ['ada', 'bob'].map((id) => [id, [{from: '2030-11-01', until: '2030-11-01', name: 'All Saints'}]]),
  );
  const absences = [
    absence({id: 'a', from: '2030-10-28', until: '2030-11-06', reason: 'Parental leave'}),
    absence({id: 'b', from: '2030-11-27', until: null}),
    absence({id: 'c', kind: 'skip', from: '2030-11-05', until: '2030-11-05'}),
    absence({id: 'd', from: '2030-12-01', until: '2030-12-02'}),
  ];

  it('an absence covers its days, is open at the end where it continues, and is stacked where it overlaps another', () => {
    const [row] = buildDayOffBars(everybody, absences, holidays, days);
    expect(row?.rowCount).toBe(2);
    expect(
      row?.bars.map(({key, status, first, last, row: barRow, isOpenBefore, isOpenAfter}) => [
        key,
        status,
        first,
        last,
        barRow,
        isOpenBefore,
        isOpenAfter,
      ]),
    ).toEqual([
      ['a', 'away', 0, 5, 0, true, false],
      ['2030-11-01', 'holiday', 0, 0, 1, false, false],
      ['c', 'skipped', 4, 4, 1, false, false],
      ['b', 'away', 26, 29, 0, false, true],
    ]);
    const whole = absence({from: '2030-11-01', until: '2030-11-30'});
    const [ofMonth] = buildDayOffBars(everybody, [whole], new Map(), days);
    expect(ofMonth?.bars).toMatchObject([{first: 0, last: 29, isOpenBefore: false, isOpenAfter: false}]);
  });

  it('the list names a holiday once for all who have it, and begins with entries from before the month', () => {
    const groups = groupByFirstDay(buildDayOffBars(everybody, absences, holidays, days), days);
    expect(
      groups.map(({day, things}) => [
        day,
        ...things.map(({text, people}) => `${text}: ${people.map(({name}) => name).join(', ')}`),
      ]),
    ).toEqual([
      [undefined, 'Parental leave: Ada'],
      ['2030-11-01', 'All Saints: Ada, Bob'],
      ['2030-11-05', 'null: Ada'],
      ['2030-11-27', 'null: Ada'],
    ]);
  });
});

describe('entering time away', () => {
  it('members enter and change their own absences, leads those of their team, owners and admins all', () => {
    const of = (me: Me) => [
      mayEnterAbsencesFor(me, 'ada'),
      mayEnterAbsencesFor(me, 'bob'),
      mayChangeAbsence(me, absence({})),
      mayChangeAbsence(me, absence({member: {id: 'bob', name: 'Bob'} as never, team_id: 'team_d'})),
      mayChangeAbsence(me, absence({member: {id: 'bob', name: 'Bob'} as never, team_id: 'team_p'})),
    ];
    expect(of(ada)).toEqual([true, false, true, false, false]);
    expect(of(lead)).toEqual([true, true, true, true, false]);
    expect(of(admin)).toEqual([true, true, true, true, true]);
  });

  it('a lead enters absences for others only from the led team, and choosing a person adjusts the team', () => {
    expect(listTeamChoices(lead, 'bob')).toEqual({teams: [data], all: false});
    expect(listTeamChoices(lead, 'ada').all).toBe(true);
    const forBob = setDraftPerson(
      buildInitialAbsenceDraft(lead, {}, {team: undefined, today: '2030-11-20'}),
      lead,
      'bob',
    );
    expect([forBob.person, forBob.team]).toEqual(['bob', 'data']);
    expect(setDraftPerson(forBob, lead, 'ada').team).toBe('data');
    expect(setDraftPerson({...draft, team: 'platform'}, lead, 'bob').team).toBe('data');
    expect(setDraftPerson({...draft, team: 'quiet'}, admin, 'bob').team).toBe('');
    expect(
      buildInitialAbsenceDraft(
        lead,
        {person: 'bob', from: '2030-11-11'},
        {team: undefined, today: '2030-11-20'},
      ),
    ).toEqual({...draft, person: 'bob', team: 'data', from: '2030-11-11', until: '2030-11-11'});
  });

  it('an absence needs its days, and has at most 366', () => {
    expect(findAbsenceError(draft)).toBeUndefined();
    expect(findAbsenceError({...draft, from: null})).toBe('missingDays');
    expect(findAbsenceError({...draft, until: null})).toBe('missingDays');
    expect(findAbsenceError({...draft, from: '2030-11-25', until: '2031-11-25'})).toBeUndefined();
    expect(findAbsenceError({...draft, from: '2030-11-25', until: '2031-11-26'})).toBe('tooLong');
    expect(findAbsenceError({...draft, until: null, hasNoEnd: true})).toBeUndefined();
  });

  it('a first day beyond the last one moves the last day too, while an earlier last day remains as typed', () => {
    expect(setDraftDays(draft, {from: '2030-11-25', until: '2030-11-20'})).toMatchObject({
      from: '2030-11-25',
      until: '2030-11-25',
    });
    expect(setDraftDays(draft, {from: '2030-11-20', until: '2030-11-18'}).until).toBe('2030-11-18');
    expect(setDraftDays(draft, null)).toMatchObject({from: null, until: null});
  });

  it('the form sends its content to the API, and shows an absence as the API has it', () => {
    const given = {kind: 'away', from: '2030-11-20', until: '2030-11-20', team: null, reason: null};
    expect(toNewAbsence(draft)).toEqual(given);
    expect(
      toNewAbsence({...draft, kind: 'skip', until: '2030-12-01', team: 'data', reason: 'Dentist'}),
    ).toEqual({
      ...given,
      kind: 'skip',
      team: 'data',
      reason: 'Dentist',
    });
    expect(toNewAbsence({...draft, hasNoEnd: true}).until).toBeNull();
    const kept = absence({until: null, reason: 'Course', team: 'data'});
    expect(toAbsenceDraft(kept)).toMatchObject({hasNoEnd: true, team: 'data', reason: 'Course'});
    expect(toNewAbsence(toAbsenceDraft(kept))).toMatchObject({from: '2030-11-11', until: null, team: 'data'});
  });

  it('regression: choosing one holiday calendar right after another saves the second, on the newer revision', async () => {
    const sent: [number, string][] = [];
    const answers: (() => void)[] = [];
    const change = createSequentialSender(
      async (self: {id: string; revision: number}, revision, calendar: string) => {
        sent.push([revision, calendar]);
        await new Promise<void>((resolve) => answers.push(resolve));
        if (calendar === 'refused') throw new Error('412');
        return {id: self.id, revision: revision + 1};
      },
    );
    const self = {id: 'grace', revision: 3};
    const both = [change(self, 'one'), change(self, 'other')];
    await nextTask();
    expect(sent).toEqual([[3, 'one']]);
    answers.shift()?.();
    await both[0];
    await nextTask();
    answers.shift()?.();
    expect((await both[1])?.revision).toBe(5);
    expect(sent).toEqual([
      [3, 'one'],
      [4, 'other'],
    ]);
    const refused = change(self, 'refused');
    await nextTask();
    answers.shift()?.();
    await expect(refused).rejects.toThrow('412');
    const again = change({...self, revision: 9}, 'last');
    await nextTask();
    answers.shift()?.();
    expect((await again).revision).toBe(10);
  });
});
