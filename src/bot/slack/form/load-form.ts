import {AppError} from '../../../domain/core/errors.js';
import {buildAnswerAddress} from '../core/answer-address.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {isChannelId} from '../answers/setup-offer.js';
import type {Texts} from '../../texts/translation.js';
import {type Asker, findAsker, listRequestedTeams} from './find-asker.js';
import {findFormDates} from './find-dates.js';
import type {FormData} from './form-data.js';
import {
  readAddedText,
  type FormRequest,
  readTeamAndDates,
  isFromPrivate,
  makePostAgainRequest,
} from '../answers/form-request.js';
import type {FormState} from './form-state.js';
import {listPostedStandups} from './last-standups.js';
import {buildEditOfOtherAuthor, findOwnStandup, findShownStandup, loadEditForm} from './load-edit.js';
import {loadTeamChoiceForm, loadNewForm} from './load-new.js';
import {findTypedText} from './typed-content.js';

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

function readTypedDraftId(request: FormRequest): Pick<Extract<FormState, {form: 'new'}>, 'typed'> {
  const begins = request.mode === 'new' ? request.begins : undefined;
  return begins?.with === 'typed' ? {typed: begins.id} : {};
}

function createAnswerAddressState(
  {slackNow}: SlackContext,
  {slackRequest}: Asker,
  {replaces}: FormRequest,
): Pick<FormState, 'answer'> {
  return {answer: buildAnswerAddress(slackRequest, slackNow(), replaces)};
}

/** Offers to set up a team in this channel, even if the person has teams elsewhere. */
function findSetupChannel(
  {here, slackRequest: {channel}}: Asker,
  request: FormRequest,
): Pick<FormState, 'setUpIn'> {
  const isOpen = request.mode === 'auto' || request.mode === 'new';
  const isOffered = here === undefined && isOpen && request.team === undefined && isChannelId(channel);
  return isOffered ? {setUpIn: channel} : {};
}
