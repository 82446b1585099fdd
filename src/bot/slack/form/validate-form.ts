import {formatAnswers, type AnswerInput} from '../../../domain/questions/answers.js';
import type {Question, StandupAnswer} from '../../../domain/questions/question.js';
import type {Team} from '../../../domain/teams/team.js';
import type {StandupInput} from '../../../service/standups/standup-content.js';
import type {Texts} from '../../texts/translation.js';
import {explainAnswerError, explainTextError} from '../blocks/text-errors.js';
import {type QuestionContent, composeContent, type FormContent} from './form-content.js';
import {findOptionByLabel, buildQuestionFieldName} from './question-inputs.js';
import {buildPieceFieldName} from './read-form.js';
import {limits} from '../../../domain/core/limits.js';
import {countCodePoints} from '../../../domain/core/text.js';
import {fields} from '../blocks/names.js';
import {formParts} from '../blocks/text.js';

/** Checks answers against the current questions, by key after a change; unfit ones are kept as text. */
export function validateAnswers(
  content: QuestionContent,
  {questions, questions_version}: Team,
  kept: readonly StandupAnswer[],
  texts: Texts,
): {readonly said: StandupInput} | {readonly errors: Record<string, string>} {
  const {form} = texts;
  const isCurrent = content.version === questions_version;
  const errors: Record<string, string> = {};
  const given: AnswerInput[] = [];
  const asText: StandupAnswer[] = [];
  for (const {key, type, label, value: brought} of content.answers) {
    const question = questions.find((one) => one.key === key);
    const value = question === undefined ? brought : resolveOptionLabels(question, brought);
    const reason = question && explainAnswerError(texts, question, value);
    const isKept = kept.some(
      (one) => one.question === key && JSON.stringify(one.value) === JSON.stringify(value),
    );
    if ((question !== undefined && reason === undefined) || isKept) given.push({question: key, value});
    else if (question !== undefined && isCurrent)
      errors[buildQuestionFieldName(question, content.version)] = form.invalidAnswer({reason: reason ?? ''});
    else asText.push({question: key, type, label, value});
  }
  for (const question of isCurrent ? questions : []) {
    if (!question.required || content.answers.some(({key}) => key === question.key)) continue;
    errors[buildQuestionFieldName(question, content.version)] = form.needsAnswer;
  }
  // An earlier answer to a question that this form did not show stays as it is.
  const unseen = kept.filter(
    ({question}) => !content.shown.includes(question) && questions.every(({key}) => key !== question),
  );
  given.push(...unseen.map(({question, value}) => ({question, value})));
  const rest = [content.pieces.join('').trim(), formatAnswers(asText, content.format)]
    .filter((text) => text !== '')
    .join('\n\n');
  if (given.length === 0 && rest === '' && Object.keys(errors).length === 0)
    errors[content.first] = form.needsAnswer;
  if (Object.keys(errors).length > 0) return {errors};
  const partial = !isCurrent;
  if (content.beside === 'apart') return {said: {update: rest, answers: given, partial}};
  return {said: {answers: given, after: rest, partial}};
}

function resolveOptionLabels(question: Question, value: AnswerInput['value']): AnswerInput['value'] {
  return question.type === 'choice' && typeof value === 'object'
    ? value.map((one) => findOptionByLabel(one, question))
    : value;
}

/** Checks the content of a form; returns error messages by field, none if the content is valid. */
export function findContentErrors(content: FormContent, texts: Texts): Record<string, string> {
  const {form} = texts;
  const inputs = listInputs(content);
  const [required] = inputs.filter(({field}) => field === fields.today || field === fields.update);
  if (content.shape === 'questions') return findTextErrors(inputs, texts);
  const blank =
    content.shape === 'parts' ? content.parts.today.trim() === '' : composeContent(content).trim() === '';
  const errors: Record<string, string> = {};
  if (required !== undefined && blank) {
    errors[required.field] = content.shape === 'parts' ? form.needsToday : form.needsUpdate;
  }
  Object.assign(errors, findTextErrors(inputs, texts));
  const length = countCodePoints(composeContent(content).trim());
  if (Object.keys(errors).length > 0 || length <= limits.update) return errors;
  const [longest] = inputs.toSorted((a, b) => b.text.length - a.text.length);
  return {[longest?.field ?? fields.today]: form.tooLong({length, max: limits.update})};
}

function findTextErrors(inputs: readonly {field: string; text: string}[], texts: Texts) {
  const errors: Record<string, string> = {};
  for (const {field, text} of inputs) {
    const error = text.trim() === '' ? undefined : explainTextError(texts, text, limits.update);
    if (error !== undefined) errors[field] = texts.form.invalidText({error});
  }
  return errors;
}

export function findMainField(content: FormContent): string {
  const {shape} = content;
  if (shape === 'questions') return content.first;
  return shape === 'parts' ? fields.today : fields.update;
}

function listInputs(content: FormContent): {field: string; text: string}[] {
  if (content.shape !== 'parts')
    return content.pieces.map((text, index) => ({field: buildPieceFieldName(index), text}));
  return formParts.map((part) => ({field: fields[part], text: content.parts[part]}));
}
