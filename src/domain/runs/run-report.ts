import type {Principal} from '../core/access.js';
import type {DayOff} from '../absences/absence.js';
import type {Blocker, BlockerState} from '../blockers/blocker.js';
import type {StatusWithoutStandup, Run, RunStatus, ReportCounts} from './run.js';
import {findClosingTimeFor} from './run-times.js';
import type {Standup} from '../standups/standup.js';
import type {Member} from '../workspaces/workspace.js';
import type {Zones} from '../core/zones.js';
import type {Id} from '../core/ids.js';

/** The current state or the result of a run. The API, events and the Slack report all show the same. */
export interface RunReport {
  /** All members who are expected, have posted or have a day off, sorted by name. */
  readonly lines: readonly ReportLine[];
  readonly counts: ReportCounts;
  /** The open blockers of the team, the oldest first. */
  readonly blockers: readonly ReportBlocker[];
}

export interface ReportLine {
  readonly member: Principal<'member'>;
  /** The revision of the member's record that has this name. */
  readonly revision: number;
  readonly status: RunStatus;
  /** The status that the member would have without standups; null for a member who was not expected. */
  readonly otherwise: StatusWithoutStandup | null;
  /** The reason for the day off. `until`: its last day, if known. */
  readonly reason: string | null;
  readonly until: string | null;
  /** The absence that gives the day off. */
  readonly absence: {readonly id: Id<'absence'>; readonly revision: number} | null;
  /** The member's standups, the earliest first. */
  readonly standups: readonly ReportStandup[];
}

export interface ReportStandup {
  readonly id: Id<'standup'>;
  readonly revision: number;
  readonly late: boolean;
}

export interface ReportBlocker {
  readonly id: Id<'blocker'>;
  readonly revision: number;
  readonly author: Principal;
  readonly text: string;
  readonly state: BlockerState;
  readonly created_at: string;
}

export interface ReportInput {
  readonly run: Pick<
    Run,
    'state' | 'team_id' | 'date' | 'timezone' | 'schedule' | 'closes_at' | 'participants'
  >;
  /**
   * The participants that the run counts, and all who have posted. A participant who is not in this list has
   * left, and counts only with standups.
   */
  readonly members: readonly Pick<Member, 'id' | 'name' | 'revision'>[];
  /** The standups. Standups of other teams, other dates and service accounts are ignored. */
  readonly standups: readonly Pick<
    Standup,
    'id' | 'revision' | 'author' | 'team_id' | 'date' | 'late' | 'created_at'
  >[];
  readonly daysOff: ReadonlyMap<Id<'member'>, DayOff>;
  /** The ids of the members that Slack could not reach. */
  readonly unreachable: ReadonlySet<Id<'member'>>;
  readonly blockers: readonly Blocker[];
  readonly zones: Zones;
  /** The current time, in ms since the epoch. */
  readonly now: number;
}

/**
 * Builds the report of a run, with the status of every member. The order of the input does not matter. A
 * missed or cancelled run counts for no one, so its report lists only members who have posted.
 */
export function computeRunReport(input: ReportInput): RunReport {
  const {run, members, standups, blockers} = input;
  const posted = new Map<Id<'member'>, ReportInput['standups'][number][]>();
  for (const standup of standups) {
    const {author, team_id, date} = standup;
    if (author.type !== 'member' || team_id !== run.team_id || date !== run.date) continue;
    const own = posted.get(author.id);
    if (own === undefined) posted.set(author.id, [standup]);
    else own.push(standup);
  }
  const known = new Map(members.map((member) => [member.id, member]));
  const expected = new Set(
    isCountedForParticipation(run)
      ? run.participants.flatMap(({member}) => (known.has(member) ? [member] : []))
      : [],
  );
  const lines = [...new Set([...expected, ...posted.keys()])].map((id): ReportLine => {
    const own = (posted.get(id) ?? []).toSorted(compareByCreation);
    const name = known.get(id)?.name ?? own[0]?.author.name ?? '';
    const otherwise = expected.has(id) ? findStatusWithoutStandup(input, id) : null;
    const off = otherwise !== null && isDayOff(otherwise) ? input.daysOff.get(id) : undefined;
    const shown = own.map(({id: standup, revision, late}) => ({id: standup, revision, late}));
    return {
      member: {type: 'member', id, name},
      revision: known.get(id)?.revision ?? 1,
      status: findRunStatus(shown, otherwise),
      otherwise,
      reason: off?.reason ?? null,
      until: off?.until ?? null,
      absence: off?.absence ?? null,
      standups: shown,
    };
  });
  return {
    lines: lines.toSorted(compareLinesByName),
    counts: countReportLines(lines, isCountedForParticipation(run)),
    blockers: blockers
      .filter(({team_id, state}) => team_id === run.team_id && state !== 'resolved')
      .toSorted(compareByCreation)
      .map(({id, revision, author, text, state, created_at}) => ({
        id,
        revision,
        author,
        text,
        state,
        created_at,
      })),
  };
}

/** Returns a member's status from the standups, or else from everything else. */
export function findRunStatus(
  standups: readonly Pick<ReportStandup, 'late'>[],
  otherwise: StatusWithoutStandup | null,
): RunStatus {
  if (standups.some(({late}) => !late)) return 'posted';
  if (standups.length > 0) return 'late';
  return otherwise ?? 'missed';
}

/** Counts the statuses. `counts` is false for a missed or cancelled run, in which no member is expected. */
export function countReportLines(lines: readonly Pick<ReportLine, 'status'>[], counts = true): ReportCounts {
  const having = (status: RunStatus) => lines.filter((line) => line.status === status).length;
  const [posted, late, missed, unreachable] = [
    having('posted'),
    having('late'),
    having('missed'),
    having('unreachable'),
  ];
  const expected = counts ? posted + late + missed + unreachable + having('expected') : 0;
  return {
    expected,
    posted,
    late,
    missed,
    away: having('away'),
    holiday: having('holiday'),
    skipped: having('skipped'),
    unreachable,
    participation: expected === 0 ? null : (posted + late) / expected,
  };
}

/** True for a run that counts in participation. A missed or cancelled run does not. */
export function isCountedForParticipation({state}: Pick<Run, 'state'>): boolean {
  return state === 'open' || state === 'closed';
}

export function isDayOff(status: RunStatus): status is DayOff['status'] {
  return status === 'away' || status === 'holiday' || status === 'skipped';
}

function findStatusWithoutStandup(
  {run, daysOff, unreachable, zones, now}: ReportInput,
  member: Id<'member'>,
): StatusWithoutStandup {
  const off = daysOff.get(member);
  if (off !== undefined) return off.status;
  if (unreachable.has(member)) return 'unreachable';
  return run.state === 'open' && now < findClosingTimeFor(run, member, zones) ? 'expected' : 'missed';
}

/** Compares two lines by the name that everybody sees, or by id for equal names. */
function compareLinesByName({member: a}: ReportLine, {member: b}: ReportLine): number {
  return compareTexts(a.name.toLowerCase(), b.name.toLowerCase()) || compareTexts(a.id, b.id);
}

function compareByCreation(
  a: {readonly created_at: string; readonly id: Id},
  b: {readonly created_at: string; readonly id: Id},
): number {
  return compareTexts(a.created_at, b.created_at) || compareTexts(a.id, b.id);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
