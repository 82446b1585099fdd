// Sorts a team's day as the board shows it.
import type {Schema, TeamDay} from '../api/schema.ts';

export type DayPerson = TeamDay['people'][number];
export type DayStandup = DayPerson['standups'][number];

export interface PersonStandup {
  readonly person: DayPerson;
  readonly standup: DayStandup;
}

export type When = 'past' | 'today' | 'ahead';

/** The day that the page shows, and its viewer. */
export interface ShownDay {
  readonly day: TeamDay;
  readonly team: Schema<'Team'> | undefined;
  readonly me: Schema<'Me'> | undefined;
  readonly isLead: boolean;
  readonly when: When;
  readonly now: number;
}

/** Whether members may post at any time, since the team has neither a schedule nor a run. */
export function isFreeDay({day, team}: ShownDay): boolean {
  return day.run === null && team?.schedule === null;
}

export function listPosted({people}: TeamDay): readonly PersonStandup[] {
  return people
    .flatMap((person) => person.standups.map((standup) => ({person, standup})))
    .toSorted(
      (a, b) =>
        b.standup.created_at.localeCompare(a.standup.created_at) || b.standup.id.localeCompare(a.standup.id),
    );
}

/** Statuses in display order: first people who are expected to post, then people with a day off. */
const order = ['unreachable', 'missed', 'late', 'posted', 'expected', 'away', 'holiday', 'skipped'];

const findStatusRank = ({status}: DayPerson): number => {
  const rank = order.indexOf(status);
  return rank < 0 ? order.length : rank;
};

export function listAbsent({people}: TeamDay): readonly DayPerson[] {
  return people
    .filter(({standups}) => standups.length === 0)
    .toSorted((a, b) => findStatusRank(a) - findStatusRank(b));
}

/** Statuses in the order of the ring: people who have posted, people who may still post, then the others. */
const ringOrder = ['posted', 'late', 'expected', 'unreachable', 'missed'];

/** Lists the people who are expected to post, and all who have posted. */
export function listExpectedOrPosted({people}: TeamDay): readonly DayPerson[] {
  return people
    .filter(({status}) => ringOrder.includes(status))
    .toSorted((a, b) => ringOrder.indexOf(a.status) - ringOrder.indexOf(b.status));
}

export function hasDayOff({status}: DayPerson): boolean {
  return status === 'away' || status === 'holiday' || status === 'skipped';
}

/** The day without the standups that are being deleted, shown until the service answers. */
export function removeStandups(day: TeamDay, isGone: (id: string) => boolean, now: number): TeamDay {
  if (!day.people.some(({standups}) => standups.some(({id}) => isGone(id)))) return day;
  const counts = {...day.counts};
  const people = day.people.map((person): DayPerson => {
    const standups = person.standups.filter(({id}) => !isGone(id));
    const {status, closes_at} = person;
    if (standups.length > 0 || (status !== 'posted' && status !== 'late')) return {...person, standups};
    const next = closes_at === null ? 'not_expected' : Date.parse(closes_at) > now ? 'expected' : 'missed';
    counts[status] -= 1;
    if (next === 'not_expected') counts.expected -= 1;
    if (next === 'missed') counts.missed += 1;
    return {...person, standups, status: next};
  });
  return {...day, counts, people};
}

/** The day as it will be when the member has the day off, shown until the service answers. */
export function predictDayOff(day: TeamDay, member: string, status: 'away' | 'skipped'): TeamDay {
  const person = day.people.find((one) => one.member.id === member);
  if (person === undefined || person.standups.length > 0) return day;
  const counts = {...day.counts, [status]: day.counts[status] + 1};
  if (['expected', 'missed', 'unreachable'].includes(person.status)) counts.expected -= 1;
  if (person.status === 'missed' || person.status === 'unreachable') counts[person.status] -= 1;
  return {
    ...day,
    counts,
    people: day.people.map((one) => (one === person ? {...one, status} : one)),
  };
}
