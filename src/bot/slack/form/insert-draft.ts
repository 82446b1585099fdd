import {type DraftPart, composeDraftPartText} from '../../../domain/drafts/draft.js';
import {limits} from '../../../domain/core/limits.js';
import {countCodePoints} from '../../../domain/core/text.js';
import {formatAnswers} from '../../../domain/questions/answers.js';
import {findPrefillSourceKey, type Question} from '../../../domain/questions/question.js';
import {cutText} from '../../texts/cut-text.js';
import {composeContent, type FormContent} from './form-content.js';
import type {CarriedAnswer} from './question-inputs.js';

/** The text that the form shows before it is inserted. */
export function composePreparedText(parts: readonly DraftPart[]): string {
  return parts
    .flatMap((part) => [composeDraftPartText(part), formatAnswers(part.answers)])
    .filter((text) => text !== '')
    .join('\n\n');
}

/**
 * Adds a prepared draft to the inputs of a form: answers to questions without one, and text after what was
 * typed about the last days. Answers to other questions become text. `cut`: not all of it fits.
 */
export function insertDraft(
  content: FormContent,
  questions: readonly Question[],
  parts: readonly DraftPart[],
): {readonly content: FormContent; readonly cut: boolean} {
  const {answers, others} = addAnswers(content, questions, parts);
  const texts = [...parts.map(composeDraftPartText), formatAnswers(others)].filter((text) => text !== '');
  const grown: FormContent = content.shape === 'questions' ? {...content, answers} : content;
  if (texts.length === 0) return {content: grown, cut: false};
  const text = texts.join('\n\n');
  // The headings and the line breaks take room too.
  const room = limits.update - countCodePoints(composeWhole(grown)) - 'Yesterday\n\n\n'.length;
  const fitted = cutText(text, Math.max(0, room));
  return {content: fitted === '' ? grown : addText(grown, questions, fitted), cut: fitted !== text};
}

function composeWhole(content: FormContent): string {
  const text = composeContent(content);
  return content.shape === 'questions' ? [formatAnswers(content.answers), text].join('\n\n') : text;
}

function addAnswers(content: FormContent, questions: readonly Question[], parts: readonly DraftPart[]) {
  const answers: CarriedAnswer[] = content.shape === 'questions' ? [...content.answers] : [];
  const others: DraftPart['answers'][number][] = [];
  for (const answer of parts.flatMap((part) => part.answers)) {
    const question = questions.find(({key, type}) => key === answer.question && type === answer.type);
    const at = answers.findIndex(({key}) => key === answer.question);
    const before = answers[at];
    if (question === undefined || !fits(question, answer.value)) others.push(answer);
    else if (before === undefined) {
      const {key, type, label} = question;
      answers.push({key, type, label, value: answer.value});
    } else if (before.type === 'text' && question.type === 'text')
      answers[at] = {...before, value: join(String(before.value), String(answer.value))};
    else others.push(answer);
  }
  return {answers, others};
}

function fits(question: Question, value: CarriedAnswer['value']): boolean {
  if (question.type !== 'choice' || typeof value !== 'object') return true;
  return value.every((option) => question.options.includes(option));
}

function addText(content: FormContent, questions: readonly Question[], text: string): FormContent {
  if (content.shape === 'parts') {
    const {yesterday} = content.parts;
    return {...content, parts: {...content.parts, yesterday: join(yesterday, text)}};
  }
  if (content.shape === 'questions') {
    const done = questions.find((question) => findPrefillSourceKey(question) !== undefined);
    const before = content.answers.find(({key}) => key === done?.key);
    const value = join(String(before?.value ?? ''), text);
    if (done !== undefined && countCodePoints(value) <= limits.answer) {
      const others = content.answers.filter((one) => one !== before);
      return {...content, answers: [...others, {key: done.key, type: done.type, label: done.label, value}]};
    }
  }
  return {...content, pieces: [join(composeContent(content), text)]};
}

function join(before: string, text: string): string {
  return before.trim() === '' ? text : `${before.trimEnd()}\n\n${text}`;
}
