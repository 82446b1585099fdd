import type {ActionsBlock, Button, ConfirmationDialog, InputBlock, KnownBlock, ModalView} from '@slack/types';
import type {Question} from '../../../domain/questions/question.js';
import type {Blocker} from '../../../domain/blockers/blocker.js';
import type {Team} from '../../../domain/teams/team.js';
import {cleanName, nameInText} from '../../words/bidi.js';
import {writtenText} from '../blocks/blocks.js';
import {actions, fields, slackLimits, views} from '../blocks/names.js';
import {richInput} from '../rich-text/rich-input.js';
import {setupHere} from '../setup/offer.js';
import {cutText} from '../../words/cut-text.js';
import type {Reader} from '../../words/words.js';
import {type AlsoTeams, presentAlso} from './also-teams.js';
import type {FormContent, QuestionContent} from './form-content.js';
import {presentOpenBlockers} from './open-blockers.js';
import {blockId, type FormPlace, pieceField} from './form-place.js';
import {fitsButton, type FormWish, packWish} from './form-wish.js';
import {presentQuestion, questionField} from './question-inputs.js';

export interface FormData {
  readonly place: FormPlace;
  readonly content: FormContent;
  /** What its team asks, where the content is answers. */
  readonly questions?: readonly Question[] | undefined;
  /** What is still in the way of the person in that team. */
  readonly open?: readonly Blocker[] | undefined;
  /** To choose from, when the team is not clear. */
  readonly teams: readonly Team[];
  /** Further teams to choose from, where a new standup may be for several. */
  readonly also?: AlsoTeams | undefined;
  /** The name shown when it is clear. */
  readonly teamName?: string | undefined;
  /** The last working day, where that is not yesterday. */
  readonly since?: string | undefined;
  /** The day of the standup that is edited, or of a new one that is not for today. */
  readonly date?: string | undefined;
  /** What was added to the standup that is edited: it comes along into a new one. */
  readonly added?: string | undefined;
  /** The update that waits for its team. */
  readonly waiting?: string | undefined;
  /** Something to know before handing in, and a text that belongs to it. */
  readonly note?: {readonly sentence: string; readonly text?: string | undefined} | undefined;
}

/** The form with what stands in it: for a new standup, or for changing the one that its place names. */
export function presentForm(
  reader: Reader,
  {place, content, questions, open = [], teams, also, teamName, since, date, note, added, waiting}: FormData,
): ModalView {
  const words = reader.words.form;
  const further =
    also === undefined || content.shape === 'questions' ? undefined : presentAlso(words.also, also, place);
  const editing = place.standup !== undefined;
  const heading = headingOf(reader, {teamName, date, editing});
  return {
    type: 'modal',
    callback_id: views.standup,
    private_metadata: JSON.stringify({
      ...place,
      pieces: content.shape === 'parts' ? undefined : content.pieces.length,
      asks: content.shape === 'questions' ? {version: content.version, beside: content.beside} : undefined,
    }),
    title: {type: 'plain_text', text: editing ? words.titleEdit : words.title},
    submit: {type: 'plain_text', text: editing ? words.save : words.post},
    close: {type: 'plain_text', text: words.cancel},
    blocks: [
      ...(note === undefined ? [] : [section(note.sentence)]),
      ...(note?.text === undefined ? [] : [writtenText(note.text, {quote: true})]),
      ...(heading === undefined ? [] : [section(cutText(heading, 200))]),
      ...(editing
        ? [
            newUpdate(reader, {
              mode: 'new',
              team: place.picks ? undefined : place.team,
              append: added,
              dates: place.dates,
            }),
          ]
        : []),
      ...(teams.length === 0 ? [] : [teamPicker(words.team, teams, place.picked)]),
      ...(content.shape === 'questions'
        ? presentQuestions(reader, place, content, questions ?? [])
        : presentInputs(reader, place, content, since)),
      ...presentOpenBlockers(reader, place, open),
      ...(further === undefined ? [] : [further]),
      ...(place.setUpIn === undefined
        ? []
        : [row({...setupHere(reader, waiting), confirm: leaving(reader, words.leaveForSetup)})]),
    ],
  };
}

/** Which team it is for, and which day, where that is not clear by itself. */
function headingOf(
  {words: {form}, day}: Reader,
  {teamName, date, editing}: Pick<FormData, 'teamName' | 'date'> & {readonly editing: boolean},
): string | undefined {
  if (teamName === undefined) return date === undefined ? undefined : form.forDay(day(date));
  const team = nameInText(teamName);
  if (date === undefined) return form.forTeam(team);
  return editing ? form.editing(team, day(date)) : form.forTeamOn(team, day(date));
}

