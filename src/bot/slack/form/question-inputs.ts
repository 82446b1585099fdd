import type {ViewOutput} from '@slack/bolt';
import type {InputBlock, InputBlockElement} from '@slack/types';
import type {TextFormat} from '../../../domain/core/markdown.js';
import {losesPrecision} from '../../../domain/core/numbers.js';
import type {AnswerValue} from '../../../domain/questions/answers.js';
import {moods, type Question, type QuestionType, questionTypes} from '../../../domain/questions/question.js';
import {cleanName} from '../../texts/bidi.js';
import {fields, fieldValue, slackLimits} from '../blocks/names.js';
import {checkboxes, input, option, radioButtons, singleSelect} from '../blocks/shapes.js';
import {cutText} from '../../texts/cut-text.js';
import {decodeText} from '../blocks/text.js';
import {type InputState, readInputText, createRichInput, type ShownInput} from '../rich-text/rich-input.js';
import type {SlackNames} from '../rich-text/names.js';
import type {Texts} from '../../texts/translation.js';

export type InputValue = AnswerValue | undefined;

/** An answer from a form, with the question as it was shown in that form. */
export interface CarriedAnswer {
  readonly key: string;
  readonly type: QuestionType;
  readonly label: string;
  readonly value: AnswerValue;
}

/** Returns the field name of a question. Its version is needed: Slack keeps a block of the same id. */
export function buildQuestionFieldName({type, key}: Pick<Question, 'type' | 'key'>, version: number): string {
  return `question:${type}:${key}:${version}`;
}

const fieldPattern = /^(question:([a-z_]+):([a-z0-9_]+):\d+)/;

export function presentQuestion(
  {form}: Texts,
  question: Question,
  value: InputValue,
  blockId: string,
  format?: TextFormat,
): InputBlock {
  const element = createQuestionElement(form, question, value, format);
  return input(blockId, cleanName(question.label), element, {optional: !question.required});
}

function createQuestionElement(
  form: Texts['form'],
  question: Question,
  value: InputValue,
  format: TextFormat | undefined,
): InputBlockElement {
  switch (question.type) {
    case 'text':
      return createRichInput(typeof value === 'string' ? value : '', format);
    case 'choice':
      return presentChoiceInput(question, value);
    case 'number':
      return createNumberInput(question, value);
    case 'yes_no': {
      const options = [option('yes', form.yes), option('no', form.no)];
      return radioButtons(options, value === undefined ? -1 : value === true ? 0 : 1);
    }
    case 'mood':
      return radioButtons(
        moods.map((mood, i) => option(String(mood), form.moods[i] ?? String(mood))),
        moods.findIndex((mood) => mood === value),
      );
  }
}

function presentChoiceInput(
  {options: offered, multiple}: Extract<Question, {type: 'choice'}>,
  value: InputValue,
): InputBlockElement {
  const options = offered.map((one, i) => option(String(i), cleanName(one)));
  const chosen = new Set(typeof value === 'object' ? value : []);
  const initial = options.filter((_, i) => chosen.has(offered[i] ?? ''));
  return multiple ? checkboxes(options, initial) : singleSelect(options, initial[0]);
}

/** Slack refuses a first value outside the limits. Such an input gets none, and our check applies them. */
function createNumberInput(
  {min, max}: Extract<Question, {type: 'number'}>,
  value: InputValue,
): InputBlockElement {
  const first = typeof value === 'number' ? value : undefined;
  const fits = first === undefined || ((min === null || first >= min) && (max === null || first <= max));
  return {
    type: 'number_input',
    action_id: fieldValue,
    is_decimal_allowed: true,
    ...(fits && min !== null && {min_value: String(min)}),
    ...(fits && max !== null && {max_value: String(max)}),
    ...(first !== undefined && {initial_value: String(first)}),
  };
}

function formatOption(text: string): string {
  return cutText(cleanName(text), slackLimits.option);
}

/** Returns the option that has this label in Slack, even if options have been added or removed since. */
export function findOptionByLabel(shown: string, {options}: Extract<Question, {type: 'choice'}>): string {
  return options.find((one) => formatOption(one) === shown) ?? shown;
}

