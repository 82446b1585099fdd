import {limits} from '../../../domain/core/limits.js';
import {createSlugFromName, findTextError} from '../../../domain/core/text.js';
import type {NewQuestion, Question} from '../../../domain/questions/question.js';
import type {Texts} from '../../texts/translation.js';

/** The questions of a team without questions of its own, which a person's lines change or extend. */
function listDefaultQuestions({form}: Texts): readonly Question[] {
  const text = {type: 'text', required: false, raises_blocker: false} as const;
  return [
    {...text, key: 'yesterday', label: form.yesterday, fill_from: 'today'},
    {...text, key: 'today', label: form.today, required: true},
    {...text, key: 'blockers', label: form.blockers, raises_blocker: true},
  ];
}

export function formatQuestions(own: readonly Question[], texts: Texts): string {
  return (own.length === 0 ? listDefaultQuestions(texts) : own).map(toLine).join('\n');
}

/** The API also accepts labels of several lines. */
function toLine({label}: Pick<Question, 'label'>): string {
  return label.trim().replaceAll(/\s+/g, ' ');
}

/**
 * Parses questions, one in each line. A line is a known question by its label, or else by its position. Such
 * a question keeps its key and its answer type; any other asks for text. The error is `many`, or the number
 * of the faulty line.
 */
export function parseQuestions(
  typed: string,
  own: readonly Question[],
  texts: Texts,
): {readonly questions: readonly NewQuestion[]} | {readonly error: number | 'many'} {
  const labels = typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isDefault = own.length === 0 && labels.join('\n') === formatQuestions(own, texts);
  if (labels.length === 0 || isDefault) return {questions: []};
  if (labels.length > limits.questionsPerTeam) return {error: 'many'};
  const wrong = labels.findIndex(
    (label) => findTextError(label, limits.questionLabel) !== undefined || /[\r\u2028\u2029]/.test(label),
  );
  if (wrong >= 0) return {error: wrong + 1};
  const known = own.length === 0 ? listDefaultQuestions(texts) : own;
  // A default question in the same position may mean something else: it keeps its key only with its label.
  const keys = assignQuestionKeys(labels, known, own.length === labels.length);
  return {
    questions: labels.map((line, i) => {
      const key = keys[i] ?? '';
      const before = known.find((one) => one.key === key);
      const label = before !== undefined && toLine(before) === line ? before.label : line;
      if (before?.type !== 'text') return before ? {...before, label} : {key, label, type: 'text'};
      const {fill_from: from} = before;
      return {...before, label, ...(typeof from === 'string' && !keys.includes(from) && {fill_from: null})};
    }),
  };
}

function assignQuestionKeys(
  labels: readonly string[],
  known: readonly Question[],
  byPosition: boolean,
): string[] {
  const taken = new Set<string>();
  const same = labels.map((label) => {
    const key = known.find((one) => toLine(one) === label && !taken.has(one.key))?.key;
    if (key !== undefined) taken.add(key);
    return key;
  });
  return same.map((found, i) => {
    const there = byPosition ? known[i]?.key : undefined;
    const free = there !== undefined && !taken.has(there) ? there : undefined;
    const key = found ?? free ?? chooseUnusedKey(labels[i] ?? '', [...taken, ...known.map((one) => one.key)]);
    taken.add(key);
    return key;
  });
}

function chooseUnusedKey(label: string, used: readonly string[]): string {
  const base = (createSlugFromName(label, limits.questionKey - 3) ?? 'question').replaceAll('-', '_');
  for (let n = 1; ; n++) {
    const key = n === 1 ? base : `${base}_${n}`;
    if (!used.includes(key)) return key;
  }
}
