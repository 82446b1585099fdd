import {type Absence, findListsWithAbsence} from '../../domain/absences/absence.js';
import {type RemovalMode, reviseWrite, type Write} from '../../domain/commit/writes.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {toDraft, type Draft} from '../../domain/core/resource.js';
import type {PrincipalId} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import type {Commit} from '../../domain/commit/commit.js';
import type {Proof} from '../core/authority.js';

export function planAbsenceRemoval(absence: Absence, how: RemovalMode = 'remove') {
  const {id, revision, member, created_by: maker} = absence;
  const listNames = findListsWithAbsence(absence).map(({list}) => list);
  return {
    effect: 'release',
    writes: [{do: 'remove', how, id, from: revision, lists: listNames, names: [member.id, maker.id]}],
    events: [{type: 'absence.deleted', about: suffixOf(id), revision, ...readTeam(absence)}],
  } as const;
}

/** Returns the team of an absence; empty for an absence from all teams. */
export function readTeam({team_id: team}: Pick<Absence, 'team_id'>): {team?: Id<'team'>} {
  return team === null ? {} : {team};
}

/** Removes the name of the person who entered an absence for another member. The absence stays. */
export function removeNameOfEnterer(absence: Absence) {
  const {id, revision, created_by: maker} = absence;
  const suffix = suffixOf(id);
  return {
    writes: [
      ...changeAndEraseHistory(absence, {created_by: {...maker, name: null}}),
      {do: 'relist', suffix, from: lists.absencesEnteredBy(maker.id), to: null},
    ],
    events: [{type: 'absence.updated', about: suffix, revision: revision + 1, ...readTeam(absence)}],
  } as const;
}

/** Erases the reason of an absence. The days stay, since reports count them. */
export function eraseReason(absence: Absence) {
  return absence.reason === null ? undefined : {writes: changeAndEraseHistory(absence, {reason: null})};
}

function changeAndEraseHistory(absence: Absence, change: Partial<Absence>): Write[] {
  return [
    reviseWrite(absence, {...toDraft(absence), ...change}),
    {do: 'erase-revisions', suffix: suffixOf(absence.id)},
  ];
}

/** A request to update runs: its time (ms) and a unique name. */
export interface RestateRequest {
  readonly now: number;
  readonly asked: string;
}

/** The maximum time (ms) by which a time zone is ahead of UTC. */
const aheadMs = 14 * 3_600_000;

/** Adds a job for those days of these absences on which runs may have closed, if there are any. */
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

/** Changes an absence, and adds a job that updates closed runs on the old and the new days of the absence. */
export function planAbsenceRevision(
  before: Absence,
  draft: Draft<Absence>,
  guards: Proof,
  request: RestateRequest,
): Commit {
  const [about, revision] = [suffixOf(before.id), before.revision + 1];
  const move = before.until === draft.until ? [] : findListsWithAbsence(draft);
  const revised = reviseWrite(before, draft, {move});
  return {
    guards,
    writes: [revised, ...createRunUpdateJobWrites(before.member.id, [before, draft], request)],
    events: [{type: 'absence.updated', about, revision, ...readTeam(draft)}],
    reply: {kind: 'resource', of: revised},
  };
}
