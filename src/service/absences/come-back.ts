import {type Absence, findListsWithAbsence, overlapsPeriod} from '../../domain/absences/absence.js';
import type {Commit} from '../../domain/commit/commit.js';
import {createWrite} from '../../domain/commit/writes.js';
import type {Call} from '../../domain/core/access.js';
import {addDays} from '../../domain/core/dates.js';
import type {Id} from '../../domain/core/ids.js';
import {type Draft, toDraft} from '../../domain/core/resource.js';
import type {Run} from '../../domain/runs/run.js';
import type {ServiceContext} from '../core/context.js';
import {listClosedRunsFrom} from '../runs/run-looks.js';
import {listAbsencesOf} from './absence-list.js';
import {
  planAbsenceRemoval,
  readTeam,
  planAbsenceRevision,
  type RestateRequest,
  createRunUpdateJobWrites,
} from './absence-plans.js';

/** The return of a member who was away. */
export interface MemberReturn {
  /** Today's date in the member's time zone. */
  readonly today: string;
  /**
   * For each of the member's teams, the date for which it accepts the member's standup now. This may be
   * yesterday, if yesterday's run is still open.
   */
  readonly runs: readonly TeamDate[];
}

interface TeamDate {
  readonly date: string;
  readonly team: Id<'team'>;
}

export interface EndedAbsences {
  /** The number of absences that end now instead of later. */
  readonly ended: number;
  /** The dates, other than today, of skips that were deleted. */
  readonly skipped: readonly string[];
  /**
   * True if today's run has closed already, or tomorrow's run in a time zone to the east. The report of that
   * run still shows the member as away.
   */
  readonly closed: boolean;
}

type End = Pick<Commit, 'writes' | 'events'>;

/**
 * Plans a return. Current absences end yesterday; absences that began today, and skips of open runs, are
 * deleted. A closed run does not change: on its day the absence continues, also if the run is tomorrow's in a
 * time zone to the east.
 */
export function createReturnPlanner({
  records,
  generateSuffix,
}: ServiceContext): (call: Call, now: MemberReturn, request: RestateRequest) => Promise<Commit> {
  function keepAbsenceOnRunDay(absence: Absence, {team, team_id, date}: Run): End {
    const draft: Draft<Absence> = {...toDraft(absence), from: date, until: date, team, team_id};
    const suffix = generateSuffix();
    return {
      writes: [createWrite('absence', suffix, draft, findListsWithAbsence(draft))],
      events: [{type: 'absence.created', about: suffix, revision: 1, ...readTeam(draft)}],
    };
  }

  return async function planReturn(call, {today, runs}, request) {
    const dates = [today, ...runs.map(({date}) => date)].toSorted();
    const time = {from: dates.at(0) ?? today, until: dates.at(-1) ?? today};
    const [there, closed] = await Promise.all([
      listAbsencesOf(records, call, call.principal.id, time),
      listClosedRunsFrom(
        records,
        call,
        runs.map(({team}) => team),
        time.from,
      ),
    ]);
    const isClosedOn = (absence: Absence, run: Run, date: string): boolean =>
      run.date === date && concernsTeam(absence, run.team_id);

    const onToday = there
      .filter((absence) => overlapsPeriod(absence, {from: today, until: today}))
      .map((absence) => {
        const over = closed.filter((run) => isClosedOn(absence, run, today));
        const isAllOver = over.length > 0 && over.length === countRuns(absence, runs);
        return {absence, last: isAllOver ? today : addDays(today, -1)};
      })
      .filter(({absence, last}) => absence.until !== last);
    const ends = onToday.flatMap(({absence, last}): End[] => {
      const end =
        absence.from <= last
          ? planAbsenceRevision(absence, {...toDraft(absence), until: last}, [], request)
          : planAbsenceRemoval(absence);
      const kept = closed.filter((run) => run.date > last && isOffOn(absence, run));
      return [end, ...kept.map((run) => keepAbsenceOnRunDay(absence, run))];
    });
    const skips = there.filter(
      (absence) =>
        absence.kind === 'skip' &&
        absence.from !== today &&
        runs.some(({date, team}) => date === absence.from && concernsTeam(absence, team)) &&
        !closed.some((run) => isClosedOn(absence, run, absence.from)),
    );

    const all = [...ends, ...skips.map((skip) => planAbsenceRemoval(skip))];
    const ended: EndedAbsences = {
      ended: onToday.length + skips.length,
      skipped: [...new Set(skips.map(({from}) => from))].toSorted(),
      closed: closed.some((run) => run.date >= today && there.some((absence) => isOffOn(absence, run))),
    };
    const removed = onToday.flatMap(({absence, last}) => (absence.from > last ? [absence] : []));
    return {
      guards: [],
      writes: [
        ...all.flatMap(({writes}) => writes),
        ...createRunUpdateJobWrites(call.principal.id, [...removed, ...skips], request),
      ],
      events: all.flatMap(({events}) => events),
      reply: {kind: 'inline', accepted: false, body: JSON.stringify(ended)},
    };
  };
}

function concernsTeam({team_id}: Absence, team: Id<'team'>): boolean {
  return team_id === null || team_id === team;
}

function isOffOn(absence: Absence, {date, team_id}: Run): boolean {
  return overlapsPeriod(absence, {from: date, until: date}) && concernsTeam(absence, team_id);
}

function countRuns(absence: Absence, runs: readonly TeamDate[]): number {
  return runs.filter(({team}) => concernsTeam(absence, team)).length;
}
