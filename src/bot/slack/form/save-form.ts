import {parseWire} from '../../../domain/core/resource.js';
import type {Call} from '../../../domain/core/access.js';
import {AppError, fieldError, refusalForPeople} from '../../../domain/core/errors.js';
import {restoreMentions} from '../../../domain/core/mentions.js';
import {standupText} from '../../../domain/questions/answers.js';
import {type Standup, standupsOfPostResult} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import type {StandupInput} from '../../../service/standups/standup-content.js';
import {isolateName} from '../../texts/bidi.js';
import type {SlackContext} from '../core/context.js';
import {type MemberCall, type SlackWorkspace, slackKey} from '../core/slack-identities.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {findTeamDate} from '../answers/form-request.js';
import {nameTeamInRefusal} from '../core/refusals.js';
import type {EditForm, FormState} from './form-state.js';

export interface SubmittedForm {
  readonly viewId: string;
  readonly state: FormState;
  readonly said: StandupInput;
  /** The id of the form's team; undefined if none was picked. */
  readonly team: string | undefined;
  readonly also: readonly string[];
  /** True if the person has touched no input of an edit: then nothing is changed. */
  readonly keeps: boolean;
}

/** The standups that a form created or changed. `joined`: the team that the author joined by posting. */
export interface SavedStandups {
  readonly standups: readonly Standup[];
  readonly joined?: Team | undefined;
}

/** Saves a form in one commit. Errors: `precondition_failed` if changed, `not_found`, `team_not_found`. */
export async function saveForm(
  context: SlackContext,
  at: {readonly slackWorkspace: SlackWorkspace; readonly call: MemberCall},
  form: SubmittedForm,
  translation: SlackTranslation,
): Promise<SavedStandups> {
  const {state} = form;
  return state.form === 'edit'
    ? {standups: [await saveEditedStandup(context, at.call, form, state)]}
    : saveNewStandups(context, at, form, state, translation);
}

/** Creates standups. The modal's id identifies them: a second submission changes the same ones. */
async function saveNewStandups(
  {services: {standups}}: SlackContext,
  {slackWorkspace, call}: {readonly slackWorkspace: SlackWorkspace; readonly call: MemberCall},
  {viewId, said, team: picked, also}: SubmittedForm,
  state: Exclude<FormState, EditForm>,
  translation: SlackTranslation,
): Promise<SavedStandups> {
  const {form} = translation.texts;
  const find = (reference: string, pointer: string) => {
    const found = slackWorkspace.directory.byReference(reference);
    if (found === undefined) throw fieldError('team_not_found', pointer, form.teamGone, {forPeople: true});
    return found;
  };
  const team = find(picked ?? '', '#/team');
  // The list of further teams may still contain the team that the person has picked as the form's own team.
  const others = also.filter((id) => id !== team.id).map((id, i) => find(id, `#/teams/${i + 1}`));
  const teams = [team, ...others];
  const content = serializeContent(said, listTeamIds(teams));
  const keyed = {...call, idempotency: slackKey(call, 'form', viewId, content)};
  // A team chosen from the list is one of the author's own, which the service checks.
  const joins = state.form === 'new' && state.by === 'channel';
  const input = {...said, joins, source: 'slack'} as const;
  const dates = teams.map(({id}) => findTeamDate(state.dates, id));
  try {
    const where =
      others.length === 0 ? {team: team.slug, date: dates[0]} : {team: teams.map(({slug}) => slug), dates};
    const posted = await standups.postFromChannel(keyed, {...where, ...input});
    if (posted.outcome === 'unclear') throw refusalForPeople('team_not_found', form.teamGone);
    const joined = slackWorkspace.directory.byReference(posted.joined ?? '');
    return {standups: standupsOfPostResult(posted.answer.body), joined};
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'idempotency_key_reused')
      throw nameTeamInRefusal(error, translation, slackWorkspace.directory);
    const kept = await standups.listKept(keyed);
    if (kept.length === 0) throw refusalForPeople('not_found', form.madeIsDeleted, {cause: error});
    const isSame =
      kept.length === teams.length && kept.every((one) => listTeamIds(teams).includes(one.team_id));
    if (!isSame && (kept.length > 1 || others.length > 0)) {
      const named = kept.map((one) =>
        isolateName(
          slackWorkspace.directory.byReference(one.team_id)?.name ?? translation.texts.typed.goneTeam,
        ),
      );
      throw refusalForPeople('validation_failed', form.madeForOthers({teams: named.join(', ')}), {
        cause: error,
      });
    }
    return {
      standups: await runInSequence(kept, async ({id}) =>
        parseWire((await standups.editStandup(call, id, said)).body),
      ),
    };
  }
}

export function findRefusedTeamIndex(error: unknown): number {
  const inputErrors = error instanceof AppError ? (error.context.inputErrors ?? []) : [];
  const indices = inputErrors.map(({pointer = ''}) => /^#\/teams\/(\d+)/.exec(pointer)?.[1]);
  return Number(indices.find((index) => index !== undefined) ?? 0);
}

/** Runs functions one after another, since each takes from the person's write quota. */
async function runInSequence<T, R>(all: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const one of all) done.push(await run(one));
  return done;
}

function listTeamIds(teams: readonly Team[]): string[] {
  return teams.map(({id}) => id);
}

/** Changes a standup. The same text from the same modal and revision is one change. */
async function saveEditedStandup(
  {services: {standups}}: SlackContext,
  call: Call,
  {viewId, said, keeps}: SubmittedForm,
  {standup: id, revision}: EditForm,
): Promise<Standup> {
  if (keeps) return standups.findStandup(call, id);
  const content = serializeContent(said);
  const written =
    said.format === 'markdown' ? restoreInTexts(said, await standups.findStandup(call, id)) : said;
  const idempotency = slackKey(call, 'form', `${viewId} ${id} ${revision} ${content}`, content);
  return parseWire((await standups.editStandup({...call, idempotency}, id, written, [revision])).body);
}

/** The form shows mentions as names, which become mentions again. */
function restoreInTexts({update, after, answers, ...said}: StandupInput, before: Standup): StandupInput {
  const texts = before.format === 'markdown' ? [standupText(before)] : [];
  const restore = (text: string) => restoreMentions(text, texts);
  return {
    ...said,
    ...(update !== undefined && {update: restore(update)}),
    ...(after !== undefined && {after: restore(after)}),
    ...(answers !== undefined && {
      answers: answers.map((answer) =>
        typeof answer.value === 'string' ? {...answer, value: restore(answer.value)} : answer,
      ),
    }),
  };
}

/** Returns the content by which two submissions of one form are recognised as the same. */
export function serializeContent({update, ...more}: StandupInput, teams: readonly string[] = []): string {
  const isPlain = more.answers === undefined && more.resolved === undefined;
  const content = isPlain ? (update ?? '') : JSON.stringify({update, ...more});
  return teams.length > 1 ? JSON.stringify([teams, content]) : content;
}
