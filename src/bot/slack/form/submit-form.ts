import type {ViewOutput, ViewResponseAction} from '@slack/bolt';
import type {Call} from '../../../domain/core/access.js';
import {AppError} from '../../../domain/core/errors.js';
import type {StandupAnswer} from '../../../domain/questions/question.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Team, TeamDirectory} from '../../../domain/teams/team.js';
import {
  presentSavedStandups,
  presentSavedStandupOfOther,
  type SavedFor,
  describeSaved,
} from '../answers/standup-answers.js';
import {type JoinNotice, presentJoinNotice, appendWelcome} from '../answers/join-notice.js';
import type {SlackContext} from '../core/context.js';
import {narrowToPerson} from '../core/requester.js';
import type {MemberCall, SlackWorkspace} from '../core/slack-identities.js';
import {fields} from '../blocks/names.js';
import {presentFieldErrors, textElement} from '../blocks/shapes.js';
import {explainError} from '../core/refusals.js';
import {findNames} from '../core/find-names.js';
import {namesFromRequest} from '../rich-text/names.js';
import {parseWithHeadings} from '../rich-text/parse-markdown.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {readAlso, readResolvedBlockers} from './extra-inputs.js';
import {composeContent, type FormContent, type QuestionContent} from './form-content.js';
import {packDates} from '../answers/form-request.js';
import {findContentErrors, findMainField, validateAnswers} from './validate-form.js';
import {type EditData, type FormData, presentForm, presentNote} from './form-view.js';
import {buildFieldBlockId, type FormState, parseForm} from './form-state.js';
import {isFormUntouched, readFormContent, readSubmittedTeam} from './read-form.js';
import {findRefusedTeamIndex, saveForm} from './save-form.js';
import {endTypedConversation} from './typed-content.js';
import type {Submission} from '../core/listeners.js';

/** The view that replaces the form, which otherwise closes, and a message to send afterwards. */
interface SubmitResult {
  readonly response?: ViewResponseAction;
  readonly notify?: () => Promise<void>;
}

/** Checks and saves a form before it answers. After a failure the form stays open, with the reason. */
export async function submitForm(
  context: SlackContext,
  {request: {origin, user, translation, domain}, view, onUnserved}: Submission,
): Promise<SubmitResult> {
  const {identities, services} = context;
  const {texts} = translation;
  const open = parseForm(view.private_metadata);
  if (open === undefined) throw new Error('the metadata of a form are not ours');
  const {state} = open;
  const unnamed = namesFromRequest(texts);
  const resolved = readResolvedBlockers(view, state);
  const untouched = isFormUntouched(view, unnamed) && resolved.length === 0;
  const keeps = state.form === 'edit' && state.asWritten && untouched;
  const deadline = identities.answerBy();
  try {
    const findSlackWorkspace = () => identities.findSlackWorkspace(origin, deadline);
    const names = await findNames(context, findSlackWorkspace, view.state, {texts, deadline, domain});
    const content = readFormContent(view, open, names);
    const errors = keeps ? {} : findContentErrors(content, texts);
    if (Object.keys(errors).length > 0) return {response: showFieldErrors(errors, state)};
    const whole = await findSlackWorkspace();
    const call = await identities.admit(whole, user, deadline);
    const at = await narrowToForm(context, whole, call, state);
    const team = readSubmittedTeam(view, state);
    const asking = at.directory.byReference(team ?? '');
    const validated =
      content.shape === 'questions' && asking !== undefined && !keeps
        ? validateAnswers(
            dropVersionOfOtherTeam(asking, content, state),
            asking,
            await loadEditedAnswers(context, call, state),
            translation.texts,
          )
        : {said: {update: composeContent(content), ...readBlockers(content)}};
    if ('errors' in validated) return {response: showFieldErrors(validated.errors, state)};
    const said = {
      ...validated.said,
      ...(content.format !== undefined && {format: content.format}),
      ...(resolved.length > 0 && {resolved}),
    };
    const also = content.shape === 'questions' ? [] : readAlso(view, state);
    const typed = state.form === 'edit' ? undefined : state.typed;
    // A draft typed to the bot is posted only once: by this form, or in the conversation.
    const form = {viewId: typed ?? view.id, state, said, team, also, keeps};
    try {
      const {standups: saved, joined} = await saveForm(
        context,
        {slackWorkspace: at, call},
        form,
        translation,
      );
      context.refreshHome(origin, user);
      await endTypedConversation(context, call, user.id, typed, saved);
      const welcome = joined && presentJoinNotice(translation, joined);
      const details = {reading: call.principal.id, welcome};
      return presentOutcome(context, translation, state, pairWithTeams(saved, at.directory), details);
    } catch (error) {
      if (!(error instanceof AppError) || state.form !== 'edit') throw error;
      const typedSoFar = {state, team: asking, content};
      if (error.code === 'not_found') return {response: reopenAsNew(translation, typedSoFar)};
      if (error.code !== 'precondition_failed') throw error;
      const now = await services.standups.findStandup(call, state.standup);
      return {response: reopenOverCurrent(translation, typedSoFar, now)};
    }
  } catch (error) {
    const {code, sentence, uncertain, unserved} = explainError(context, error, translation.texts);
    if (unserved) onUnserved();
    const atTeam = code === 'team_not_found' && view.state.values[fields.team] !== undefined;
    const main = atTeam ? fields.team : findMainField(readFormContent(view, open, unnamed));
    const faulty = findRefusedTeamIndex(error) > 0 ? fields.also : main;
    const reason = uncertain ? sentence : texts.form.notSaved({reason: sentence});
    return {response: showFieldErrors({[faulty]: reason}, state)};
  }
}

