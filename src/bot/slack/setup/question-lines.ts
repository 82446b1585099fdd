import {limits} from '../../../domain/core/limits.js';
import {isLost} from '../../../domain/core/numbers.js';
import type {NewQuestion, Question} from '../../../domain/questions/question.js';
import {codePoints, slugFrom} from '../../../domain/core/text.js';

/**
 * Questions as they are typed, one a line: the words, then perhaps what is answered in brackets, then `*`
 * when an answer is asked for. `How do you feel? [mood] *`, `Where are you? [Office | Home]`, `Which areas?
 * [+ API | Slack]`, `Hours? [number 0..12]`, `On track? [yes/no]`, `What is in your way? [blocker]`.
 * Without brackets: text.
 */
export function formatQuestions(questions: readonly Question[]): string {
  return questions
    .map((question) => question.label + kindOf(question) + (question.required ? ' *' : ''))
    .join('\n');
}

function kindOf(question: Question): string {
  switch (question.type) {
    case 'text':
      return question.raises_blocker ? ' [blocker]' : '';
    case 'choice':
      return ` [${question.multiple ? '+ ' : ''}${question.options.join(' | ')}]`;
    case 'number': {
      const {min, max} = question;
      if (min === null && max === null) return ' [number]';
      return ` [${['number', `${min ?? ''}..${max ?? ''}`].join(' ')}]`;
    }
    case 'yes_no':
      return ' [yes/no]';
    case 'mood':
      return ' [mood]';
  }
}

export type QuestionFault =
  | {readonly kind: 'many'}
  | {readonly kind: 'label' | 'options' | 'bounds'; readonly line: number};

/**
 * What the lines ask. A question that is there already, by its words or else by its place, keeps its key,
 * so that its answers go on.
 */
export function parseQuestions(
  text: string,
  before: readonly Question[],
): {readonly questions: readonly NewQuestion[]} | {readonly fault: QuestionFault} {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length > limits.questionsPerTeam) return {fault: {kind: 'many'}};
  const parsed: Omit<NewQuestion, 'key'>[] = [];
  for (const [i, line] of lines.entries()) {
    const question = parseLine(line);
    if (typeof question === 'string') return {fault: {kind: question, line: i + 1}};
    parsed.push(question);
  }
  const keys = keysFor(
    parsed.map(({label}) => label),
    before,
  );
  return {questions: parsed.map((question, i) => ({key: keys[i] ?? '', ...question}) as NewQuestion)};
}

const number = /^number(?:\s+(?<min>-?\d+(?:\.\d+)?)?\s*\.\.\s*(?<max>-?\d+(?:\.\d+)?)?)?$/;

function parseLine(line: string): Omit<NewQuestion, 'key'> | 'label' | 'options' | 'bounds' {
  const {label, kind, required} = splitLine(line);
  if (label === '' || codePoints(label) > limits.questionLabel || /[\r\u2028\u2029]/.test(label))
    return 'label';
  const common = {label, required};
  const word = kind?.trim().toLowerCase();
  if (word === undefined) return {...common, type: 'text'} as const;
  if (word === 'blocker') return {...common, type: 'text', raises_blocker: true} as Omit<NewQuestion, 'key'>;
  if (word === 'yes/no') return {...common, type: 'yes_no'};
  if (word === 'mood') return {...common, type: 'mood'};
  const bounds = number.exec(word)?.groups;
  if (bounds !== undefined) {
    if ([bounds['min'], bounds['max']].some((bound) => bound !== undefined && isLost(bound))) return 'bounds';
    const [min, max] = [readBound(bounds['min']), readBound(bounds['max'])];
    if (min !== null && max !== null && min > max) return 'bounds';
    return {...common, type: 'number', min, max} as Omit<NewQuestion, 'key'>;
  }
  const multiple = kind?.trim().startsWith('+') === true;
  const options = (kind ?? '')
    .trim()
    .replace(/^\+/, '')
    .split('|')
    .map((option) => option.trim());
  const fits =
    options.length >= 2 &&
    options.length <= limits.choices &&
    new Set(options).size === options.length &&
    options.every((option) => option !== '' && codePoints(option) <= limits.choice);
  return fits ? ({...common, type: 'choice', options, multiple} as Omit<NewQuestion, 'key'>) : 'options';
}

/** From its end: a pattern would look again from each of many spaces. */
function splitLine(line: string): {label: string; kind: string | undefined; required: boolean} {
  const required = line.endsWith('*');
  const said = required ? line.slice(0, -1).trimEnd() : line;
  const at = said.endsWith(']') ? said.lastIndexOf('[') : -1;
  const kind = at < 0 ? undefined : said.slice(at + 1, -1);
  if (kind === undefined || kind.includes(']')) return {label: said, kind: undefined, required};
  return {label: said.slice(0, at).trimEnd(), kind, required};
}

/**
 * By the same words first; a line that stands where one is gone is that one, said in other words; the rest
 * are new.
 */
function keysFor(labels: readonly string[], before: readonly Question[]): string[] {
  const taken = new Set<string>();
  const keys = labels.map((label) => {
    const same = before.find((question) => question.label === label && !taken.has(question.key));
    if (same !== undefined) taken.add(same.key);
    return same?.key;
  });
  return keys.map((known, i) => {
    const placed = labels.length === before.length ? before[i]?.key : undefined;
    const key =
      known ??
      (placed !== undefined && !taken.has(placed) ? placed : freeKey(labels[i] ?? '', taken, before));
    taken.add(key);
    return key;
  });
}

function freeKey(label: string, taken: ReadonlySet<string>, before: readonly Question[]): string {
  const base = (slugFrom(label, limits.questionKey - 3) ?? 'question').replaceAll('-', '_');
  const used = new Set([...taken, ...before.map(({key}) => key)]);
  for (let n = 1; ; n++) {
    const key = n === 1 ? base : `${base}_${n}`;
    if (!used.has(key)) return key;
  }
}

function readBound(value: string | undefined): number | null {
  return value === undefined ? null : Number(value);
}
