import {formatAnswers, type AnswerInput} from '../../../domain/questions/answers.js';
import type {Question, StandupAnswer} from '../../../domain/questions/question.js';
import type {Team} from '../../../domain/teams/team.js';
import type {StandupInput} from '../../../service/standups/standup-content.js';
import type {Texts} from '../../texts/translation.js';
import {explainAnswerError} from '../blocks/text-errors.js';
import type {QuestionContent} from './form-content.js';
import {findOptionByLabel, buildQuestionFieldName} from './question-inputs.js';

/**
 * Checks a form's answers against the team's current questions; returns errors by field. If the questions
 * have changed since the form was opened, answers are matched by key. An answer without a question, or that
 * no longer fits, is kept as text.
 */
export function validateAnswers(
  content: QuestionContent,
  {questions, questions_version}: Pick<Team, 'questions' | 'questions_version'>,
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
  const rest = [content.pieces.join('').trim(), formatAnswers(asText)]
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
