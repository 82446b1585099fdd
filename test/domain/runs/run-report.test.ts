import {describe, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {createZones} from '../../../src/calendar/zones.js';
import type {DayOff} from '../../../src/domain/absences/absence.js';
import {toInstant} from '../../../src/domain/core/dates.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {
  countReportStatuses,
  applyStandupMove,
  createReportReferences,
  updateReportDaysOff,
  renderReport,
  shownBytes,
  findStatusOfLine,
} from '../../../src/domain/runs/report-references.js';
import {computeRunReport, type ReportInput} from '../../../src/domain/runs/run-report.js';
import {asId} from '../../support/ids.js';

const zones = createZones();
const team_id = asId('team_00000000000000000000000000');
const date = '2026-11-23';
const people = ['a', 'b', 'c', 'd', 'e', 'f'];
const idOf = (prefix: string, name: string) => asId(`${prefix}_${name.padStart(26, '0')}`);
const memberOf = (name: string) => ({id: idOf('mem', name), name: `Person ${name}`, revision: 1});
const closes_at = '2026-11-23T10:00:00.000Z';

const off: DayOff[] = [
  {
    status: 'away',
    reason: 'Leave',
    until: '2026-11-27',
    absence: {id: idOf('abs', '1'), revision: 1},
  },
  {status: 'holiday', reason: 'St. Clement', until: date},
  {status: 'skipped', reason: null, until: date, absence: {id: idOf('abs', '2'), revision: 2}},
];

interface GeneratedRun {
  readonly state: 'open' | 'closed' | 'missed' | 'cancelled';
  readonly participants: string[];
  readonly members: string[];
  readonly posts: {author: string; late: boolean}[];
  readonly away: (number | null)[];
  readonly unreachable: readonly string[];
  readonly now: number;
}

function inputOf({state, participants, members, posts, away, unreachable, now}: GeneratedRun): ReportInput {
  return {
    run: {
      state,
      team_id,
      date,
      timezone: 'Europe/Berlin',
      schedule: null,
      closes_at,
      participants: participants.map((name) => ({member: idOf('mem', name), timezone: null})),
    },
    members: members.map(memberOf),
    standups: posts.map(({author, late}, i) => ({
      id: idOf('std', String(i)),
      revision: 1,
      author: {type: 'member', id: idOf('mem', author), name: `Person ${author}`},
      team_id,
      date,
      late,
      created_at: toInstant(1_000 * i),
    })),
    daysOff: new Map(
      people.flatMap((name, i) => {
        const day = off[away[i] ?? -1];
        return day === undefined ? [] : [[idOf('mem', name), day] as const];
      }),
    ),
    unreachable: new Set(unreachable.map((name) => idOf('mem', name))),
    blockers: [],
    zones,
    now,
  };
}

const reports: fc.Arbitrary<GeneratedRun> = fc.record({
  state: fc.constantFrom('open', 'closed', 'missed', 'cancelled'),
  participants: fc.subarray(people),
  members: fc.subarray(people),
  posts: fc.array(fc.record({author: fc.constantFrom(...people), late: fc.boolean()}), {maxLength: 8}),
  away: fc.array(fc.option(fc.integer({min: 0, max: 2})), {minLength: 6, maxLength: 6}),
  unreachable: fc.subarray(people),
  now: fc.integer({min: Date.parse(closes_at) - 1, max: Date.parse(closes_at)}),
});

const one = (given: Partial<GeneratedRun>, author = 'a') =>
  computeRunReport(
    inputOf({
      state: 'closed',
      participants: people,
      members: people,
      posts: [],
      away: people.map(() => null),
      unreachable: [],
      now: Date.parse(closes_at),
      ...given,
    }),
  ).lines.find(({member}) => member.id === idOf('mem', author));

