import type {ViewOutput, ViewResponseAction} from '@slack/bolt';
import type {Call} from '../../../domain/core/access.js';
import {wholeText} from '../../../domain/questions/answers.js';
import {AppError} from '../../../domain/core/errors.js';
import type {StandupAnswer} from '../../../domain/questions/question.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';
import type {Team, TeamDirectory} from '../../../domain/teams/team.js';
import {
  presentSaved,
  presentSavedForAll,
  presentSavedOf,
  type SavedFor,
  tellSaved,
} from '../commands/answers.js';
import {type Joined, presentJoined, withWelcome} from '../commands/joined.js';
import type {Kit} from '../door/kit.js';
import {fields} from '../blocks/names.js';
import {span} from '../blocks/shapes.js';
import {explain} from '../door/refusals.js';
import {findNames} from '../rich-text/find-names.js';
import {givenNames} from '../rich-text/names.js';
import {cutText} from '../../words/cut-text.js';
import {type SlackUser} from '../door/visitors.js';
import type {Reader} from '../blocks/reader.js';
import {readAlso} from './also-teams.js';
import {composeContent, type FormContent, type QuestionContent} from './form-content.js';
import {packDates} from './form-dates.js';
import {findFaults, mainField} from './form-faults.js';
import type {EditData, FormData} from './form-data.js';
import {blockId, type FormState, parseForm} from './form-state.js';
import {presentForm, presentNote} from './form-view.js';
import {readResolved} from './open-blockers.js';
import {isUntouched, readContent, readTeam} from './read-form.js';
import {refusedAt, saveForm} from './save-form.js';
import {settleAnswers} from './settle-answers.js';
import {finishTyped} from './typed-content.js';

export type SubmitParts = Pick<
  Kit,
  'visitors' | 'services' | 'patience' | 'log' | 'drawReference' | 'slackNow' | 'respondTo' | 'refreshHome'
> & {
  /**
   * Called when a form could not be saved because of a failure of ours, so that the same request may come
   * again.
   */
  readonly onUnserved: () => void;
};

/** The person who submits, and how they read. */
export interface Submitter {
  readonly origin: SlackOrigin;
  readonly user: SlackUser;
  readonly reader: Reader;
  /** The domain of their Slack workspace. */
  readonly domain?: string | undefined;
}

/** The next view of the form (undefined closes it), and a message that follows it. */
export interface Submitted {
  readonly response?: ViewResponseAction;
  readonly tell?: () => Promise<void>;
}

/**
 * Validates, saves, and only then answers. Any failure leaves the form open, with its text and the reason.
 * Throws for a view that is not a form of ours.
 */
export async function submitForm(
  parts: SubmitParts,
  view: ViewOutput,
  {origin, user, reader, domain}: Submitter,
): Promise<Submitted> {
  const {visitors, services, log, drawReference, onUnserved} = parts;
  const {words} = reader;
  const open = parseForm(view.private_metadata);
  if (open === undefined) throw new Error('the metadata of a form are not ours');
  const {state} = open;
  const unnamed = givenNames(words);
  const resolved = readResolved(view, state);
  const untouched = isUntouched(view, unnamed) && resolved.length === 0;
  const keeps = state.form === 'edit' && state.asWritten && untouched;
  const deadline = visitors.answerBy();
  try {
    const findPlace = () => visitors.findPlace(origin, deadline);
    const names = await findNames(parts, findPlace, view.state, {words, deadline, domain});
    const content = readContent(view, open, names);
    const faults = keeps ? {} : findFaults(content, words);
    if (Object.keys(faults).length > 0) return {response: atFields(faults, state)};
    const at = await findPlace();
    const call = await visitors.admit(at, user, deadline);
    const team = readTeam(view, state);
    const asking = at.directory.byReference(team ?? '');
    const settled =
      content.shape === 'questions' && asking !== undefined && !keeps
        ? settleAnswers(
            askedBy(asking, content, state),
            asking,
            await keptAnswers(services, call, state),
            reader.words,
          )
        : {said: {update: composeContent(content), ...beside(content)}};
    if ('faults' in settled) return {response: atFields(settled.faults, state)};
    const said = {...settled.said, ...(resolved.length > 0 && {resolved})};
    const also = content.shape === 'questions' ? [] : readAlso(view, state);
    const typed = state.form === 'edit' ? undefined : state.typed;
    // A typed draft is posted once, here or in the conversation.
    const form = {viewId: typed ?? view.id, state, said, team, also, keeps};
    try {
      const {standups: saved, joined} = await saveForm(parts, {place: at, call}, form, reader);
      parts.refreshHome(origin, user);
      await finishTyped(services, call, user.id, typed, saved);
      const welcome = joined && presentJoined(reader, joined);
      const told = {reading: call.principal.id, welcome};
      return presentOutcome(parts, reader, state, withTeams(saved, at.directory), told);
    } catch (error) {
      if (!(error instanceof AppError) || state.form !== 'edit') throw error;
      const typedSoFar = {state, team: asking, content};
      if (error.code === 'not_found') return {response: reopenAsNew(reader, typedSoFar)};
      if (error.code !== 'precondition_failed') throw error;
      const now = await services.standups.findStandup(call, state.standup);
      return {response: reopenOver(reader, typedSoFar, now)};
    }
  } catch (error) {
    const {code, sentence, uncertain, unserved} = explain(error, log, drawReference(), reader.words);
    if (unserved) onUnserved();
    const atTeam = code === 'team_not_found' && view.state.values[fields.team] !== undefined;
    const faulty =
      refusedAt(error) > 0 ? fields.also : atTeam ? fields.team : mainField(readContent(view, open, unnamed));
    return {
      response: atFields({[faulty]: uncertain ? sentence : reader.words.form.notSaved(sentence)}, state),
    };
  }
}

