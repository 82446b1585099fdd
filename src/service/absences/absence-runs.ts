import type {Absence} from '../../domain/absences/absence.js';
import type {PrincipalId} from '../../domain/core/access.js';
import type {Write} from '../../domain/commit/writes.js';
import {toInstant} from '../../domain/core/dates.js';

/** A request to update runs: its time (ms) and a unique name. */
export interface RestateRequest {
  readonly now: number;
  readonly asked: string;
}

/** The maximum time (ms) by which a time zone is ahead of UTC. */
const aheadMs = 14 * 3_600_000;

/**
 * Adds a job for the days of these absences on which runs may have closed; none if all days are in the
 * future.
 */
export function createRunUpdateJobWrites(
  member: PrincipalId,
  absences: readonly Pick<Absence, 'from' | 'until'>[],
  {now, asked}: RestateRequest,
): Write[] {
  const last = toInstant(now + aheadMs).slice(0, 10);
  const from = absences.map((absence) => absence.from).toSorted()[0] ?? last;
  const ends = absences.map(({until}) => (until === null || until > last ? last : until));
  const until = ends.toSorted().at(-1) ?? last;
  return from > until ? [] : [{do: 'begin-work', work: {kind: 'restate-runs', member, from, until, asked}}];
}
