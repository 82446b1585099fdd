import {type Absence, type DayOff, findReasonForEverybody} from '../absences/absence.js';
import type {Blocker} from '../blockers/blocker.js';
import {suffixOf, type Id, type IdSuffix} from '../core/ids.js';
import type {TextFormat} from '../core/markdown.js';
import type {WireJson} from '../core/resource.js';
import type {LineReference, Reference, ReportCounts, ReportReferences, Run} from './run.js';
import {
  countReportLines,
  isCountedForParticipation,
  isDayOff,
  type ReportBlocker,
  type ReportLine,
  type RunReport,
  findRunStatus,
} from './run-report.js';
import type {Standup} from '../standups/standup.js';

/** Returns the part of a report that the closed run stores: references to revisions, without texts. */
export function createReportReferences({lines, blockers}: RunReport): ReportReferences {
  return {
    lines: lines.map(({member, revision, otherwise, reason, until, absence, standups}) => ({
      member: member.id,
      revision,
      otherwise,
      ...(otherwise === 'holiday' && reason !== null && {holiday: reason}),
      ...(until !== null && {until}),
      ...(absence !== null && {absence}),
      ...(standups.length > 0 && {
        standups: standups.map((one) => ({suffix: suffixOf(one.id), revision: one.revision, late: one.late})),
      }),
    })),
    blockers: blockers.map(({id, revision}) => ({suffix: suffixOf(id), revision})),
  };
}

/**
 * Updates the days off in a report. Absences that were entered later count, but holidays stay as they were.
 * `offOf` returns null for a member who no longer exists, whose line stays unchanged.
 */
export function updateReportDaysOff(
  {lines, blockers}: ReportReferences,
  offOf: (member: Id<'member'>) => DayOff | undefined | null,
): ReportReferences {
  const restate = (line: LineReference, off: DayOff | undefined | null) =>
    off === null ? line : updateLineDayOff(line, off);
  return {lines: lines.map((line) => restate(line, offOf(line.member))), blockers};
}

export function updateLineDayOff(line: LineReference, off: DayOff | undefined): LineReference {
  const {holiday: _holiday, until: _until, absence: _absence, ...rest} = line;
  if (line.otherwise === null) return line;
  if (off !== undefined && off.status !== 'holiday') {
    return {
      ...rest,
      otherwise: off.status,
      ...(off.until !== null && {until: off.until}),
      ...(off.absence !== undefined && {absence: off.absence}),
    };
  }
  if (line.otherwise !== 'away' && line.otherwise !== 'skipped') return line;
  if (off === undefined) return {...rest, otherwise: 'missed'};
  return {...rest, otherwise: 'holiday', ...(off.reason !== null && {holiday: off.reason})};
}

export function hasSameDayOff(one: LineReference, other: LineReference | undefined): boolean {
  const off = (line: LineReference | undefined) =>
    line && [line.otherwise, line.holiday, line.until, line.absence?.id, line.absence?.revision];
  return JSON.stringify(off(one)) === JSON.stringify(off(other));
}

/** A change of a closed run's report by a standup of that day. `now` is null after a deletion. */
export interface StandupMove {
  readonly member: {readonly id: Id<'member'>; readonly revision: number};
  readonly suffix: IdSuffix<'standup'>;
  readonly now: {readonly revision: number; readonly late: boolean} | null;
}

export function applyStandupMove(
  {lines, blockers}: ReportReferences,
  {member, suffix, now}: StandupMove,
): ReportReferences {
  const added = now === null ? [] : [{suffix, ...now}];
  const known = lines.find((line) => line.member === member.id);
  if (known === undefined) {
    const line = {member: member.id, revision: member.revision, otherwise: null, standups: added};
    return {lines: added.length === 0 ? lines : [...lines, line], blockers};
  }
  const before = known.standups ?? [];
  const index = before.findIndex((one) => one.suffix === suffix);
  const standups =
    index < 0 ? [...before, ...added] : [...before.slice(0, index), ...added, ...before.slice(index + 1)];
  const {standups: _standups, ...rest} = known;
  const line: LineReference = {...rest, ...(standups.length > 0 && {standups})};
  const gone = line.otherwise === null && standups.length === 0;
  return {lines: lines.flatMap((one) => (one === known ? (gone ? [] : [line]) : [one])), blockers};
}

export function findStatusOfLine({standups = [], otherwise}: LineReference) {
  return findRunStatus(standups, otherwise);
}

export function countReportStatuses({lines}: ReportReferences, run: Pick<Run, 'state'>): ReportCounts {
  return countReportLines(
    lines.map((line) => ({status: findStatusOfLine(line)})),
    isCountedForParticipation(run),
  );
}