/** The text under Blockers, if the form has that field. */
function beside(content: FormContent): {readonly blockers?: string} {
  return content.shape === 'parts' ? {blockers: content.parts.blockers} : {};
}

/**
 * The questions may be those of another team than the one picked now: then answers count by key, as with
 * changed questions.
 */
function askedBy({id}: Team, content: QuestionContent, state: FormState): QuestionContent {
  const isShown = state.form === 'choose' || state.team === id;
  return isShown ? content : {...content, version: noVersion};
}

const noVersion = -1;

/** The answers of the edited standup; none if it is gone, which the save itself detects. */
async function keptAnswers(
  {standups}: Pick<Kit['services'], 'standups'>,
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

/** Deleting a team at this very moment deletes its standup too. */
function withTeams(saved: readonly Standup[], directory: TeamDirectory): SavedFor[] {
  return saved.flatMap((standup) => {
    const team = directory.byReference(standup.team_id);
    return team === undefined ? [] : [{standup, team}];
  });
}

/**
 * Closes the form and presents the outcome in a private answer; without a valid address for one, in place of
 * the form.
 */
function presentOutcome(
  {slackNow, respondTo}: Pick<SubmitParts, 'slackNow' | 'respondTo'>,
  reader: Reader,
  {answer}: FormState,
  saved: readonly SavedFor[],
  {reading, welcome}: {readonly reading: string; readonly welcome: Joined | undefined},
): Submitted {
  const [first] = saved;
  if (first === undefined) return {};
  if (answer === undefined || answer.until < slackNow()) {
    const {elements, text} = tellSaved(reader, saved);
    const more = welcome === undefined ? [] : [span(` ${welcome.sentence}`)];
    const view = presentNote(reader, {elements: [...elements, ...more], text});
    return {response: {response_action: 'update', view}};
  }
  const isOwn = first.standup.author.id === reading;
  const told = !isOwn
    ? presentSavedOf(reader, first.standup)
    : saved.length === 1
      ? presentSaved(reader, first.standup, first.team)
      : presentSavedForAll(reader, saved);
  const message = {...withWelcome(told, welcome), replace_original: answer.replaces};
  return {tell: () => respondTo(answer.url, message)};
}

/** Leaves the form open, with the reason under its main field. */
export function refuseForm(view: ViewOutput, {words}: Reader, sentence: string): ViewResponseAction {
  const open = parseForm(view.private_metadata);
  const refusal = words.form.notSaved(sentence);
  if (open === undefined) return {response_action: 'errors', errors: {[fields.today]: refusal}};
  const field = mainField(readContent(view, open, givenNames(words)));
  return atFields({[field]: refusal}, open.state);
}

function atFields(faults: Record<string, string>, state: FormState): ViewResponseAction {
  const entries = Object.entries(faults).map(([field, fault]) => [
    blockId(field, state),
    cutText(fault, 300),
  ]);
  return {response_action: 'errors', errors: Object.fromEntries(entries) as Record<string, string>};
}

/** The text of an edit that cannot be saved as it is. */
type Typed = Pick<EditData, 'state' | 'team' | 'content'>;

/** Shows the form again with that text, as a new standup of its date: the edited one is deleted. */
function reopenAsNew(reader: Reader, {state, team, content}: Typed): ViewResponseAction {
  const {team: id, date, answer} = state;
  return reopened(reader, {
    state: {form: 'new', team: id, by: 'itself', dates: packDates([[id, date]]), answer},
    team,
    teams: [],
    content,
    open: [],
    also: {teams: [], chosen: []},
    date,
    note: {sentence: reader.words.form.goneKept},
  });
}

/** Shows the form again with that text, over the current revision of the standup. */
function reopenOver(reader: Reader, {state, team, content}: Typed, now: Standup): ViewResponseAction {
  const {revision, date} = now;
  const note = {sentence: reader.words.form.changed, text: wholeText(now)};
  const over = {...state, revision, date, asWritten: false, setUpIn: undefined};
  return reopened(reader, {state: over, team, content, open: [], added: '', note});
}

function reopened(reader: Reader, data: FormData): ViewResponseAction {
  return {response_action: 'update', view: presentForm(reader, data)};
}
