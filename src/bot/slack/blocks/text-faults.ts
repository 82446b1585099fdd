import type {AnswerValue} from '../../../domain/questions/answers.js';
import {valueFault} from '../../../domain/questions/answers.js';
import type {Question} from '../../../domain/questions/question.js';
import {limits} from '../../../domain/core/limits.js';
import {codePoints, isBlank, textFault} from '../../../domain/core/text.js';
import type {Words} from '../../words/words.js';

/** As `textFault`, in the language of the reader. */
export function sayTextFault({text: {faults}}: Words, text: string, max: number): string | undefined {
  if (textFault(text, max) === undefined) return undefined;
  const trimmed = text.trim();
  if (trimmed === '') return faults.empty;
  if (isBlank(trimmed)) return faults.blank;
  const length = codePoints(trimmed);
  return length > max ? faults.long(length, max) : faults.characters;
}

/** As `valueFault`, in the language of the reader. */
export function sayAnswerFault(words: Words, question: Question, value: AnswerValue): string | undefined {
  if (valueFault(question, value) === undefined) return undefined;
  const {faults} = words.text;
  if (question.type === 'text' && typeof value === 'string')
    return sayTextFault(words, value, limits.answer) ?? faults.unfit;
  if (question.type !== 'number') return faults.unfit;
  if (typeof value !== 'number') return faults.digits;
  const {min, max} = question;
  if (min !== null && value < min) return faults.least(min);
  return max !== null && value > max ? faults.most(max) : faults.unfit;
}
