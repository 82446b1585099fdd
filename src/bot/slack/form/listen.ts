import {listenToAction, listenToView} from '../core/listeners.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {actions, views} from '../blocks/names.js';
import {parseRequest, findTeamDate, packDates} from '../answers/form-request.js';
import {openForm, replaceForm, presentFormRetry} from './open-form.js';
import {keepFormWithReason, submitForm} from './submit-form.js';
import type {ViewOutput} from '@slack/bolt';
import {refusalForPeople} from '../../../domain/core/errors.js';
import {privateAnswer} from '../blocks/blocks.js';
import {readText} from '../blocks/shapes.js';
import {updateModal} from '../core/open-view.js';
import {explainError} from '../core/refusals.js';
import {findNames} from '../core/find-names.js';
import {listAlsoTeams, readAlso, listOpenBlockersForForm} from './extra-inputs.js';
import {carryContent} from './carry-content.js';
import {
  findAsker,
  listPostableTeams,
  findFormDates,
  findDateToShow,
  findPreviousDay,
  findLastStandupBefore,
  findPreparedDraft,
} from './find-asker.js';
import {insertDraft} from './insert-draft.js';
import {type NewData, presentForm} from './form-view.js';
import {type ChooseForm, type NewForm, type OpenForm, parseForm} from './form-state.js';
import {readFormContent, readPickedTeam} from './read-form.js';

export function listenToForm(context: SlackContext): void {
  listenToAction(context, actions.openForm, ({request, value, view}) =>
    view?.type === 'modal'
      ? replaceForm(context, request, view, parseRequest(value))
      : openForm(context, request, parseRequest(value)),
  );

  listenToAction(context, actions.newUpdate, async ({request, value, view}) => {
    if (view !== undefined) await replaceForm(context, request, view, parseRequest(value));
  });

  listenToAction(context, actions.chooseTeam, async ({request, view}) => {
    if (view?.callback_id === views.standup) await showFormOfPickedTeam(context, request, view);
  });

  listenToAction(context, actions.insertDraft, async ({request, view}) => {
    if (view?.callback_id === views.standup) await showFormWithDraft(context, request, view);
  });

  listenToView(
    context,
    views.standup,
    async (submission, answer) => {
      const {response, notify} = await submitForm(context, submission);
      await answer(response);
      await notify?.();
    },
    (sentence, {request, view}) => keepFormWithReason(view, request.translation, sentence),
  );
}

const loadMs = 5_000;

/** Shows the picked team's inputs with the typed text. After a failure the form stays, and posts to it. */
async function showFormOfPickedTeam(
  context: SlackContext,
  request: SlackRequest,
  view: ViewOutput,
): Promise<void> {
  const team = readPickedTeam(view);
  const form = parseForm(view.private_metadata);
  if (team === undefined || form === undefined || form.state.form === 'edit') return;
  const {state, inputs} = form;
  if (state.form === 'new' && state.team === team) return;
  await updateForm(context, request, view, team, (deadline) =>
    loadFormOfPickedTeam(context, request, {view, state, inputs, picked: team}, deadline),
  );
}

/** Shows the same inputs with the typed text, and the prepared draft after it. */
async function showFormWithDraft(
  context: SlackContext,
  request: SlackRequest,
  view: ViewOutput,
): Promise<void> {
  const form = parseForm(view.private_metadata);
  if (form?.state.form !== 'new' || form.state.drafted === true) return;
  const {state, inputs} = form;
  await updateForm(context, request, view, state.team, (deadline) =>
    loadFormWithDraft(context, request, {view, state, inputs}, deadline),
  );
}

/** Replaces the inputs of a form. After a failure the form stays. */
async function updateForm(
  context: SlackContext,
  request: SlackRequest,
  view: ViewOutput,
  team: string,
  load: (deadline: number) => Promise<NewData>,
): Promise<void> {
  const {identities} = context;
  const {translation} = request;
  const deadline = performance.now() + loadMs;
  try {
    const [client, data] = await Promise.all([
      identities.findClient(request.origin, deadline),
      load(deadline),
    ]);
    const retry = presentFormRetry(translation, {mode: 'new', team});
    await updateModal(context, client, request, view, {view: presentForm(translation, data), retry});
  } catch (error) {
    const {sentence} = explainError(context, error, translation.texts);
    await request.respond({...privateAnswer(sentence), replace_original: false});
  }
}

