import type {Principal} from '../core/access.js';
import {dayNumber} from '../core/dates.js';
import {type Listing, lists} from '../core/lists.js';
import type {Resource} from '../core/resource.js';
import type {Id} from '../core/ids.js';

/**
 * Days on which a member is not expected to post. The member gets no reminders and does not count as missing.
 */
export interface Absence extends Resource<'absence'> {
  readonly object: 'absence';
  readonly member: Principal<'member'>;
  /** `away`: not working. `skip`: working, but without a standup on that day. */
  readonly kind: AbsenceKind;
  /**
   * The first day, in the member's time zone. Both ends are included; `until` is null while the end is
   * unknown.
   */
  readonly from: string;
  readonly until: string | null;
  readonly reason: string | null;
  /**
   * The people who may read the reason. They are fixed, and shown to its author, when the reason is written.
   */
  readonly reason_for: ReasonAudience;
  /** The only team that the absence concerns; null for all teams. */
  readonly team: string | null;
  readonly team_id: Id<'team'> | null;
  /**
   * The person who entered the absence: the member, or a lead. The name is null after that person is erased.
   */
  readonly created_by: Omit<Principal, 'name'> & {readonly name: string | null};
}

export const absenceKinds = ['away', 'skip'] as const;
export type AbsenceKind = (typeof absenceKinds)[number];

/**
 * `leads`: the member, leads of the teams concerned, owners, admins and service accounts.
 * `team`: everybody who reads reports, also in the team's channel.
 */
export const reasonAudiences = ['leads', 'team'] as const;
export type ReasonAudience = (typeof reasonAudiences)[number];

/** Returns the reason of an absence if everybody in the team may read it. */
export function findReasonForEverybody({
  reason,
  reason_for: audience,
}: Pick<Absence, 'reason' | 'reason_for'>): string | null {
  return audience === 'team' ? reason : null;
}

/** Why a member does not work on a date, in a form that everybody may read. */
export interface DayOff {
  readonly status: 'away' | 'holiday' | 'skipped';
  /** The text from the absence or the calendar, such as "Parental leave" or "Christmas Day". */
  readonly reason: string | null;
  /** The last day off; null when it is not known. */
  readonly until: string | null;
  /** The id of the absence that gives the day off. It is missing for a holiday. */
  readonly absence?: {readonly id: Id<'absence'>; readonly revision: number};
}

/** The holiday calendar that a member has chosen. */
export interface HolidayChoice {
  /** The country's code in ISO 3166-1, such as `DE`; null for none. */
  readonly country: string | null;
  /** A region of the country, as the calendar names it, such as `BY`. */
  readonly region: string | null;
  /** The id of a calendar that the workspace imported from an iCalendar file. */
  readonly calendar: string | null;
}

/**
 * The last day under which lists sort an absence whose end is unknown. It is the last day that a list can
 * hold, in 2089.
 */
const openEnd = 32_767;

/**
 * Returns the lists that contain an absence. Lists sort absences by their last day, so that a reader finds
 * current absences from the end.
 */
export function findListsWithAbsence({
  member,
  until,
  created_by: maker,
}: Pick<Absence, 'member' | 'until' | 'created_by'>): Required<Listing>[] {
  const day = until === null ? openEnd : dayNumber(until);
  const byAnother = maker.type === 'member' && maker.id !== member.id;
  const entered = byAnother ? [lists.absencesEnteredBy(maker.id)] : [];
  return [lists.absences(), lists.absencesOf(member.id), ...entered].map((list) => ({list, day}));
}

/**
 * True when an absence and a period have a day in common. Both ends are included; a null `until` means no
 * end.
 */
export function overlapsPeriod(
  absence: Pick<Absence, 'from' | 'until'>,
  time: {readonly from: string; readonly until: string | null},
): boolean {
  return (
    (time.until === null || absence.from <= time.until) &&
    (absence.until === null || absence.until >= time.from)
  );
}

/**
 * Returns why a member is off on the date of a team's run; undefined when they are not. Being away comes
 * before a skip, and a skip before a holiday. Of several absences, the one that ends last counts.
 */
export function findDayOff(
  absences: readonly Absence[],
  holiday: string | undefined,
  date: string,
  team: Id<'team'> | undefined,
): DayOff | undefined {
  const counting = absences
    .filter((absence) => overlapsPeriod(absence, {from: date, until: date}))
    .filter(({team_id}) => team_id === null || team_id === team)
    .toSorted((a, b) => findLastDay(b).localeCompare(findLastDay(a)));
  const away = counting.find(({kind}) => kind === 'away');
  if (away !== undefined) return createDayOff('away', away);
  const skip = counting.find(({kind}) => kind === 'skip');
  if (skip !== undefined) return createDayOff('skipped', skip);
  return holiday === undefined ? undefined : {status: 'holiday', reason: holiday, until: date};
}

function createDayOff(status: DayOff['status'], absence: Absence): DayOff {
  const {id, revision, until} = absence;
  return {status, reason: findReasonForEverybody(absence), until, absence: {id, revision}};
}

function findLastDay({until}: Absence): string {
  return until ?? '9999-12-31';
}