interface InputElement extends ShownInput {
  readonly initial_option?: InputOption;
  readonly initial_options?: readonly InputOption[];
}

interface InputOption {
  readonly value?: string;
  readonly text?: {readonly text: string};
}

/** The value of an input from Slack, or its first value when Slack sends none (bolt-js issue 1258). */
interface SubmittedInputState extends InputState {
  readonly selected_option?: InputOption | null;
  readonly selected_options?: readonly InputOption[];
}

interface FormInputBlock {
  readonly block_id?: string;
  readonly label?: {readonly text: string};
  readonly element?: InputElement;
}

/** Reads the questions of a form and the answers to them. An empty input gives no answer. */
export function readQuestions(
  {blocks, state}: ViewOutput,
  names: SlackNames,
  format?: TextFormat,
): {
  readonly answers: readonly CarriedAnswer[];
  readonly shown: readonly string[];
  readonly first: string;
} {
  const asked = (blocks as FormInputBlock[]).flatMap(({block_id: id = '', label, element}) => {
    const [, field, kind, key] = fieldPattern.exec(id) ?? [];
    const type = questionTypes.find((one) => one === kind);
    if (field === undefined || key === undefined || type === undefined || element === undefined) return [];
    const given =
      (state.values[id]?.[fieldValue] as SubmittedInputState | undefined) ?? readShownState(element);
    return [
      {
        field,
        key,
        type,
        label: decodeText(label?.text ?? key),
        value: readInputValue(type, given, names, format),
      },
    ];
  });
  return {
    answers: asked.flatMap(({key, type, label, value}) =>
      value === undefined ? [] : [{key, type, label, value}],
    ),
    shown: asked.map(({key}) => key),
    first: asked[0]?.field ?? fields.update,
  };
}

function readShownState({initial_value, initial_option, initial_options}: InputElement): SubmittedInputState {
  return {
    ...(typeof initial_value === 'string' && {value: initial_value}),
    ...(typeof initial_value === 'object' && {rich_text_value: initial_value}),
    ...(initial_option !== undefined && {selected_option: initial_option}),
    ...(initial_options !== undefined && {selected_options: initial_options}),
  };
}

function readInputValue(
  type: QuestionType,
  given: SubmittedInputState,
  names: SlackNames,
  format?: TextFormat,
): InputValue {
  const text = readInputText(given, undefined, names, type === 'text' ? format : undefined);
  const chosen = given.selected_option?.value;
  switch (type) {
    case 'text':
      return text.trim() === '' ? undefined : text;
    case 'number':
      return text.trim() === ''
        ? undefined
        : Number.isNaN(Number(text)) || losesPrecision(text)
          ? text
          : Number(text);
    case 'yes_no':
      return chosen === undefined ? undefined : chosen === 'yes';
    case 'mood':
      return chosen === undefined ? undefined : Number(chosen);
    case 'choice': {
      const options = given.selected_options ?? (given.selected_option ? [given.selected_option] : []);
      const texts = options.map((one) => decodeText(one.text?.text ?? ''));
      return texts.length === 0 ? undefined : texts;
    }
  }
}

/** True if no one has changed the inputs, except text inputs, which are checked elsewhere. */
export function areAnswersUntouched({blocks, state}: ViewOutput): boolean {
  return (blocks as FormInputBlock[]).every(({block_id: id = '', element}) => {
    const given = state.values[id]?.[fieldValue] as SubmittedInputState | undefined;
    if (element === undefined || given === undefined || !fieldPattern.test(id)) return true;
    if (element.type === 'rich_text_input') return true;
    return (
      JSON.stringify(listInputValues(given)) === JSON.stringify(listInputValues(readShownState(element)))
    );
  });
}

function listInputValues({value, selected_option, selected_options = []}: SubmittedInputState): unknown[] {
  return [value ?? '', selected_option?.value ?? '', ...selected_options.map((one) => one.value).toSorted()];
}
