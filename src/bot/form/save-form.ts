import type {Call} from '../../domain/access.js';
import {AppError, fieldError} from '../../domain/errors.js';
import type {Standup} from '../../domain/standup.js';
import type {Said} from '../../service/standup-words.js';
import type {Kit} from '../kit.js';
import {type Place, slackKey} from '../visitors.js';
import type {Words} from '../words/words.js';
import type {FormPlace} from './form-place.js';

/** A form as it is to be saved. */
export interface HandedIn {
  readonly viewId: string;
  readonly place: FormPlace;
  readonly said: Said;
  /** Id of the team that was chosen, where there was something to choose. */
  readonly chosen: string | undefined;
  readonly untouched: boolean;
}

export type SaveParts = Pick<Kit, 'visitors' | 'services'>;

/**
 * Makes the standup that the form is for, or changes the one it was opened with; returns what it is then. Errors: `precondition_failed` when
 * that has been changed meanwhile, `not_found` when it has been deleted, `team_not_found`.
 */
export function saveForm(
  parts: SaveParts,
  at: {readonly place: Place; readonly call: Call},
  form: HandedIn,
  words: Words,
): Promise<Standup> {
  const {standup, revision} = form.place;
  return standup === undefined
    ? saveNew(parts, at, form, words)
    : saveEdit(parts, at.call, form, {id: standup, revision: revision ?? 0});
}

/** The view's id stands for the standup: submitting it again changes the one it has made. */
async function saveNew(
  {visitors, services: {standups}}: SaveParts,
  {place, call}: {readonly place: Place; readonly call: Call},
  {viewId, place: {team: clear, joins}, said, chosen}: HandedIn,
  {form}: Words,
): Promise<Standup> {
  const reference = clear ?? chosen;
  const team = reference === undefined ? undefined : place.directory.byReference(reference);
  if (team === undefined) throw fieldError('team_not_found', '#/team', form.teamGone);
  // Posting in a team's channel joins it; a team chosen from the list is one they are in already, and the service checks that.
  if (joins) await visitors.join(call, team);
  const keyed = {...call, idempotency: slackKey(call, 'form', viewId, contentOf(said))};
  try {
    return parse(await standups.postStandup(keyed, {team: team.slug, ...said, source: 'slack'}));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'idempotency_key_reused') throw error;
    const kept = await standups.findKept(keyed);
    if (kept === undefined) throw new AppError('not_found', form.madeIsDeleted, {cause: error});
    return parse(await standups.editStandup(call, kept.id, said));
  }
}

/** The same text from the same view on the same revision is one change, however often it is handed in. */
async function saveEdit(
  {services: {standups}}: SaveParts,
  call: Call,
  {viewId, place, said, untouched}: HandedIn,
  {id, revision}: {id: string; revision: number},
): Promise<Standup> {
  if (place.asWritten && untouched) return standups.findStandup(call, id);
  const content = contentOf(said);
  const idempotency = slackKey(call, 'form', `${viewId} ${id} ${revision} ${content}`, content);
  return parse(await standups.editStandup({...call, idempotency}, id, said, [revision]));
}

/** What makes two uses of one form the same. */
function contentOf({update, ...more}: Said): string {
  const plain = more.answers === undefined && more.resolved === undefined;
  return plain ? (update ?? '') : JSON.stringify({update, ...more});
}

function parse({body}: {readonly body?: string}): Standup {
  return JSON.parse(body ?? '{}') as Standup;
}
