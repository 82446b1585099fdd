import {type Absence, findListsWithAbsence} from '../../domain/absences/absence.js';
import type {Commit} from '../../domain/commit/commit.js';
import {reviseWrite} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import type {Draft} from '../../domain/core/resource.js';
import type {Proof} from '../core/authority.js';
import {readTeam} from './absence-removal.js';
import {type RestateRequest, createRunUpdateJobWrites} from './absence-runs.js';

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
