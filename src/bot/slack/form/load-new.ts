import type {Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import type {SlackContext} from '../core/context.js';
import {findTodaySection} from '../blocks/text.js';
import {listAlsoTeams, listOpenBlockersForForm} from './extra-inputs.js';
import {type Asker, listPostableTeams} from './find-asker.js';
import {type Dates, findFormDates, requireOpenRun, findDateToShow, findPreviousDay} from './find-dates.js';
import {
  appendText,
  buildFormContentFromUpdate,
  buildFormContentFromStandup,
  emptyParts,
  type FormContent,
  buildQuestionFormContent,
} from './form-content.js';
import type {ChooseData, NewData} from './form-data.js';
import {findTeamDate, packDates} from '../answers/form-dates.js';
import {readAddedText, type FormRequest, readTeamAndDates, readInitialText} from '../answers/form-request.js';
import type {ChooseForm} from './form-state.js';
import {carryAnswersForward, findLastStandupBefore} from './last-standups.js';
import {listTypedTeamIds, toFormContent, type TypedContent} from './typed-content.js';

export interface Start {
  readonly request: FormRequest;
  readonly dates: Dates;
  /** The text that the person typed to the bot, if the form is to post that text. */
  readonly typed: TypedContent | undefined;
  readonly beside: Pick<ChooseForm, 'answer' | 'setUpIn' | 'typed' | 'fromPrivate'>;
}

/** Loads a new form for one team. Errors: those of `requireOpenRun`, if a date was requested. */
export async function loadNewForm(
  context: SlackContext,
  asker: Asker,
  team: Team,
  start: Start,
): Promise<NewData> {
  const {request, dates, beside} = start;
  const day = dates.get(team.id) ?? '';
  if (findTeamDate(readTeamAndDates(request).dates, team.id) !== undefined)
    await requireOpenRun(context, asker, team, day);
  const own = listPostableTeams(context, asker);
  const [begun, mine, others, open] = await Promise.all([
    loadInitialContent(context, asker, start, {only: team, about: team}),
    own,
    own.then((teams) => findFormDates(context, asker, teams, packDates(dates))),
    listOpenBlockersForForm(context, asker.access, team.id),
  ]);
  return {
    ...begun,
    state: {
      form: 'new',
      team: team.id,
      by: team.id === asker.here?.id ? 'channel' : 'itself',
      dates: packDates(new Map([...dates, ...others])),
      ...beside,
    },
    team,
    teams: [],
    also: createAlsoTeams(start, mine, team),
    date: findDateToShow(context, [team], dates),
    open,
  };
}

/** Loads a new form in which the person picks one of several teams. */
export async function loadTeamChoiceForm(
  context: SlackContext,
  asker: Asker,
  teams: readonly Team[],
  start: Start,
): Promise<ChooseData> {
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
): Promise<Pick<NewData, 'content' | 'note' | 'since' | 'waiting'>> {
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
      : {shape: 'parts', parts: {...emptyParts, yesterday: last ? findTodaySection(last.update) : ''}};
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
