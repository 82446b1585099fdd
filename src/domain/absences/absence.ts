import {z} from 'zod';
import type {PrincipalReference} from '../core/access.js';
import {dayNumber} from '../core/dates.js';
import {limits} from '../core/limits.js';
import {type Listing, lists} from '../core/lists.js';
import type {Id} from '../core/ids.js';
import {memberPrincipal, principalSchema} from '../core/access.js';
import {date, id, type Infer, open, person, reference, resource, text} from '../core/schemas.js';

export const absenceKinds = ['away', 'skip'] as const;
export type AbsenceKind = (typeof absenceKinds)[number];

/**
 * `leads`: the member, leads of the teams concerned, owners, admins and service accounts.
 * `team`: everybody who reads reports, also in the team's channel.
 */
export const reasonAudiences = ['leads', 'team'] as const;
export type ReasonAudience = (typeof reasonAudiences)[number];

const kind = z.enum(absenceKinds, 'must be away or skip');

const reason = text(limits.reason)
  .nullable()
  .meta({
    description:
      'The reason, as free text. `reason_for` in the response says who can read it: leads, owners and admins, unless `absence_reasons` of every team that it applies to is `team`.',
    examples: ['Vacation'],
  });

const until = date.nullable().meta({
  description: `The last day, inclusive, at most ${limits.absenceDays} days in all. Null: without an end.`,
  examples: ['2026-11-27'],
});

const team = reference.nullable().meta({
  description: 'The only team that the absence applies to, by id or slug. Null: all teams.',
});

const maker = z
  .object({
    ...principalSchema.shape,
    name: z.string().nullable().meta({description: 'The name. Null after an erasure.'}),
  })
  .meta({description: 'The member or service account that created it.'}) as unknown as z.ZodType<
  PrincipalReference & {readonly name: string | null}
>;

export const absenceSchema = resource('absence', {
  member: memberPrincipal,
  kind: open<AbsenceKind>({
    examples: ['away'],
    description:
      'The kind: `away`, out of office; `skip`, at work, but not in the standup of that day. More values may be added.',
  }),
  from: z.string().meta({format: 'date', description: 'The first day, in the time zone of the member.'}),
  until: z
    .string()
    .nullable()
    .meta({format: 'date', description: 'The last day, inclusive. Null: without an end.'}),
  reason: z.string().nullable().meta({
    description:
      'The reason. It is null if there is none, or if `reason_for` does not include the caller. In events and reports it is null unless `reason_for` is `team`.',
  }),
  reason_for: open<ReasonAudience>({
    examples: ['leads'],
    description:
      'Who can read the reason, as set when it was written. `leads`: the member, leads of their teams that the absence applies to, owners, admins and service accounts. `team`: every member of the workspace, also in the channels of the teams. More values may be added.',
  }),
  team: z
    .string()
    .nullable()
    .meta({description: 'The slug of the only team that the absence applies to. Null: all teams.'}),
  team_id: id('team').nullable(),
  created_by: maker,
  source: open<'slack_status'>()
    .nullable()
    .meta({
      examples: ['slack_status'],
      description:
        '`slack_status`: made from the status of the member in Slack, for one run (see `slack_status` of a member). Null: entered, or made because the Slack account of the member was deactivated. More values may be added.',
    }),
}).meta({
  id: 'Absence',
  description:
    'Days on which a member is off: they are not reminded, and do not count as missing. Absences can overlap. Away takes precedence over skip, and skip over a public holiday.',
});

const given = {
  kind: kind.optional(),
  from: date.optional(),
  until: until.optional(),
  reason: reason.optional(),
  team: team.optional(),
};

export const newAbsenceSchema = z
  .strictObject({
    member: person.meta({
      description:
        'The member who is absent, by id, e-mail address or Slack user. The default is the caller; a service account must set it.',
      examples: ['ada@example.com'],
    }),
    ...given,
    kind: kind.optional().meta({description: 'The kind. The default is `away`.'}),
    from: date.optional().meta({
      description: 'The first day, up to a year back. The default is today in the time zone of the member.',
    }),
    until: until.optional().meta({
      description: `The last day, inclusive. The default is \`from\`; null: without an end. At most ${limits.absenceDays} days in all; a skip has one day.`,
    }),
  })
  .meta({id: 'NewAbsence', description: 'The fields of a new absence.'});

export const absenceChangeSchema = z
  .strictObject(given)
  .meta({id: 'AbsenceChange', description: 'Changes to an absence, as a JSON merge patch.'});

/** Days on which a member is not expected to post, gets no reminders, and does not count as missing. */
export type Absence = Infer<typeof absenceSchema>;

export type NewAbsence = Infer<typeof newAbsenceSchema>;
export type AbsenceChange = Infer<typeof absenceChangeSchema>;

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

const holidayMembers = {
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 country code, such as "DE"')
    .meta({maxLength: 2})
    .nullable()
    .meta({examples: ['DE']}),
  region: z
    .string()
    .regex(/^[A-Z0-9-]{1,12}$/, 'must be a part of the country, such as "BY"')
    .meta({maxLength: 12})
    .nullable()
    .meta({examples: ['BY']}),
  // The service looks the calendar up, so any text may stand for its id.
  calendar: id('holiday_calendar').nullable() as z.ZodType<string | null>,
};

export const holidayChoiceSchema = z.object(holidayMembers).meta({
  id: 'HolidayChoice',
  description:
    'The public holidays of the member: of a country, optionally a region of it, and of a calendar of the workspace.',
});

export const holidayChangeSchema = z.strictObject(holidayMembers).partial().meta({
  id: 'HolidayChange',
  description: 'Changes to the existing settings of the member, as a merge patch.',
});

/** The holiday calendars that a member has chosen. */
export type HolidayChoice = Infer<typeof holidayChoiceSchema>;

/** The last day under which lists sort an absence without a known end; no list can hold a later one. */
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

/** True when an absence and a period share a day. Both ends are included; a null `until` means no end. */
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
