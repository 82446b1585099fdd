import type {Caller} from '../../../domain/core/access.js';
import {AppError, refusalForPeople} from '../../../domain/core/errors.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {SlackContext} from '../core/context.js';
import type {Texts} from '../../texts/translation.js';
import type {Asker} from './find-asker.js';
import {appendText, buildFormContentFromStandup} from './form-content.js';
import type {EditData} from './form-data.js';
import type {EditForm} from './form-state.js';
import {listOpenBlockersForForm} from './extra-inputs.js';

type EditExtras = Pick<EditForm, 'answer' | 'setUpIn' | 'dates' | 'picks'>;

/** Loads a standup of the person into the inputs of the form. `added`: a text to add to the standup. */
export async function loadEditForm(
  context: SlackContext,
  asker: Asker,
  standup: Standup,
  extras: EditExtras,
  added = '',
): Promise<EditData> {
  const edit = createEdit(asker, standup, extras, added);
  return {...edit, open: await listOpenBlockersForForm(context, asker.access, standup.team_id)};
}

/** Returns the form data for editing another author's standup, with the author's name. */
export function buildEditOfOtherAuthor(asker: Asker, standup: Standup, extras: EditExtras): EditData {
  const {editing} = asker.slackRequest.translation.texts.shown;
  return {...createEdit(asker, standup, extras), note: {sentence: editing({name: standup.author.name})}};
}

function createEdit(
  {slackWorkspace, slackRequest: {translation}}: Asker,
  standup: Standup,
  extras: EditExtras,
  added = '',
): EditData {
  const {id, revision, team_id, date} = standup;
  const team = slackWorkspace.directory.byReference(team_id);
  const written = buildFormContentFromStandup(standup, team);
  const {content, cut} = added === '' ? {content: written, cut: false} : appendText(written, added);
  return {
    state: {form: 'edit', team: team_id, standup: id, revision, date, asWritten: added === '', ...extras},
    team,
    content,
    added,
    open: [],
    note: cut ? {sentence: translation.texts.form.appendCut} : undefined,
  };
}

/** Finds a standup of the person. A standup of another author counts as not found. */
export async function findOwnStandup(
  {services}: SlackContext,
  access: Caller,
  id: string,
  {form}: Texts,
): Promise<Standup> {
  const gone = refusalForPeople('not_found', form.gone);
  const standup = await services.standups.findChangeable(access, id).catch((error: unknown) => {
    const code = error instanceof AppError ? error.code : undefined;
    throw code === 'not_found' || code === 'forbidden' ? gone : error;
  });
  if (standup.author.id !== access.principal.id) throw gone;
  return standup;
}

/** Finds a standup shown in a channel. Errors: `forbidden` if the person may not change it. */
export async function findShownStandup(
  {services}: SlackContext,
  access: Caller | undefined,
  id: string,
  {form, refusal}: Texts,
): Promise<Standup> {
  if (access === undefined) throw refusalForPeople('forbidden', refusal.changeStandup);
  return services.standups.findChangeable(access, id).catch((error: unknown) => {
    const code = error instanceof AppError ? error.code : undefined;
    throw code === 'not_found' ? refusalForPeople(code, form.gone) : error;
  });
}
