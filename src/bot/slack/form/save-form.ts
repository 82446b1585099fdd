import {parseWire} from '../../../domain/core/resource.js';
import type {Call} from '../../../domain/core/access.js';
import {AppError, fieldError, plainRefusal} from '../../../domain/core/errors.js';
import {type Standup, postedIn} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import type {Said} from '../../../service/standups/standup-words.js';
import {nameInText} from '../../words/bidi.js';
import type {Kit} from '../door/kit.js';
import {type MemberCall, type Place, slackKey} from '../door/visitors.js';
import type {Reader} from '../blocks/reader.js';
import {dateIn, explainForTeam} from './form-dates.js';
import type {EditForm, FormState} from './form-state.js';

/** A form to be saved. */
export interface HandedIn {
  readonly viewId: string;
  readonly state: FormState;
  readonly said: Said;
  /** Id of its team; undefined when none was picked. */
  readonly team: string | undefined;
  /** Ids of further teams of a new standup. */
  readonly also: readonly string[];
  /** True when nothing of an edit was touched: then nothing has changed. */
  readonly keeps: boolean;
}

/** The standups that a form has created or changed. `joined`: the team that its author joined by this. */
export interface Saved {
  readonly standups: readonly Standup[];
  readonly joined?: Team | undefined;
}

export type SaveParts = Pick<Kit, 'services'>;

/**
 * Creates the standup of the form, one for each of its teams in one commit, or changes the one it was opened
 * with; returns the result. Errors: `precondition_failed` when that has been changed meanwhile, `not_found`
 * when it has been deleted, `team_not_found`.
 */
export async function saveForm(
  parts: SaveParts,
  at: {readonly place: Place; readonly call: MemberCall},
  form: HandedIn,
  reader: Reader,
): Promise<Saved> {
  const {state} = form;
  return state.form === 'edit'
    ? {standups: [await saveEdit(parts, at.call, form, state)]}
    : saveNew(parts, at, form, state, reader);
}

/** The view's id identifies the created standups: submitting it again changes those, for the same teams. */
async function saveNew(
  {services: {standups}}: SaveParts,
  {place, call}: {readonly place: Place; readonly call: MemberCall},
  {viewId, said, team: picked, also}: HandedIn,
  state: Exclude<FormState, EditForm>,
  reader: Reader,
): Promise<Saved> {
  const {form} = reader.words;
  const find = (reference: string, pointer: string) => {
    const found = place.directory.byReference(reference);
    if (found === undefined) throw fieldError('team_not_found', pointer, form.teamGone, {forPeople: true});
    return found;
  };
  const team = find(picked ?? '', '#/team');
  // The list of further teams may still offer the one that has been picked since.
  const others = also.filter((id) => id !== team.id).map((id, i) => find(id, `#/teams/${i + 1}`));
  const teams = [team, ...others];
  const content = others.length === 0 ? contentOf(said) : JSON.stringify([idsOf(teams), contentOf(said)]);
  const keyed = {...call, idempotency: slackKey(call, 'form', viewId, content)};
  // The author is in a team chosen from the list already, which the service checks.
  const joins = state.form === 'new' && state.by === 'channel';
  const input = {...said, joins, source: 'slack'} as const;
  const dates = teams.map(({id}) => dateIn(state.dates, id));
  try {
    const where =
      others.length === 0 ? {team: team.slug, date: dates[0]} : {team: teams.map(({slug}) => slug), dates};
    const posted = await standups.postFromChannel(keyed, {...where, ...input});
    if (posted.outcome === 'unclear') throw plainRefusal('team_not_found', form.teamGone);
    const joined = place.directory.byReference(posted.joined ?? '');
    return {standups: postedIn(posted.answer.body), joined};
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'idempotency_key_reused')
      throw explainForTeam(error, reader, place.directory);
    const kept = await standups.listKept(keyed);
    if (kept.length === 0) throw plainRefusal('not_found', form.madeIsDeleted, {cause: error});
    const isSame = kept.length === teams.length && kept.every((one) => idsOf(teams).includes(one.team_id));
    if (!isSame && (kept.length > 1 || others.length > 0)) {
      const named = kept.map((one) =>
        nameInText(place.directory.byReference(one.team_id)?.name ?? reader.words.typed.goneTeam),
      );
      throw plainRefusal('validation_failed', form.madeForOthers(named.join(', ')), {cause: error});
    }
    return {
      standups: await inTurn(kept, async ({id}) =>
        parseWire((await standups.editStandup(call, id, said)).body),
      ),
    };
  }
}

/** The index of the team that a refusal is about, among those of the form. */
export function refusedAt(error: unknown): number {
  const faults = error instanceof AppError ? (error.context.faults ?? []) : [];
  const places = faults.map(({pointer = ''}) => /^#\/teams\/(\d+)/.exec(pointer)?.[1]);
  return Number(places.find((place) => place !== undefined) ?? 0);
}

/** Runs one after another: each takes from the person's write quota. */
async function inTurn<T, R>(all: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const one of all) done.push(await run(one));
  return done;
}

function idsOf(teams: readonly Team[]): string[] {
  return teams.map(({id}) => id);
}

/** The same text from the same view on the same revision is one change, however often it is submitted. */
async function saveEdit(
  {services: {standups}}: SaveParts,
  call: Call,
  {viewId, said, keeps}: HandedIn,
  {standup: id, revision}: EditForm,
): Promise<Standup> {
  if (keeps) return standups.findStandup(call, id);
  const content = contentOf(said);
  const idempotency = slackKey(call, 'form', `${viewId} ${id} ${revision} ${content}`, content);
  return parseWire((await standups.editStandup({...call, idempotency}, id, said, [revision])).body);
}

/** The content that determines whether two submissions of one form are the same. */
export function contentOf({update, ...more}: Said): string {
  const plain = more.answers === undefined && more.resolved === undefined;
  return plain ? (update ?? '') : JSON.stringify({update, ...more});
}
