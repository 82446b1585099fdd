import {AppError, refusalForPeople} from '../../../domain/core/errors.js';
import {buildAnswerAddress} from '../core/read-request.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {isChannelId} from '../answers/setup-offer.js';
import type {Texts} from '../../texts/translation.js';
import {
  type Asker,
  findAsker,
  listRequestedTeams,
  listPostableTeams,
  findFormDates,
  type Dates,
  requireOpenRun,
  findDateToShow,
  findPreviousDay,
  listPostedStandups,
  carryAnswersForward,
  findLastStandupBefore,
  findPreparedDraft,
} from './find-asker.js';
import type {EditData, FormData, NewData} from './form-view.js';
import {
  readAddedText,
  type FormRequest,
  readTeamAndDates,
  isFromPrivate,
  makePostAgainRequest,
  findTeamDate,
  packDates,
  readInitialText,
} from '../answers/form-request.js';
import type {ChooseForm, EditForm} from './form-state.js';
import {findTypedText, listTypedTeamIds, toFormContent, type TypedContent} from './typed-content.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import {findPlan} from '../../../domain/standups/plan.js';
import {listAlsoTeams, listOpenBlockersForForm} from './extra-inputs.js';
import {
  appendText,
  buildFormContentFromUpdate,
  buildFormContentFromStandup,
  emptyParts,
  type FormContent,
  buildQuestionFormContent,
  writeTyped,
} from './form-content.js';
import type {Caller} from '../../../domain/core/access.js';

/** Thrown when there is no standup of today to edit. `team`: the team, if clear. */
export class NothingToday extends AppError {
  readonly team: string | undefined;

  constructor({form}: Texts, team: string | undefined) {
    super('not_found', form.nothingToday, {forPeople: true});
    this.team = team;
  }
}

/** Loads the data of a form. Errors: `NoTeam`, `NothingToday`, `not_found`, `forbidden`. */
export async function loadForm(
  context: SlackContext,
  slackRequest: SlackRequest,
  request: FormRequest,
  deadline: number,
): Promise<FormData> {
  const asker = await findAsker(context, slackRequest, deadline);
  if (request.mode === 'edit-shown') return loadShownStandup(context, asker, request);
  // A new person has no standups.
  if (request.mode === 'edit' && request.standup !== undefined && asker.access !== undefined) {
    const standup = await findOwnStandup(
      context,
      asker.access,
      request.standup,
      slackRequest.translation.texts,
    );
    return loadEditForm(context, asker, standup, {
      ...createAnswerAddressState(context, asker, request),
      picks: false,
    });
  }
  return loadFormForTeams(context, asker, request);
}

/** Loads any author's standup. The person's own deleted standup becomes a new form with its content. */
async function loadShownStandup(
  context: SlackContext,
  asker: Asker,
  request: Extract<FormRequest, {mode: 'edit-shown'}>,
): Promise<FormData> {
  const {access, slackRequest} = asker;
  const {texts} = slackRequest.translation;
  const {standup: id, revision} = request;
  const gone = access && (await context.services.standups.findDeleted(access, {id, revision}));
  if (gone !== undefined) {
    const data = await loadFormForTeams(context, asker, makePostAgainRequest(gone, revision));
    return {...data, note: {sentence: texts.form.goneKept}};
  }
  const standup = await findShownStandup(context, access, id, texts);
  const beside = {...createAnswerAddressState(context, asker, request), picks: false};
  return standup.author.id === access?.principal.id
    ? loadEditForm(context, asker, standup, beside)
    : buildEditOfOtherAuthor(asker, standup, beside);
}