describe('the status of a member in a report', () => {
  it.each<[string, Partial<GeneratedRun>, string | undefined]>([
    ['has posted in time', {posts: [{author: 'a', late: false}]}, 'posted'],
    ['has posted late', {posts: [{author: 'a', late: true}]}, 'late'],
    [
      'has posted in time and once more late',
      {
        posts: [
          {author: 'a', late: true},
          {author: 'a', late: false},
        ],
      },
      'posted',
    ],
    ['has not posted and the run has closed', {}, 'missed'],
    ['has not posted and the run is open', {state: 'open', now: Date.parse(closes_at) - 1}, 'expected'],
    ['has not posted in an open run that is past its closing', {state: 'open'}, 'missed'],
    ['is away', {away: [0]}, 'away'],
    ['has a holiday', {away: [1]}, 'holiday'],
    ['has skipped the day', {away: [2]}, 'skipped'],
    ['is away and has posted all the same', {away: [0], posts: [{author: 'a', late: false}]}, 'posted'],
    ['could not be reached', {unreachable: ['a']}, 'unreachable'],
    [
      'could not be reached and has posted late',
      {unreachable: ['a'], posts: [{author: 'a', late: true}]},
      'late',
    ],
    ['has left without posting', {members: ['b']}, undefined],
    ['has posted and left', {members: ['b'], posts: [{author: 'a', late: false}]}, 'posted'],
    [
      'came to the team in mid-run and has posted',
      {participants: ['b'], posts: [{author: 'a', late: false}]},
      'posted',
    ],
    ['came to the team in mid-run and has not posted', {participants: ['b']}, undefined],
    ['is in a run that was cancelled', {state: 'cancelled'}, undefined],
  ])('is correct for a member who %s', (_, given, status) => {
    expect(one(given)?.status).toBe(status);
  });

  it('is missed once the run is over in the member’s own time zone, or else the team’s, though it is open for others', () => {
    const schedule = {
      frequency: 'weekly',
      interval: 1,
      days: ['mon'],
      opens: '09:00',
      closes: '11:00',
      reminders: [],
      clock: 'member',
      starts_on: date,
    } as const;
    const input = inputOf({
      state: 'open',
      participants: [],
      members: people,
      posts: [],
      away: people.map(() => null),
      unreachable: [],
      now: Date.parse('2026-11-23T12:00:00Z'),
    });
    const run = {
      ...input.run,
      schedule,
      closes_at: '2026-11-23T19:00:00.000Z',
      participants: [
        {member: idOf('mem', 'a'), timezone: 'Asia/Tokyo'},
        {member: idOf('mem', 'b'), timezone: 'America/Los_Angeles'},
        {member: idOf('mem', 'c'), timezone: 'Europe/Berlin'},
        {member: idOf('mem', 'd'), timezone: null},
      ],
    };
    const report = computeRunReport({...input, run});
    expect(report.lines.map(({status}) => status)).toEqual(['missed', 'expected', 'missed', 'missed']);
    expect(report.counts).toMatchObject({expected: 4, missed: 3, participation: 0});
  });

  it('a standup of a program, or for another team or date, counts for no member', () => {
    const input = inputOf({
      state: 'closed',
      participants: ['a'],
      members: ['a'],
      posts: [
        {author: 'a', late: false},
        {author: 'a', late: false},
        {author: 'a', late: false},
      ],
      away: [],
      unreachable: [],
      now: 0,
    });
    const [first, second, third] = input.standups as [
      ReportInputStandup,
      ReportInputStandup,
      ReportInputStandup,
    ];
    const others = [
      {...first, author: {type: 'service_account', id: idOf('svc', 'x'), name: 'ci'} as const},
      {...second, team_id: asId('team_00000000000000000000000001')},
      {...third, date: '2026-11-24'},
    ];
    const report = computeRunReport({...input, standups: others});
    expect(report.lines).toMatchObject([{status: 'missed'}]);
    expect(report.counts).toMatchObject({expected: 1, posted: 0});
  });
});

const countedStatuses = ['posted', 'late', 'missed', 'unreachable', 'away', 'holiday', 'skipped'] as const;

type ReportInputStandup = ReportInput['standups'][number];

