import type {Call} from '../domain/access.js';
import {addDays, dayNumber} from '../domain/dates.js';
import {parameterError} from '../domain/errors.js';
import {drawnPart} from '../domain/ids.js';
import {limits} from '../domain/limits.js';
import {lists, placeOf, type Row} from '../domain/lists.js';
import type {Participation} from '../domain/participation.js';
import {countReferences, statusOfLine} from '../domain/report-references.js';
import type {LineReference, Run, RunStatus} from '../domain/run.js';
import {countLines} from '../domain/run-report.js';
import type {Member} from '../domain/workspace.js';
import type {Zones} from '../domain/zones.js';
import {requireSpan, requireTeam, restateRuns, type RunViewParts} from './run-views.js';
import type {Clock} from './stores.js';

export interface ParticipationParts extends RunViewParts {
  readonly zones: Zones;
  readonly clock: Clock;
  /** Lines of reports that one answer is made from. */
  readonly most?: number;
}

/**
 * The last 30 days when it does not say. Errors: `not_found`, `invalid_parameter` for more than 366 days, or for more people and runs than
 * one answer counts.
 */
export type FindParticipation = (
  call: Pick<Call, 'workspace' | 'deadline'> & Partial<Pick<Call, 'scopes'>>,
  team: string,
  time: {readonly since?: string | undefined; readonly until?: string | undefined},
) => Promise<Participation>;

const defaultDays = 30;
/** Runs that are read at once: each may have as many lines as a team has people. */
const page = 25;

export function createFindParticipation(parts: ParticipationParts): FindParticipation {
  const {records, teams, zones, clock, most = limits.participationLines} = parts;

  /** What those who have left were called, as their line in a report shows it; nobody who has been erased, or of whom nothing is kept any more. */
  async function findNames(
    {workspace, deadline}: Pick<Call, 'workspace' | 'deadline'>,
    lines: readonly LineReference[],
  ): Promise<Map<string, string>> {
    const references = lines.map(({member, revision}) => ({drawn: drawnPart(member), revision}));
    const found = await records.findRevisions(workspace, references, deadline);
    return new Map(
      lines.flatMap(({member}, i) => {
        const json = found[i];
        return json === undefined ? [] : [[member, (JSON.parse(json) as Member).name] as const];
      }),
    );
  }

  return async function findParticipation(call, reference, given) {
    const team = await requireTeam(teams, call, reference);
    const today = zones.dayIn(team.timezone, clock.now());
    const until = given.until ?? (given.since !== undefined && given.since > today ? given.since : today);
    const since = given.since ?? addDays(until, 1 - defaultDays);
    requireSpan(since, until);
    if (addDays(since, limits.participationDays) <= until) {
      throw parameterError(
        'since',
        `From ${since} to ${until} are more than ${limits.participationDays} days: ask for fewer at once.`,
      );
    }

    const range = {
      list: lists.runsOfTeam(team.id),
      from: placeOf(dayNumber(since), 0),
      to: placeOf(dayNumber(until) + 1, 0),
      upward: true,
      limit: page,
    };
    const runs: Run[] = [];
    let lines = 0;
    for (let above: number | undefined, more = true; more; ) {
      const query = {...range, ...(above !== undefined && {above})};
      const found: {rows: Row[]; more: boolean} = await records.list(call.workspace, query, call.deadline);
      more = found.more && found.rows.length > 0;
      above = found.rows.at(-1)?.place;
      for (const {json} of found.rows) {
        const run = JSON.parse(json) as Run;
        if (run.state !== 'closed' || run.report === null) continue;
        lines += run.report.lines.length;
        if (lines > most) throw tooMuch(since, runs.at(-1)?.date ?? since);
        runs.push(run);
      }
    }

    const {reports, people} = await restateRuns(parts, call, runs);
    const statuses = new Map<string, {status: RunStatus}[]>();
    const all: {status: RunStatus}[] = [];
    const lastLines = new Map<string, LineReference>();
    for (const line of [...reports.values()].flatMap((report) => report.lines)) {
      lastLines.set(line.member, line);
      const status = {status: statusOfLine(line)};
      all.push(status);
      const own = statuses.get(line.member);
      if (own === undefined) statuses.set(line.member, [status]);
      else own.push(status);
    }
    const gone = [...lastLines.values()].filter(({member}) => !people.has(member));
    const namesOfGone = await findNames(call, gone);
    const byMember = [...statuses].map(([id, own]) => ({
      member: {type: 'member', id, name: people.get(id)?.name ?? namesOfGone.get(id) ?? null} as const,
      counts: countLines(own),
    }));
    return {
      object: 'participation',
      team: team.slug,
      team_id: team.id,
      since,
      until,
      counts: countLines(all),
      by_date: runs.flatMap((run) => {
        const report = reports.get(run.id);
        if (report === undefined) return [];
        return [{date: run.date, run: run.id, counts: countReferences(report, run)}];
      }),
      by_member: byMember.toSorted((a, b) => compareNames(a.member, b.member)),
    };
  };
}

function tooMuch(since: string, fits: string) {
  return parameterError(
    'until',
    `The runs of so many people and days are too many for one answer: ask for them in parts, first from ${since} to ${fits}.`,
  );
}

/** Those whose name has been erased stand last. */
function compareNames(
  a: {readonly name: string | null; readonly id: string},
  b: {readonly name: string | null; readonly id: string},
): number {
  const [left, right] = [a, b].map(
    ({name, id}) => `${name === null ? '1' : `0${name.toLowerCase()}`}\n${id}`,
  );
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