/** Lists the revisions that are needed to show a stored report. */
export function listReferences({lines, blockers}: ReportReferences): Reference[] {
  return [
    ...lines.flatMap(({member, revision, absence, standups = []}) => [
      {suffix: suffixOf(member), revision},
      ...(absence === undefined ? [] : [{suffix: suffixOf(absence.id), revision: absence.revision}]),
      ...standups,
    ]),
    ...blockers,
  ];
}

/** Returns the unique name of a revision in its workspace. */
export function formatReferenceName({suffix, revision}: Reference): string {
  return `${suffix}/${revision}`;
}

export function removeDuplicateReferences<R extends Reference>(references: readonly R[]): R[] {
  return [...new Map(references.map((reference) => [formatReferenceName(reference), reference])).values()];
}

/** A complete report. Erased names and texts are null. */
export interface ShownReport {
  readonly counts: ReportCounts;
  readonly blockers: readonly ShownBlocker[];
  readonly lines: readonly ShownReportLine[];
  /** True when the report has more than 128 KiB of text. Further texts are null. */
  readonly truncated: boolean;
}

export interface ShownReportLine extends Pick<ReportLine, 'status' | 'reason' | 'until'> {
  readonly member: {readonly type: 'member'; readonly id: Id<'member'>; readonly name: string | null};
  readonly standups: readonly ShownReportStandup[];
}

export interface ShownReportStandup {
  /** The id of the standup; null after its erasure. */
  readonly id: Id<'standup'> | null;
  readonly revision: number;
  readonly late: boolean;
  readonly update: string | null;
  readonly format?: TextFormat;
}

export type ShownBlocker = Pick<ReportBlocker, 'id' | 'revision' | 'state' | 'created_at' | 'author'> & {
  readonly text: string | null;
};

/** Finds the JSON of a revision; undefined when it no longer exists. */
export type FindRevision = (reference: Reference) => WireJson | undefined;

/** The maximum size of all updates and blocker texts in a report (bytes). */
export const shownBytes = 128 * 1024;

/** Adds the texts to a stored report. The result stays the same, except for texts that have been erased. */
export function renderReport(
  references: ReportReferences,
  run: Pick<Run, 'state'>,
  findRevision: FindRevision,
): ShownReport {
  const read = <T>(reference: Reference): T | undefined => {
    const json = findRevision(reference);
    return json === undefined ? undefined : (JSON.parse(json) as T);
  };
  let left = shownBytes;
  let truncated = false;
  const fit = (text: string | undefined): string | null => {
    if (text === undefined) return null;
    const bytes = new TextEncoder().encode(text).length;
    if (bytes > left) {
      truncated = true;
      left = 0;
      return null;
    }
    left -= bytes;
    return text;
  };
  const blockers = references.blockers.flatMap((reference): ShownBlocker[] => {
    const blocker = read<Blocker>(reference);
    if (blocker === undefined) return [];
    const {id, revision, author, text, state, created_at} = blocker;
    return [{id, revision, author, text: fit(text), state, created_at}];
  });
  const lines = references.lines.map((line): ShownReportLine => {
    const named = read<{readonly name: string}>({suffix: suffixOf(line.member), revision: line.revision});
    const absence = line.absence && {suffix: suffixOf(line.absence.id), revision: line.absence.revision};
    const spoken = absence && read<Absence>(absence);
    const sharedText = spoken && findReasonForEverybody(spoken);
    const status = findStatusOfLine(line);
    const standups = (line.standups ?? []).map((reference): ShownReportStandup => {
      const standup = read<Standup>(reference);
      const {revision, late} = reference;
      const format = standup?.format !== undefined && {format: standup.format};
      return {id: standup?.id ?? null, revision, late, update: fit(standup?.update), ...format};
    });
    const off = line.otherwise !== null && isDayOff(line.otherwise);
    return {
      member: {type: 'member', id: line.member, name: named?.name ?? null},
      status,
      reason: off ? (line.holiday ?? sharedText ?? null) : null,
      until: off ? (line.until ?? null) : null,
      standups,
    };
  });
  return {counts: countReportStatuses(references, run), blockers, lines, truncated};
}

/** Returns the JSON of a run, with the texts of its report if it has one. */
export function renderRunWithReport(json: WireJson, findRevision: FindRevision): WireJson {
  const run = parseRunWithReport(json);
  if (run === undefined) return json;
  return JSON.stringify({...run, report: renderReport(run.report, run, findRevision)});
}

/** Lists the revisions that are needed to show a run. */
export function listReferencesOfRun(json: WireJson): Reference[] {
  const run = parseRunWithReport(json);
  return run === undefined ? [] : listReferences(run.report);
}

/** Parses a run only if it contains a report. */
function parseRunWithReport(json: WireJson): (Run & {readonly report: ReportReferences}) | undefined {
  if (!json.includes('"object":"run"') || !json.includes('"report":{')) return undefined;
  const run = JSON.parse(json) as Run;
  return run.object === 'run' && run.report !== null ? {...run, report: run.report} : undefined;
}