describe('a report on generated runs, people, standups and days off', () => {
  it('has counts that agree with its lines and with its participation', () => {
    fc.assert(
      fc.property(reports, (given) => {
        const {lines, counts} = computeRunReport(inputOf(given));
        for (const status of countedStatuses) {
          expect(counts[status]).toBe(lines.filter((line) => line.status === status).length);
        }
        const outside = counts.away + counts.holiday + counts.skipped;
        const counted = given.state === 'open' || given.state === 'closed';
        expect(counts.expected).toBe(counted ? lines.length - outside : 0);
        const rate = (counts.posted + counts.late) / counts.expected;
        expect(counts.participation).toBe(counts.expected === 0 ? null : rate);
        expect(counts.participation ?? 1).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('never has a lower participation after one more standup', () => {
    fc.assert(
      fc.property(reports, fc.constantFrom(...people), fc.boolean(), (given, author, late) => {
        const before = computeRunReport(inputOf(given)).counts.participation;
        const after = computeRunReport(inputOf({...given, posts: [...given.posts, {author, late}]})).counts;
        expect(after.participation ?? 1).toBeGreaterThanOrEqual(before ?? 0);
      }),
    );
  });

  it('does not depend on the order of its input', () => {
    fc.assert(
      fc.property(reports, (given) => {
        const input = inputOf(given);
        const turned = {
          ...input,
          run: {...input.run, participants: input.run.participants.toReversed()},
          members: input.members.toReversed(),
          standups: input.standups.toReversed(),
          daysOff: new Map([...input.daysOff].toReversed()),
        };
        expect(computeRunReport(turned)).toEqual(computeRunReport(input));
      }),
    );
  });

  it('stores references without texts, even after a change of a standup', () => {
    fc.assert(
      fc.property(reports, fc.constantFrom(...people), (given, author) => {
        const kept = createReportReferences(computeRunReport(inputOf({...given, members: people})));
        const member = {id: idOf('mem', author), revision: 1};
        const suffix = suffixOf(idOf('std', '99'));
        const moved = applyStandupMove(kept, {member, suffix, now: {revision: 1, late: false}});
        for (const {lines, blockers} of [kept, moved]) {
          for (const one of blockers) expect(Object.keys(one)).toEqual(['suffix', 'revision']);
          for (const one of lines.flatMap(({standups = []}) => standups))
            expect(Object.keys(one)).toEqual(['suffix', 'revision', 'late']);
        }
        expect(moved.lines.some(({standups}) => standups?.some((one) => one.suffix === suffix))).toBe(true);
      }),
    );
  });

  it('is the same when updated from stored data as when made from scratch, after any change of a standup', () => {
    fc.assert(
      fc.property(reports, fc.constantFrom(...people), fc.boolean(), (given, author, late) => {
        const closed = {...given, state: 'closed', members: people} as const;
        const before = computeRunReport(inputOf(closed));
        const kept = createReportReferences(before);
        expect(countReportStatuses(kept, closed)).toEqual(before.counts);
        const posts = [...closed.posts, {author, late}];
        const after = computeRunReport(inputOf({...closed, posts}));
        const generatedSuffix = suffixOf(idOf('std', String(closed.posts.length)));
        const member = {id: idOf('mem', author), revision: 1};
        const moved = applyStandupMove(kept, {member, suffix: generatedSuffix, now: {revision: 1, late}});
        const statuses = (report: typeof kept) =>
          Object.fromEntries(report.lines.map((line) => [line.member, findStatusOfLine(line)]));
        expect(statuses(moved)).toEqual(statuses(createReportReferences(after)));
        expect(countReportStatuses(moved, closed)).toEqual(after.counts);
        expect(applyStandupMove(moved, {member, suffix: generatedSuffix, now: null})).toEqual(kept);
      }),
    );
  });

  it('counts an absence entered after the run like an earlier one, and ignores a withdrawn absence', () => {
    fc.assert(
      fc.property(reports, fc.constantFrom(0, 2), (given, kind) => {
        const closed = {...given, state: 'closed', members: people, unreachable: []} as const;
        const without = {...closed, away: people.map(() => null)};
        const day = {...closed, away: people.map((_, i) => (i < 3 ? kind : null))};
        const [none, some] = [inputOf(without), inputOf(day)];
        const entered = updateReportDaysOff(createReportReferences(computeRunReport(none)), (member) =>
          some.daysOff.get(member),
        );
        expect(countReportStatuses(entered, closed)).toEqual(computeRunReport(some).counts);
        const back = updateReportDaysOff(createReportReferences(computeRunReport(some)), () => undefined);
        expect(countReportStatuses(back, closed)).toEqual(computeRunReport(none).counts);
      }),
    );
  });
});

describe('a stored report', () => {
  const input = inputOf({
    state: 'closed',
    participants: people,
    members: people,
    posts: people.map((author) => ({author, late: false})),
    away: people.map(() => null),
    unreachable: [],
    now: 0,
  });
  const kept = createReportReferences(computeRunReport(input));
  const contentOf = (text: string) => (reference: {suffix: string}) => {
    const standup = input.standups.find(({id}) => suffixOf(id) === reference.suffix);
    return JSON.stringify(standup === undefined ? {name: 'Ada'} : {...standup, update: text});
  };

  it('contains no text itself, and is shown with the text of the revisions that it refers to', () => {
    const shown = renderReport(kept, input.run, contentOf('Shipped it.'));
    expect(shown.lines[0]).toEqual({
      member: {type: 'member', id: idOf('mem', 'a'), name: 'Ada'},
      status: 'posted',
      reason: null,
      until: null,
      standups: [{id: idOf('std', '0'), revision: 1, late: false, update: 'Shipped it.'}],
    });
    expect(shown.truncated).toBe(false);
    expect(JSON.stringify(kept)).not.toContain('Person');
  });

  it('is shown with null for erased texts, and with the original counts', () => {
    const shown = renderReport(kept, input.run, () => undefined);
    expect(shown.counts).toEqual(computeRunReport(input).counts);
    expect(shown.lines[0]).toMatchObject({member: {name: null}, standups: [{id: null, update: null}]});
  });

  it('is shown with up to 128 KiB of text, then with null, and says that it is truncated', () => {
    const text = 'ö'.repeat(shownBytes / 8);
    const shown = renderReport(kept, input.run, contentOf(text));
    expect(shown.lines.map(({standups}) => standups[0]?.update === text)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(shown.truncated).toBe(true);
  });
});