/** Loads today's standup for editing if the teams have one, or else a new form for the teams without one. */
async function loadFormForTeams(
  context: SlackContext,
  asker: Asker,
  request: FormRequest,
): Promise<FormData> {
  const teams = await listRequestedTeams(context, asker, request);
  const typed = await findTypedText(context, asker, request);
  const given = readTeamAndDates(request).dates;
  const dates = await findFormDates(context, asker, teams, given);
  const beside = {
    ...createAnswerAddressState(context, asker, request),
    ...findSetupChannel(asker, request),
    ...(isFromPrivate(request) && {fromPrivate: true as const}),
  };
  // If the typed text has been posted meanwhile, that standup is edited.
  const isNew = request.mode === 'new' && (request.begins?.with !== 'typed' || typed !== undefined);
  const posted = isNew ? [] : await listPostedStandups(context, asker.access, dates);
  const left = teams.filter(({id}) => posted.every(({team_id}) => team_id !== id));
  const [latest] = posted;
  // If the request has dates, the latest standup is edited only if there is a standup for every date.
  if (latest !== undefined && (given === undefined || left.length === 0)) {
    const edit = {...beside, dates: given, picks: teams.length > 1};
    return loadEditForm(context, asker, latest, edit, readAddedText(request));
  }
  const [first] = left;
  const only = left.length === 1 ? first : undefined;
  if (request.mode === 'edit') throw new NothingToday(asker.slackRequest.translation.texts, only?.id);
  const start = {request, dates, typed, beside: {...beside, ...(typed && readTypedDraftId(request))}};
  return only === undefined
    ? loadTeamChoiceForm(context, asker, left, start)
    : loadNewForm(context, asker, only, start);
}

function readTypedDraftId(request: FormRequest) {
  const begins = request.mode === 'new' ? request.begins : undefined;
  return begins?.with === 'typed' ? {typed: begins.id} : {};
}

function createAnswerAddressState({slackNow}: SlackContext, {slackRequest}: Asker, {replaces}: FormRequest) {
  return {answer: buildAnswerAddress(slackRequest, slackNow(), replaces)};
}

/** Offers to set up a team in this channel, even if the person has teams elsewhere. */
function findSetupChannel({here, slackRequest: {channel}}: Asker, request: FormRequest) {
  const isOpen = request.mode === 'auto' || request.mode === 'new';
  const isOffered = here === undefined && isOpen && request.team === undefined && isChannelId(channel);
  return isOffered ? {setUpIn: channel} : {};
}

interface Start {
  readonly request: FormRequest;
  readonly dates: Dates;
  /** The text that the person typed to the bot, if the form is to post that text. */
  readonly typed: TypedContent | undefined;
  readonly beside: Pick<ChooseForm, 'answer' | 'setUpIn' | 'typed' | 'fromPrivate'>;
}

/** Loads a new form for one team. Errors: those of `requireOpenRun`, if a date was requested. */
async function loadNewForm(context: SlackContext, asker: Asker, team: Team, start: Start): Promise<NewData> {
  const {request, dates, beside} = start;
  const day = dates.get(team.id) ?? '';
  if (findTeamDate(readTeamAndDates(request).dates, team.id) !== undefined)
    await requireOpenRun(context, asker, team, day);
  const own = listPostableTeams(context, asker);
  const isEmpty = start.typed === undefined && (request.mode === 'auto' || request.mode === 'new');
  const isOffered = isEmpty && !('begins' in request && request.begins !== undefined);
  const [begun, mine, others, open, prepared] = await Promise.all([
    loadInitialContent(context, asker, start, {only: team, about: team}),
    own,
    own.then((teams) => findFormDates(context, asker, teams, packDates(dates))),
    listOpenBlockersForForm(context, asker.access, team.id),
    isOffered && asker.access ? findPreparedDraft(context, asker.access, team, day) : [],
  ]);
  const isInIt = mine.some(({id}) => id === team.id) || (await observes(context, asker, team));
  return {
    ...begun,
    state: {
      form: 'new',
      team: team.id,
      by: team.id === asker.here?.id ? 'channel' : 'itself',
      ...(!isInIt && {outside: true}),
      dates: packDates(new Map([...dates, ...others])),
      ...beside,
    },
    team,
    teams: [],
    also: createAlsoTeams(start, mine, team),
    date: findDateToShow(context, [team], dates),
    open,
    prepared,
  };
}

/** True if the person observes a private team. */
async function observes(
  {identities}: SlackContext,
  {slackWorkspace, member, deadline}: Asker,
  {id, visibility}: Team,
): Promise<boolean> {
  if (visibility !== 'private' || member === undefined) return false;
  return (await identities.listTeams(slackWorkspace, member, deadline)).some((team) => team.id === id);
}

