import {expect, it} from '@jest/globals';
import type {SharedWeek} from '../../src/domain/runs/shared-week.js';
import {limits} from '../../src/domain/core/limits.js';
import {writeSharedPage} from '../../src/pages/shared-page.js';
import {asId} from '../support/ids.js';

const hostile = `<img src=x onerror=alert(1)>"'&</title></style></caption>`;
const counts = {expected: 2, posted: 1, late: 0, participation: 0.5};
const choice = {
  type: 'choice',
  label: hostile,
  periods: [1, 2, 3, 4].map(() => ({
    from: '2026-11-02',
    mean: null,
    answers: 3,
    counts: Array.from({length: 50}, (_, i) => ({value: `${hostile} ${i}`, count: i})),
  })),
};

/** The largest week: 500 people and open blockers, and as many answers as there may be. */
const largest = {
  workspace: hostile,
  team: hostile,
  sharedBy: hostile,
  expiresAt: '2026-12-01T00:00:00.000Z',
  timezone: 'UTC',
  week: {
    monday: '2026-11-23',
    sunday: '2026-11-29',
    participation: {
      counts,
      by_date: [{date: '2026-11-23', counts}],
      by_member: Array.from({length: 500}, () => ({
        member: {id: asId('mem_00000000000000000000000000'), name: hostile},
        counts,
      })),
    },
    blockers: {
      raised: 1,
      resolved: 1,
      open: Array.from({length: 500}, () => ({author: hostile, text: hostile, days: 3})),
    },
    trends: {questions: Array.from({length: 20}, () => choice), blockers: []},
  },
} as unknown as SharedWeek;

it('the largest page of a shared week has no markup but its own', () => {
  const page = writeSharedPage.week(largest, 'de-u-nu-arab');
  expect(page).not.toContain('<img');
  for (const end of ['</title>', '</style>']) expect(page.split(end)).toHaveLength(2);
});

it('the largest page of a shared week makes few formats of numbers, which take a process seconds for thousands', () => {
  const {NumberFormat} = Intl;
  let made = 0;
  Intl.NumberFormat = new Proxy(NumberFormat, {
    construct(target, given) {
      made += 1;
      return Reflect.construct(target, given) as object;
    },
  });
  try {
    writeSharedPage.week(largest, 'de');
  } finally {
    Intl.NumberFormat = NumberFormat;
  }
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(10);
});

it('the page of a shared week shows a bounded number of people and blockers, and how many more there are', () => {
  const many = {
    ...largest,
    week: {
      ...largest.week,
      participation: {
        ...largest.week.participation,
        by_member: Array.from({length: 1_200}, () => largest.week.participation.by_member[0]!),
      },
      blockers: {
        ...largest.week.blockers,
        open: Array.from({length: 500}, () => ({author: 'Ada', text: '"'.repeat(300), days: 3})),
      },
    },
  };
  const page = writeSharedPage.week(many, 'en');
  expect(page.match(/<li>/g)).toHaveLength(limits.sharedWeekBlockers);
  expect(page).toContain('500 still open');
  expect(page).toContain('And 400 more.');
  expect(page).toContain('And 700 more.');
  expect(page.length).toBeLessThan(1_000_000);
});
