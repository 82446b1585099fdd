import {type Absence, findListsWithAbsence} from '../../domain/absences/absence.js';
import {type RemovalMode, reviseWrite, type Write} from '../../domain/commit/writes.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {toDraft} from '../../domain/core/resource.js';

/** Deletes an absence and emits the event of the deletion. */
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

/** Changes an absence and erases all of its earlier revisions. */
function changeAndEraseHistory(absence: Absence, change: Partial<Absence>): Write[] {
  return [
    reviseWrite(absence, {...toDraft(absence), ...change}),
    {do: 'erase-revisions', suffix: suffixOf(absence.id)},
  ];
}