async function loadTeamChoiceForm(
  context: SlackContext,
  asker: Asker,
  teams: readonly Team[],
  start: Start,
): Promise<NewData> {
  const {dates, beside} = start;
  return {
    ...(await loadInitialContent(context, asker, start, {only: undefined, about: teams[0]})),
    state: {form: 'choose', dates: packDates(dates), ...beside},
    teams,
    also: createAlsoTeams(start, teams),
    date: findDateToShow(context, teams, dates),
    open: [],
  };
}

function createAlsoTeams({typed}: Start, teams: readonly Team[], own?: Team): NewData['also'] {
  return {teams: listAlsoTeams(teams, own?.id), chosen: typed === undefined ? [] : listTypedTeamIds(typed)};
}

/** Returns the first content. `only`: the form's team, if clear. `about`: the team whose date counts. */
async function loadInitialContent(
  context: SlackContext,
  asker: Asker,
  {request, dates, typed}: Start,
  {only, about}: {readonly only: Team | undefined; readonly about: Team | undefined},
) {
  const {access, slackRequest} = asker;
  const day = about && dates.get(about.id);
  const [{content, cut}, since] = await Promise.all([
    typed === undefined
      ? loadNewFormContent(context, asker, request, {only, day})
      : {content: toFormContent(typed, only), cut: false},
    access && about && day ? findPreviousDay(context, access, about, day) : undefined,
  ]);
  const note = cut ? {sentence: slackRequest.translation.texts.form.appendCut} : undefined;
  return {content, note, since, waiting: readInitialText(request)};
}

/** Returns the requested text, or the plan from the last standup before today. */
async function loadNewFormContent(
  context: SlackContext,
  asker: Asker,
  request: FormRequest,
  {only, day}: {readonly only: Team | undefined; readonly day: string | undefined},
): Promise<{readonly content: FormContent; readonly cut: boolean}> {
  const text = readInitialText(request);
  if (text !== undefined) return {content: buildFormContentFromUpdate(text), cut: false};
  const deleted = await findDeletedStandup(context, asker, request);
  if (deleted !== undefined) return {content: buildFormContentFromStandup(deleted, only), cut: false};
  const last =
    asker.access && day ? await findLastStandupBefore(context, asker.access, only, day) : undefined;
  const content: FormContent =
    only !== undefined && only.questions.length > 0
      ? buildQuestionFormContent(only, last ? carryAnswersForward(last, only) : [])
      : {shape: 'parts', parts: {...emptyParts, yesterday: last ? findPlan(last) : ''}};
  const addition = readAddedText(request);
  return addition === '' ? {content, cut: false} : appendText(content, addition);
}

async function findDeletedStandup(
  {services}: SlackContext,
  {access}: Asker,
  request: FormRequest,
): Promise<Standup | undefined> {
  const begins = request.mode === 'new' ? request.begins : undefined;
  if (begins?.with !== 'deleted' || access === undefined) return undefined;
  return services.standups.findDeleted(access, {id: begins.standup, revision: begins.revision});
}

type EditExtras = Pick<EditForm, 'answer' | 'setUpIn' | 'dates' | 'picks'>;

/** Loads a standup of the person into the inputs of the form. `added`: a text to add to the standup. */
async function loadEditForm(
  context: SlackContext,
  asker: Asker,
  standup: Standup,
  extras: EditExtras,
  added = '',
): Promise<EditData> {
  const edit = createEdit(asker, standup, extras, added);
  return {...edit, open: await listOpenBlockersForForm(context, asker.access, standup.team_id)};
}

function buildEditOfOtherAuthor(asker: Asker, standup: Standup, extras: EditExtras): EditData {
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
  const {content, cut} =
    added === '' ? {content: written, cut: false} : appendText(written, writeTyped(added, written));
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
async function findOwnStandup(
  context: SlackContext,
  access: Caller,
  id: string,
  texts: Texts,
): Promise<Standup> {
  const gone = refusalForPeople('not_found', texts.form.gone);
  const standup = await findShownStandup(context, access, id, texts).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'forbidden' ? gone : error;
  });
  if (standup.author.id !== access.principal.id) throw gone;
  return standup;
}

/** Finds a standup shown in a channel. Errors: `forbidden` if the person may not change it. */
async function findShownStandup(
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
