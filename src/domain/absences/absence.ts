import type {Principal} from '../core/access.js';
import {dayNumber} from '../core/dates.js';
import {type Listing, lists} from '../core/lists.js';
import type {Resource} from '../core/resource.js';
import type {Id} from '../core/ids.js';

/** Days on which a member takes no part: they get no prompts and do not count as missing. */
export interface Absence extends Resource<'absence'> {
  readonly object: 'absence';
  readonly member: Principal<'member'>;
  /** `away`: out of office. `skip`: there, but takes no part in the standup of that day. */
  readonly kind: AbsenceKind;
  /** Calendar days in the member's time zone, both inclusive; a null `until` means until they are back. */
  readonly from: string;
  readonly until: string | null;
  readonly reason: string | null;
  /** The audience of the reason: fixed when the reason is written, and shown to its author then. */
  readonly reason_for: ReasonAudience;
  /** The one team it concerns; null for all. */
  readonly team: string | null;
  readonly team_id: Id<'team'> | null;
  /** The member, or a lead on their behalf, who entered it. The name is null once that person is erased. */
  readonly created_by: Omit<Principal, 'name'> & {readonly name: string | null};
}

export const absenceKinds = ['away', 'skip'] as const;
export type AbsenceKind = (typeof absenceKinds)[number];

/**
 * `leads`: the member, leads of a team of theirs that the absence is about, owners, admins and service
 * accounts.
 * `team`: everybody who reads reports, in the team's channel too.
 */
export const reasonAudiences = ['leads', 'team'] as const;
export type ReasonAudience = (typeof reasonAudiences)[number];

/** The reason if everybody may read it. */
export function reasonForEverybody({
  reason,
  reason_for: audience,
}: Pick<Absence, 'reason' | 'reason_for'>): string | null {
  return audience === 'team' ? reason : null;
}

/** The reason why a member is not expected on a date, in the form everybody may read. */
export interface DayOff {
  readonly status: 'away' | 'holiday' | 'skipped';
  /** The text from the absence or the calendar: "Parental leave", "Christmas Day". */
  readonly reason: string | null;
  /** The last day of it; null when that is not known. */
  readonly until: string | null;
  /** The absence that says so; none for a holiday. */
  readonly absence?: {readonly id: Id<'absence'>; readonly revision: number};
}

/** A member's choice of a holiday calendar. */
export interface HolidayChoice {
  /** ISO 3166-1, such as `DE`; null for none. */
  readonly country: string | null;
  /** A part of it as the calendar names it, such as `BY`. */
  readonly region: string | null;
  /** Id of a calendar of the workspace, made from an iCalendar file. */
  readonly calendar: string | null;
}

/** The day under which lists keep absences without an end: the last day a list can hold, in 2089. */
const openEnd = 32_767;

/**
 * The lists that hold an absence, ordered by its last day: a search from their end finds those not over yet.
 */
export function absenceListings({
  member,
  until,
  created_by: maker,
}: Pick<Absence, 'member' | 'until' | 'created_by'>): Required<Listing>[] {
  const day = until === null ? openEnd : dayNumber(until);
  const byAnother = maker.type === 'member' && maker.id !== member.id;
  const entered = byAnother ? [lists.absencesEnteredBy(maker.id)] : [];
  return [lists.absences(), lists.absencesOf(member.id), ...entered].map((list) => ({list, day}));
}

/** True when an absence and a period share a day. Both ends are inclusive; a null `until` means no end. */
export function overlaps(
  absence: Pick<Absence, 'from' | 'until'>,
  time: {readonly from: string; readonly until: string | null},
): boolean {
  return (
    (time.until === null || absence.from <= time.until) &&
    (absence.until === null || absence.until >= time.from)
  );
}

/**
 * The reason why a member is off on the date of a team's run, by their absences and the holiday on that date
 * in their calendar; undefined when they are not. Away comes before a skip, and a skip before a holiday; of
 * several absences the one that ends last counts.
 */
export function findDayOff(
  absences: readonly Absence[],
  holiday: string | undefined,
  date: string,
  team: Id<'team'> | undefined,
): DayOff | undefined {
  const counting = absences
    .filter((absence) => overlaps(absence, {from: date, until: date}))
    .filter(({team_id}) => team_id === null || team_id === team)
    .toSorted((a, b) => lastDayOf(b).localeCompare(lastDayOf(a)));
  const away = counting.find(({kind}) => kind === 'away');
  if (away !== undefined) return dayOffOf('away', away);
  const skip = counting.find(({kind}) => kind === 'skip');
  if (skip !== undefined) return dayOffOf('skipped', skip);
  return holiday === undefined ? undefined : {status: 'holiday', reason: holiday, until: date};
}

function dayOffOf(status: DayOff['status'], absence: Absence): DayOff {
  const {id, revision, until} = absence;
  return {status, reason: reasonForEverybody(absence), until, absence: {id, revision}};
}

function lastDayOf({until}: Absence): string {
  return until ?? '9999-12-31';
}