interface TeamPick extends OpenForm {
  readonly view: ViewOutput;
  readonly state: ChooseForm | NewForm;
  readonly picked: string;
}

async function loadFormOfPickedTeam(
  context: SlackContext,
  request: SlackRequest,
  {view, state, inputs, picked}: TeamPick,
  deadline: number,
): Promise<NewData> {
  const {texts} = request.translation;
  const asker = await findAsker(context, request, deadline);
  const {access, slackWorkspace} = asker;
  const mine = await listPostableTeams(context, asker);
  // The form offered only teams for which it has a date.
  const teams = mine.filter(({id}) => findTeamDate(state.dates, id) !== undefined);
  const team = teams.find(({id}) => id === picked);
  if (team === undefined || access === undefined)
    throw refusalForPeople('team_not_found', texts.form.teamGone);
  const dates = await findFormDates(context, asker, teams, state.dates);
  const day = dates.get(team.id) ?? '';
  const isDrafted = state.form === 'new' && state.drafted === true;
  const [ofTeam, ofAny, open, since, prepared] = await Promise.all([
    findLastStandupBefore(context, access, team, day),
    // The standup from which the form was prefilled at first.
    findLastStandupBefore(context, access, undefined, dates.get((teams[0] ?? team).id) ?? day),
    listOpenBlockersForForm(context, access, team.id),
    findPreviousDay(context, access, team, day),
    isDrafted ? [] : findPreparedDraft(context, access, team, day),
  ]);
  const asked = {texts, deadline, domain: request.domain};
  const names = await findNames(context, () => Promise.resolve(slackWorkspace), view.state, asked);
  const {content, cut} = carryContent(readFormContent(view, {state, inputs}, names), team, {ofTeam, ofAny});
  return {
    state: {...state, form: 'new', team: team.id, by: 'list', dates: packDates(dates)},
    team,
    teams,
    content,
    open,
    date: findDateToShow(context, [team], dates),
    since,
    prepared,
    also: {teams: listAlsoTeams(teams, picked), chosen: readAlso(view, state)},
    waiting: readWaitingText(view),
    note: cut ? {sentence: texts.form.appendCut} : undefined,
  };
}

async function loadFormWithDraft(
  context: SlackContext,
  request: SlackRequest,
  {view, state, inputs}: OpenForm & {readonly view: ViewOutput; readonly state: NewForm},
  deadline: number,
): Promise<NewData> {
  const {texts} = request.translation;
  const asker = await findAsker(context, request, deadline);
  const {access, slackWorkspace} = asker;
  const team = slackWorkspace.directory.byReference(state.team);
  if (team === undefined || access === undefined)
    throw refusalForPeople('team_not_found', texts.form.teamGone);
  const mine = await listPostableTeams(context, asker);
  const teams = mine.filter(({id}) => findTeamDate(state.dates, id) !== undefined);
  const dates = await findFormDates(context, asker, [team], state.dates);
  const day = dates.get(team.id) ?? '';
  const [prepared, open, since] = await Promise.all([
    findPreparedDraft(context, access, team, day),
    listOpenBlockersForForm(context, access, team.id),
    findPreviousDay(context, access, team, day),
  ]);
  const asked = {texts, deadline, domain: request.domain};
  const names = await findNames(context, () => Promise.resolve(slackWorkspace), view.state, asked);
  const typed = readFormContent(view, {state, inputs}, names);
  const {content, cut} = insertDraft(typed, team.questions, prepared);
  return {
    state: {...state, drafted: true},
    team,
    teams: state.by === 'list' ? teams : [],
    content,
    open,
    date: findDateToShow(context, [team], dates),
    since,
    also: {teams: listAlsoTeams(teams, team.id), chosen: readAlso(view, state)},
    waiting: readWaitingText(view),
    note: cut ? {sentence: texts.form.appendCut} : undefined,
  };
}

/** Returns the text that the form stores until a team is set up, so that it can be posted then. */
function readWaitingText({blocks}: ViewOutput): string | undefined {
  const buttons = (blocks as {elements?: {action_id?: string; value?: string}[]}[]).flatMap(
    ({elements = []}) => elements,
  );
  const value = buttons.find(({action_id: id}) => id === actions.setUp)?.value;
  return value === undefined ? undefined : readText(value);
}
