import type {Caller} from '../../../domain/core/access.js';
import {AppError, plainRefusal} from '../../../domain/core/errors.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Kit} from '../door/kit.js';
import type {Words} from '../../words/words.js';
import type {Asker} from './find-asker.js';
import {appendTo, contentOfStandup} from './form-content.js';
import type {EditData} from './form-data.js';
import type {EditForm} from './form-state.js';
import {openBlockersIn} from './open-blockers.js';

type Parts = Pick<Kit, 'services'>;

/** The data of an edit besides its standup. */
type Beside = Pick<EditForm, 'answer' | 'setUpIn' | 'dates' | 'picks'>;

/**
 * Loads a standup of the person's own into the inputs in which it can be edited. `added`: a text to add to
 * it.
 */
export async function loadEdit(
  {services}: Parts,
  asker: Asker,
  standup: Standup,
  beside: Beside,
  added = '',
): Promise<EditData> {
  const edit = editOf(asker, standup, beside, added);
  return {...edit, open: await openBlockersIn(services, asker.access, standup.team_id)};
}

/** The edit of another author's standup, with the author's name. */
export function editOfOther(asker: Asker, standup: Standup, beside: Beside): EditData {
  const {editing} = asker.visit.reader.words.shown;
  return {...editOf(asker, standup, beside), note: {sentence: editing(standup.author.name)}};
}

function editOf({place, visit: {reader}}: Asker, standup: Standup, beside: Beside, added = ''): EditData {
  const {id, revision, team_id, date} = standup;
  const team = place.directory.byReference(team_id);
  const written = contentOfStandup(standup, team);
  const {content, cut} = added === '' ? {content: written, cut: false} : appendTo(written, added);
  return {
    state: {form: 'edit', team: team_id, standup: id, revision, date, asWritten: added === '', ...beside},
    team,
    content,
    added,
    open: [],
    note: cut ? {sentence: reader.words.form.appendCut} : undefined,
  };
}

/** Finds a standup of the person's own; for other people it does not seem to exist. */
export async function findOwn(
  {services}: Parts,
  access: Caller,
  id: string,
  {form}: Words,
): Promise<Standup> {
  const gone = plainRefusal('not_found', form.gone);
  const standup = await services.standups.findChangeable(access, id).catch((error: unknown) => {
    const code = error instanceof AppError ? error.code : undefined;
    throw code === 'not_found' || code === 'forbidden' ? gone : error;
  });
  if (standup.author.id !== access.principal.id) throw gone;
  return standup;
}

/** Finds a standup shown in a channel, for people who may change it. */
export async function findShown(
  {services}: Parts,
  access: Caller | undefined,
  id: string,
  {form, refusal}: Words,
): Promise<Standup> {
  if (access === undefined) throw plainRefusal('forbidden', refusal.changeStandup);
  return services.standups.findChangeable(access, id).catch((error: unknown) => {
    const code = error instanceof AppError ? error.code : undefined;
    throw code === 'not_found' ? plainRefusal(code, form.gone) : error;
  });
}
