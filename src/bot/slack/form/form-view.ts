import type {ActionsBlock, Button, ConfirmationDialog, InputBlock, KnownBlock, ModalView} from '@slack/types';
import type {Question} from '../../../domain/questions/question.js';
import {isolateName} from '../../texts/bidi.js';
import {type FormattedText, createFormattedTextBlock} from '../blocks/blocks.js';
import {
  input,
  modal,
  singleSelect,
  button,
  confirmation,
  option,
  paragraph,
  actionsRow,
  actionsRowIfAny,
  section,
} from '../blocks/shapes.js';
import {actions, fields, slackLimits, views} from '../blocks/names.js';
import {listTeamLabels, formatPlainSentence, describeAudience} from '../blocks/reach.js';
import type {ParsedText} from '../rich-text/parse-text.js';
import {createRichInput} from '../rich-text/rich-input.js';
import {createSetupHereButton} from '../answers/setup-offer.js';
import {cutText} from '../../texts/cut-text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {presentAlso, presentOpenBlockers, type AlsoTeams} from './extra-inputs.js';
import type {QuestionContent, FormContent} from './form-content.js';
import {type FormRequest, requestFitsButton, packRequest} from '../answers/form-request.js';
import {
  buildFieldBlockId,
  type FormState,
  packForm,
  type ChooseForm,
  type EditForm,
  type NewForm,
} from './form-state.js';
import {composePreparedText} from './insert-draft.js';
import {presentQuestion, buildQuestionFieldName} from './question-inputs.js';
import {buildPieceFieldName} from './read-form.js';
import type {DraftPart} from '../../../domain/drafts/draft.js';
import type {Blocker} from '../../../domain/blockers/blocker.js';
import type {Team} from '../../../domain/teams/team.js';

export type FormData = NewData | EditData;

interface LoadedForm {
  readonly content: FormContent;
  readonly open: readonly Blocker[];
  /** A notice to read before submitting, with the text that it is about. */
  readonly note?: {readonly sentence: string; readonly text?: ParsedText} | undefined;
}

export interface NewData extends LoadedForm {
  readonly state: ChooseForm | NewForm;
  /** The team; undefined if the person must choose one, or if it has just been deleted. */
  readonly team?: Team | undefined;
  /** The teams from which the person can choose; empty if the team is clear. */
  readonly teams: readonly Team[];
  readonly also: AlsoTeams;
  /** The date of the standup, if not today. */
  readonly date?: string | undefined;
  /** The last working day, if not yesterday. */
  readonly since?: string | undefined;
  /** The draft that programs have prepared, if it is offered. */
  readonly prepared?: readonly DraftPart[] | undefined;
  /** The update that the person can post once they have set up a team. */
  readonly waiting?: string | undefined;
}

export interface EditData extends LoadedForm {
  readonly state: EditForm;
  /** The team; undefined if the team has just been deleted. */
  readonly team: Team | undefined;
  /** The text added to the standup, or to the new one that the person posts instead; empty for none. */
  readonly added: string;
}

function isEditForm(data: FormData): data is EditData {
  return data.state.form === 'edit';
}

export function presentForm(translation: SlackTranslation, data: FormData): ModalView {
  const {form} = translation.texts;
  const {state, content, note} = data;
  const heading = presentFormHeading(translation, data);
  const [title, submit] = isEditForm(data) ? [form.titleEdit, form.save] : [form.title, form.post];
  const metadata = packForm(state, content);
  return modal({name: views.standup, metadata, title, submit, close: form.cancel}, [
    ...(note === undefined ? [] : [section(note.sentence)]),
    ...(note?.text === undefined
      ? []
      : [createFormattedTextBlock(note.text, {quote: true, cutNote: translation.texts.cutNote})]),
    ...(heading === undefined ? [] : [section(cutText(heading, 200))]),
    ...(isEditForm(data) ? [presentNewUpdateButton(translation, data)] : presentTeamPicker(form.team, data)),
    ...presentAudience(translation, data),
    ...(isEditForm(data) ? [] : presentPreparedDraft(translation, data)),
    ...presentContent(translation, data),
    ...presentOpenBlockers(translation, state, data.open),
    ...(isEditForm(data) || content.shape === 'questions' ? [] : presentAlso(form.also, data.also, state)),
    ...(state.setUpIn === undefined
      ? []
      : [presentSetupButton(translation, isEditForm(data) ? undefined : data.waiting)]),
  ]);
}

/** Returns the heading with the team and the date, unless both are clear. */
function presentFormHeading({texts: {form}, day}: SlackTranslation, data: FormData): string | undefined {
  const date = isEditForm(data) ? data.state.date : data.date;
  const isPicked = data.state.form === 'new' && data.state.by === 'list';
  const shown = isPicked ? undefined : data.team;
  if (shown === undefined) return date === undefined ? undefined : form.forDay({day: day(date)});
  const team = isolateName(shown.name);
  if (date === undefined) return form.forTeam({team});
  return isEditForm(data) ? form.editing({team, day: day(date)}) : form.forTeamOn({team, day: day(date)});
}

function presentAudience(translation: SlackTranslation, data: FormData): KnownBlock[] {
  const {reach} = translation.texts;
  const more = !isEditForm(data) && data.content.shape !== 'questions' && data.also.teams.length > 0;
  const sentence =
    data.state.form === 'choose'
      ? formatPlainSentence(reach.chosen)
      : describeAudience(translation, data.team === undefined ? [] : [data.team], {more});
  return [
    ...(data.state.fromPrivate === true ? [section(reach.fromPrivate)] : []),
    paragraph(sentence.elements),
  ];
}

