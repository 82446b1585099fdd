import {createPlural} from '../plural.js';

const plural = createPlural('en');

/** The summary of a team's week. */
export const week = {
  title: (monday: string, sunday: string) => `The week · ${monday} to ${sunday}`,
  posted: (count: number, of: number) => `${count} of ${of} posted`,
  participation: (percent: number) => `participation ${percent} %`,
  day: (day: string, count: number, of: number) =>
    of === 0 ? `${day}: no one was expected` : `${day}: ${count} of ${of} posted`,
  report: 'report',
  byMember: 'Who posted',
  often: (name: string, times: number) => `${name} ${times}`,
  oftenOf: (name: string, times: number, of: number) => `${name} ${times} of ${of}`,
  andMore: (names: string, more: number) => `${names} and ${more} more`,
  blockers: (raised: number, resolved: number, open: number) =>
    `Blockers · ${raised} raised · ${resolved} resolved · ${open} still open`,
  blocker: (name: string, text: string, since: string, days: number) =>
    `${name}: ${text} (since ${since}, ${plural(days, {one: '# day', other: '# days'})})`,
  moreBlockers: (count: number) => `and ${plural(count, {one: '# more', other: '# more'})}`,
} as const;
