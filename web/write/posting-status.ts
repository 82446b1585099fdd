// Finds the day of a standup written now, and whether it is on time.
import type {Schema, Me, Team} from '../api/schema.ts';
import {addDays} from '../parts/days.ts';
import {dateInZone} from '../texts/format.ts';

type RunSummary = Schema<'RunSummary'>;

/**
 * The day that the service gives to a standup written now. It is the day of the run that is open for the
 * member, otherwise today. Today is by the team's time zone, or by the member's when the schedule uses
 * members' clocks.
 */
export function findStandupDate(team: Team, open: readonly RunSummary[], me: Me, now: number): string {
  const own = me.timezone;
  const runs = open.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const found = runs.find((run) => isRunOpenFor(run, me, now));
  if (found !== undefined) return found.date;
  return dateInZone(now, team.schedule?.clock === 'member' ? (own ?? team.timezone) : team.timezone);
}

function isRunOpenFor({schedule, date, closes_at, timezone}: RunSummary, me: Me, now: number): boolean {
  if (schedule?.clock !== 'member') return now < Date.parse(closes_at);
  const zone = me.timezone ?? timezone;
  const time = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit', timeZone: zone}).format(
    now,
  );
  const today = dateInZone(now, zone);
  const {opens, closes} = schedule;
  const isOverMidnight = closes <= opens;
  if (today === date) return time >= opens && (isOverMidnight || time < closes);
  return isOverMidnight && today === addDays(date, 1) && time < closes;
}

/** Status of a standup that would be posted now, with the times that its author should know. */
export type PostingStatus =
  | {readonly is: 'in-time'; readonly closes: number; readonly opens: number | undefined}
  /** A standup posted now counts as late. `until`: the time from which the service refuses it. */
  | {readonly is: 'late'; readonly closed: number; readonly until: number | undefined}
  | {readonly is: 'refused'; readonly closed: number}
  /** The team has no schedule, and no run on the standup's day. */
  | {readonly is: 'any-time'}
  /** The member is not expected to post on the standup's day. */
  | {readonly is: 'free'; readonly status: string; readonly until: string | null};

export function findPostingStatus(
  day: Schema<'TeamDay'>,
  {late_policy: policy, schedule}: Pick<Team, 'late_policy' | 'schedule'>,
  memberId: string,
  now: number,
): PostingStatus {
  const person = day.people.find(({member}) => member.id === memberId);
  const closesAt = person?.closes_at ?? undefined;
  const closes = closesAt === undefined ? undefined : Date.parse(closesAt);
  const isOff = ['away', 'holiday', 'skipped'].includes(person?.status ?? '');
  if (closes === undefined || (isOff && now < closes)) {
    return {is: 'free', status: person?.status ?? 'not_expected', until: person?.until ?? null};
  }
  if (schedule === null && day.run === null) return {is: 'any-time'};
  if (now < closes) {
    const opens = day.run === null ? undefined : Date.parse(day.run.opens_at);
    return {is: 'in-time', closes, opens: opens !== undefined && opens > now ? opens : undefined};
  }
  if (policy.accept === 'always') return {is: 'late', closed: closes, until: undefined};
  const until = policy.accept === 'until' ? closes + policy.minutes * 60_000 : closes;
  return now < until ? {is: 'late', closed: closes, until} : {is: 'refused', closed: closes};
}