/** Offers the draft above the inputs. Its button adds it to what the person has typed meanwhile. */
function presentPreparedDraft({texts}: SlackTranslation, {prepared = []}: NewData): KnownBlock[] {
  if (prepared.length === 0) return [];
  const sources = prepared.map(({source}) => source).join(', ');
  return [
    createFormattedTextBlock(composePreparedText(prepared), {quote: true, cutNote: texts.cutNote}),
    actionsRow(button(actions.insertDraft, texts.form.insertDraft({sources}))),
  ];
}

export function presentNote(
  {texts: {form}}: SlackTranslation,
  sentence: string | FormattedText,
  request?: FormRequest,
): ModalView {
  const {title, close, newUpdate: label} = form;
  const buttons = request === undefined ? [] : [createNewUpdateButton(label, request)];
  const block = typeof sentence === 'string' ? section(sentence) : paragraph(sentence.elements);
  return modal({title, close}, [block, ...actionsRowIfAny(buttons)]);
}

function presentContent(translation: SlackTranslation, data: FormData): InputBlock[] {
  const {content, state} = data;
  if (content.shape === 'questions')
    return presentQuestions(translation, state, content, data.team?.questions ?? []);
  const {form} = translation.texts;
  if (content.shape === 'whole') return presentPieces(translation, state, content, form.update);
  const since = isEditForm(data) ? undefined : data.since;
  const {yesterday, today, blockers} = content.parts;
  const part = (field: string, label: string, initial: string) =>
    input(buildFieldBlockId(field, state), label, createRichInput(initial, content.format), {
      optional: field !== fields.today,
    });
  return [
    part(
      fields.yesterday,
      since === undefined ? form.yesterday : form.since({day: translation.day(since)}),
      yesterday,
    ),
    part(fields.today, form.today, today),
    part(fields.blockers, form.blockers, blockers),
  ];
}

function presentQuestions(
  translation: SlackTranslation,
  state: FormState,
  content: QuestionContent,
  questions: readonly Question[],
): InputBlock[] {
  const {texts} = translation;
  const {version, answers, beside, format} = content;
  const label = beside === 'after' ? texts.form.anythingElse : texts.form.update;
  return [
    ...questions.map((question) => {
      const value = answers.find(({key, type}) => key === question.key && type === question.type)?.value;
      return presentQuestion(
        texts,
        question,
        value,
        buildFieldBlockId(buildQuestionFieldName(question, version), state),
        format,
      );
    }),
    ...presentPieces(translation, state, content, label, true),
  ];
}

function presentPieces(
  {texts: {form}}: SlackTranslation,
  state: FormState,
  {pieces, format}: Extract<FormContent, {readonly pieces: readonly string[]}>,
  label: string,
  optional = false,
): InputBlock[] {
  return pieces.map((initial, index) =>
    input(
      buildFieldBlockId(buildPieceFieldName(index), state),
      index === 0 ? label : form.updateContinued,
      createRichInput(initial, format),
      {
        optional: optional || index > 0,
      },
    ),
  );
}

function presentNewUpdateButton(
  translation: SlackTranslation,
  {state: {picks, team, dates, fromPrivate}, added}: EditData,
): ActionsBlock {
  const {form} = translation.texts;
  const request: FormRequest = {
    mode: 'new',
    team: picks ? undefined : team,
    dates,
    begins: added === '' ? undefined : {with: 'addition', text: added, fromPrivate},
  };
  const notes = added === '' ? [] : [requestFitsButton(request) ? form.addedComesAlong : form.addedIsTooLong];
  const confirm = createLeaveConfirmation(translation, [form.leaveForNew, ...notes].join(' '));
  return actionsRow(createNewUpdateButton(form.newUpdate, request, confirm));
}

function createNewUpdateButton(label: string, request: FormRequest, confirm?: ConfirmationDialog): Button {
  return button(actions.newUpdate, label, packRequest(request), {...(confirm !== undefined && {confirm})});
}

function presentSetupButton(translation: SlackTranslation, waiting: string | undefined): ActionsBlock {
  return actionsRow({
    ...createSetupHereButton(translation, waiting),
    confirm: createLeaveConfirmation(translation, translation.texts.form.leaveForSetup),
  });
}

/** Asks for confirmation before another form replaces one with typed text. */
function createLeaveConfirmation({texts: {form}}: SlackTranslation, text: string): ConfirmationDialog {
  const {leaveTitle: title, leaveConfirm: confirm, leaveDeny: deny} = form;
  return confirmation({title, text, confirm, deny});
}

/** Presents the list of teams. Slack reports a choice at once, since each team has inputs of its own. */
function presentTeamPicker(label: string, {teams, state}: NewData): InputBlock[] {
  if (teams.length === 0) return [];
  const labels = listTeamLabels(teams);
  const options = teams.slice(0, slackLimits.options).map(({id}, i) => option(id, labels[i] ?? ''));
  const initial = state.form === 'new' ? options.find(({value}) => value === state.team) : undefined;
  const picker = {...singleSelect(options, initial), action_id: actions.chooseTeam};
  return [{...input(fields.team, label, picker), dispatch_action: true}];
}
