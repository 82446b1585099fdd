import {type AnswerValue, findValueError} from '../../../domain/questions/answers.js';
import type {Question} from '../../../domain/questions/question.js';
import {limits} from '../../../domain/core/limits.js';
import {countCodePoints, isBlank, findTextError} from '../../../domain/core/text.js';
import type {Texts} from '../../texts/translation.js';

/** Explains, in the viewer's language, why a text is invalid; undefined if it is valid. */
export function explainTextError({text: {errors}}: Texts, text: string, max: number): string | undefined {
  if (findTextError(text, max) === undefined) return undefined;
  const trimmed = text.trim();
  if (trimmed === '') return errors.empty;
  if (isBlank(trimmed)) return errors.blank;
  const length = countCodePoints(trimmed);
  return length > max ? errors.long({length, max}) : errors.characters;
}

/** Explains, in the viewer's language, why an answer is invalid; undefined if it is valid. */
export function explainAnswerError(texts: Texts, question: Question, value: AnswerValue): string | undefined {
  if (findValueError(question, value) === undefined) return undefined;
  const {errors} = texts.text;
  if (question.type === 'text' && typeof value === 'string')
    return explainTextError(texts, value, limits.answer) ?? errors.unfit;
  if (question.type !== 'number') return errors.unfit;
  if (typeof value !== 'number') return errors.digits;
  const {min, max} = question;
  if (min !== null && value < min) return errors.least({min});
  return max !== null && value > max ? errors.most({max}) : errors.unfit;
}