/** Shown at once when the form's data takes longer than a trigger can wait. */
export function presentLoading(reader: Reader): ModalView {
  return presentNote(reader, reader.words.form.loading);
}

/** One sentence in the form's place; with a wish, a button to the form that it wishes for. */
export function presentNote({words: {form}}: Reader, sentence: string, wish?: FormWish): ModalView {
  return {
    type: 'modal',
    title: {type: 'plain_text', text: form.title},
    close: {type: 'plain_text', text: form.close},
    blocks: [
      section(sentence),
      ...(wish === undefined ? [] : [button(actions.newUpdate, form.newUpdate, packWish(wish))]),
    ],
  };
}

/** The questions as they are asked now, and the text beside the answers, if there is any. */
function presentQuestions(
  {words}: Reader,
  place: FormPlace,
  {version, answers, beside, pieces}: QuestionContent,
  questions: readonly Question[],
): InputBlock[] {
  const label = beside === 'after' ? words.form.anythingElse : words.form.update;
  return [
    ...questions.map((question) => {
      const value = answers.find(({key, type}) => key === question.key && type === question.type)?.value;
      return presentQuestion(words, question, value, blockId(questionField(question, version), place));
    }),
    ...pieces.map((piece, index) =>
      input(blockId(pieceField(index), place), index === 0 ? label : words.form.updateContinued, {
        optional: true,
        initial: piece,
      }),
    ),
  ];
}

function presentInputs(
  {words: {form}, day}: Reader,
  place: FormPlace,
  content: Exclude<FormContent, QuestionContent>,
  since: string | undefined,
): InputBlock[] {
  const id = (field: string) => blockId(field, place);
  if (content.shape === 'whole') {
    return content.pieces.map((piece, index) =>
      input(id(pieceField(index)), index === 0 ? form.update : form.updateContinued, {
        optional: index > 0,
        initial: piece,
      }),
    );
  }
  const {yesterday, today, blockers} = content.parts;
  return [
    input(id(fields.yesterday), since === undefined ? form.yesterday : form.since(day(since)), {
      optional: true,
      initial: yesterday,
    }),
    input(id(fields.today), form.today, {optional: false, initial: today}),
    input(id(fields.blockers), form.blockers, {optional: true, initial: blockers}),
  ];
}

function section(text: string): KnownBlock {
  return {type: 'section', text: {type: 'plain_text', text: cutText(text, slackLimits.section)}};
}

function button(action: string, text: string, value: string): ActionsBlock {
  return row({type: 'button', action_id: action, text: {type: 'plain_text', text}, value});
}

function row(element: Button): ActionsBlock {
  return {type: 'actions', elements: [element]};
}

/** The way from an edit to a new standup, which asks first. */
function newUpdate(reader: Reader, wish: FormWish): ActionsBlock {
  const {form} = reader.words;
  const added =
    wish.append === undefined ? '' : fitsButton(wish) ? form.addedComesAlong : form.addedIsTooLong;
  return row({
    type: 'button',
    action_id: actions.newUpdate,
    text: {type: 'plain_text', text: form.newUpdate},
    value: packWish(wish),
    confirm: leaving(reader, added === '' ? form.leaveForNew : `${form.leaveForNew} ${added}`),
  });
}

/** Asked before another form takes the place of one in which something may have been typed. */
function leaving({words: {form}}: Reader, text: string): ConfirmationDialog {
  return {
    title: {type: 'plain_text', text: form.leaveTitle},
    text: {type: 'plain_text', text},
    confirm: {type: 'plain_text', text: form.leaveConfirm},
    deny: {type: 'plain_text', text: form.leaveDeny},
  };
}

function input(
  id: string,
  label: string,
  {optional, initial}: {optional: boolean; initial: string},
): InputBlock {
  return {
    type: 'input',
    block_id: id,
    optional,
    label: {type: 'plain_text', text: label},
    element: richInput(initial),
  };
}

/** Tells at once what is picked: each team has inputs of its own. */
function teamPicker(label: string, teams: readonly Team[], picked: string | undefined): InputBlock {
  const options = teams.slice(0, slackLimits.options).map(({id, name}) => ({
    text: {type: 'plain_text' as const, text: cutText(cleanName(name), slackLimits.option)},
    value: id,
  }));
  const initial = options.length === 1 ? options[0] : options.find(({value}) => value === picked);
  return {
    type: 'input',
    block_id: fields.team,
    dispatch_action: true,
    label: {type: 'plain_text', text: label},
    element: {
      type: 'static_select',
      action_id: actions.chooseTeam,
      options,
      ...(initial !== undefined && {initial_option: initial}),
    },
  };
}