/**
 * Leaves out the private teams that the person may not see, but for the one of a form that they opened in its
 * channel before they were in it: by the form they join. Who has left the team since then does not join it again.
 */
async function narrowToForm(
  context: SlackContext,
  whole: SlackWorkspace,
  {principal: {id}, deadline}: MemberCall,
  state: FormState,
): Promise<SlackWorkspace> {
  const joins = state.form === 'new' && state.by === 'channel' && state.outside === true;
  const channel = joins
    ? (whole.directory.byReference(state.team)?.slack_channel_id ?? undefined)
    : undefined;
  return narrowToPerson(context, whole, id, {channel, deadline});
}

function readBlockers(content: FormContent): {readonly blockers?: string} {
  return content.shape === 'parts' ? {blockers: content.parts.blockers} : {};
}

/** The form may show the questions of another team. Without a version, answers are matched by key. */
function dropVersionOfOtherTeam({id}: Team, content: QuestionContent, state: FormState): QuestionContent {
  const isShown = state.form === 'choose' || state.team === id;
  return isShown ? content : {...content, version: noVersion};
}

const noVersion = -1;

/** Returns the answers of the edited standup; none if it is deleted, which saving detects. */
async function loadEditedAnswers(
  {services: {standups}}: SlackContext,
  call: Call,
  state: FormState,
): Promise<readonly StandupAnswer[]> {
  if (state.form !== 'edit') return [];
  const found = await standups.findStandup(call, state.standup).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
  return found?.answers ?? [];
}

/** Pairs each standup with its team, without those whose team was deleted just now. */
function pairWithTeams(saved: readonly Standup[], directory: TeamDirectory): SavedFor[] {
  return saved.flatMap((standup) => {
    const team = directory.byReference(standup.team_id);
    return team === undefined ? [] : [{standup, team}];
  });
}

/** Closes the form and answers privately. Without a valid answer address, the outcome replaces the form. */
function presentOutcome(
  {slackNow, respondTo}: SlackContext,
  translation: SlackTranslation,
  {answer}: FormState,
  saved: readonly SavedFor[],
  {reading, welcome}: {readonly reading: string; readonly welcome: JoinNotice | undefined},
): SubmitResult {
  const [first] = saved;
  if (first === undefined) return {};
  if (answer === undefined || answer.until < slackNow()) {
    const {elements, text} = describeSaved(translation, saved);
    const more = welcome === undefined ? [] : [textElement(` ${welcome.sentence}`)];
    const view = presentNote(translation, {elements: [...elements, ...more], text});
    return {response: {response_action: 'update', view}};
  }
  const isOwn = first.standup.author.id === reading;
  const presented = isOwn
    ? presentSavedStandups(translation, saved)
    : presentSavedStandupOfOther(translation, first.standup);
  const message = {...appendWelcome(presented, welcome), replace_original: answer.replaces};
  return {notify: () => respondTo(answer.url, message)};
}

export function keepFormWithReason(
  view: ViewOutput,
  {texts}: SlackTranslation,
  sentence: string,
): ViewResponseAction {
  const open = parseForm(view.private_metadata);
  const refusal = texts.form.notSaved({reason: sentence});
  if (open === undefined) return {response_action: 'errors', errors: {[fields.today]: refusal}};
  const field = findMainField(readFormContent(view, open, namesFromRequest(texts)));
  return showFieldErrors({[field]: refusal}, open.state);
}

function showFieldErrors(errors: Record<string, string>, state: FormState): ViewResponseAction {
  const named = Object.entries(errors).map(([field, error]) => [buildFieldBlockId(field, state), error]);
  return presentFieldErrors(Object.fromEntries(named) as Record<string, string>);
}

type UnsavedEdit = Pick<EditData, 'state' | 'team' | 'content'>;

/** Shows the form again as a new standup with the typed text, since the edited standup was deleted. */
function reopenAsNew(translation: SlackTranslation, {state, team, content}: UnsavedEdit): ViewResponseAction {
  const {team: id, date, answer} = state;
  return replaceWithForm(translation, {
    state: {form: 'new', team: id, by: 'itself', dates: packDates([[id, date]]), answer},
    team,
    teams: [],
    content,
    open: [],
    also: {teams: [], chosen: []},
    date,
    note: {sentence: translation.texts.form.goneKept},
  });
}

/** Shows the form again with the typed text, for the standup's current revision. */
function reopenOverCurrent(
  translation: SlackTranslation,
  {state, team, content}: UnsavedEdit,
  now: Standup,
): ViewResponseAction {
  const {revision, date} = now;
  const note = {sentence: translation.texts.form.changed, text: parseWithHeadings(now)};
  const over = {...state, revision, date, asWritten: false, setUpIn: undefined};
  return replaceWithForm(translation, {state: over, team, content, open: [], added: '', note});
}

function replaceWithForm(translation: SlackTranslation, data: FormData): ViewResponseAction {
  return {response_action: 'update', view: presentForm(translation, data)};
}
