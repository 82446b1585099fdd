import {type Absence, absenceListings} from '../../domain/absences/absence.js';
import type {Commit} from '../../domain/commit/commit.js';
import {reviseWrite} from '../../domain/commit/writes.js';
import {drawnPart} from '../../domain/core/ids.js';
import type {Draft} from '../../domain/core/resource.js';
import type {Proof} from '../core/authority.js';
import {toldTo} from './absence-removal.js';
import {type Asking, restateWrites} from './absence-runs.js';

/**
 * Changes an absence, and adds a job that updates the closed runs of its days before and after the change.
 */
export function planRevision(before: Absence, draft: Draft<Absence>, guards: Proof, asking: Asking): Commit {
  const [about, revision] = [drawnPart(before.id), before.revision + 1];
  const move = before.until === draft.until ? [] : absenceListings(draft);
  const revised = reviseWrite(before, draft, {move});
  return {
    guards,
    writes: [revised, ...restateWrites(before.member.id, [before, draft], asking)],
    events: [{type: 'absence.updated', about, revision, ...toldTo(draft)}],
    reply: {kind: 'resource', of: revised},
  };
}
