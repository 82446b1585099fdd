import {limits} from '../../../domain/core/limits.js';
import {losesPrecision} from '../../../domain/core/numbers.js';
import {findPrefillSourceKey, type NewQuestion, type Question} from '../../../domain/questions/question.js';
import {countCodePoints, createSlugFromName} from '../../../domain/core/text.js';

/**
 * Formats questions as people type them, one in each line: the label, the answer type in brackets, and `*` if
 * an answer is required. Without brackets the answer is text. Examples:
 * - `How do you feel? [mood] *`
 * - `Where are you? [Office | Home]`
 * - `Which areas? [+ API | Slack]`
 * - `Hours? [number 0..12]`
 * - `On track? [yes/no]`
 * - `What is in your way? [blocker]`
 * - `What did you finish? [from 2]`: prefilled with the last answer to the second question
 */
export function formatQuestions(questions: readonly Question[]): string {
  return questions
    .map(
      (question) => question.label + formatAnswerType(question, questions) + (question.required ? ' *' : ''),
    )
    .join('\n');
}

function formatAnswerType(question: Question, all: readonly Question[]): string {
  switch (question.type) {
    case 'text': {
      const from = all.findIndex(({key}) => key === findPrefillSourceKey(question)) + 1;
      const parts = [...(question.raises_blocker ? ['blocker'] : []), ...(from > 0 ? [`from ${from}`] : [])];
      return parts.length === 0 ? '' : ` [${parts.join(', ')}]`;
    }
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

export type QuestionError =
  | {readonly kind: 'many'}
  | {readonly kind: 'label' | 'options' | 'bounds' | 'from'; readonly line: number};

/**
 * Parses questions from lines. An existing question is found by its label or else by its position. It keeps
 * its key, so that its earlier answers still belong to it.
 */
export function parseQuestions(
  text: string,
  before: readonly Question[],
): {readonly questions: readonly NewQuestion[]} | {readonly error: QuestionError} {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length > limits.questionsPerTeam) return {error: {kind: 'many'}};
  const parsed: ParsedQuestion[] = [];
  for (const [i, line] of lines.entries()) {
    const question = parseLine(line);
    if (typeof question === 'string') return {error: {kind: question, line: i + 1}};
    parsed.push(question);
  }
  const keys = assignQuestionKeys(
    parsed.map(({label}) => label),
    before,
  );
  const wrong = parsed.findIndex(({from}) => from !== undefined && parsed[from - 1]?.type !== 'text');
  if (wrong >= 0) return {error: {kind: 'from', line: wrong + 1}};
  return {
    questions: parsed.map(({from, ...question}, i) => {
      const key = keys[i] ?? '';
      const filling =
        question.type === 'text'
          ? findPrefillSource(key, from === undefined ? undefined : keys[from - 1], before)
          : {};
      return {key, ...question, ...filling} as NewQuestion;
    }),
  };
}

/**
 * Finds the question from whose answer a line is prefilled. If the line has not changed, the question stays
 * the same.
 */
function findPrefillSource(
  key: string,
  from: string | undefined,
  before: readonly Question[],
): {readonly fill_from?: string | null} {
  const known = before.find((one) => one.key === key);
  const source = known && findPrefillSourceKey(known);
  const had = before.some((one) => one.key === source) ? source : undefined;
  if (from !== had) return {fill_from: from ?? null};
  return known?.type === 'text' && known.fill_from !== undefined ? {fill_from: known.fill_from} : {};
}

/** A question parsed from a line. `from`: the number of the line whose last answer prefills this question. */
type ParsedQuestion = Omit<NewQuestion, 'key'> & {readonly from?: number};

const filled = /^(?<blocker>blocker\s*,\s*)?from\s+(?<line>\d{1,2})$/;
const number = /^number(?:\s+(?<min>-?\d+(?:\.\d+)?)?\s*\.\.\s*(?<max>-?\d+(?:\.\d+)?)?)?$/;

function parseLine(line: string): ParsedQuestion | 'label' | 'options' | 'bounds' {
  const {label, kind, required} = splitLine(line);
  if (label === '' || countCodePoints(label) > limits.questionLabel || /[\r\u2028\u2029]/.test(label))
    return 'label';
  const common = {label, required};
  const typeName = kind?.trim().toLowerCase();
  if (typeName === undefined) return {...common, type: 'text'} as const;
  if (typeName === 'blocker')
    return {...common, type: 'text', raises_blocker: true} as Omit<NewQuestion, 'key'>;
  const filling = filled.exec(typeName)?.groups;
  if (filling !== undefined) {
    const raises = filling['blocker'] !== undefined;
    return {...common, type: 'text', raises_blocker: raises, from: Number(filling['line'])} as ParsedQuestion;
  }
  if (typeName === 'yes/no') return {...common, type: 'yes_no'};
  if (typeName === 'mood') return {...common, type: 'mood'};
  const bounds = number.exec(typeName)?.groups;
  if (bounds !== undefined) {
    if ([bounds['min'], bounds['max']].some((bound) => bound !== undefined && losesPrecision(bound)))
      return 'bounds';
    const [min, max] = [parseNumberLimit(bounds['min']), parseNumberLimit(bounds['max'])];
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
    options.every((option) => option !== '' && countCodePoints(option) <= limits.choice);
  return fits ? ({...common, type: 'choice', options, multiple} as Omit<NewQuestion, 'key'>) : 'options';
}

/** Splits a line from its end. A regular expression would be slow for many spaces. */
function splitLine(line: string): {label: string; kind: string | undefined; required: boolean} {
  const required = line.endsWith('*');
  const said = required ? line.slice(0, -1).trimEnd() : line;
  const at = said.endsWith(']') ? said.lastIndexOf('[') : -1;
  const kind = at < 0 ? undefined : said.slice(at + 1, -1);
  if (kind === undefined || kind.includes(']')) return {label: said, kind: undefined, required};
  return {label: said.slice(0, at).trimEnd(), kind, required};
}

/**
 * Assigns keys to questions: first by the same label. A line in the position of a removed question counts as
 * that question with a new label. All others are new.
 */
function assignQuestionKeys(labels: readonly string[], before: readonly Question[]): string[] {
  const taken = new Set<string>();
  const keys = labels.map((label) => {
    const same = before.find((question) => question.label === label && !taken.has(question.key));
    if (same !== undefined) taken.add(same.key);
    return same?.key;
  });
  return keys.map((known, i) => {
    const keyAtPosition = labels.length === before.length ? before[i]?.key : undefined;
    const key =
      known ??
      (keyAtPosition !== undefined && !taken.has(keyAtPosition)
        ? keyAtPosition
        : chooseUnusedQuestionKey(labels[i] ?? '', taken, before));
    taken.add(key);
    return key;
  });
}

function chooseUnusedQuestionKey(
  label: string,
  taken: ReadonlySet<string>,
  before: readonly Question[],
): string {
  const base = (createSlugFromName(label, limits.questionKey - 3) ?? 'question').replaceAll('-', '_');
  const used = new Set([...taken, ...before.map(({key}) => key)]);
  for (let n = 1; ; n++) {
    const key = n === 1 ? base : `${base}_${n}`;
    if (!used.has(key)) return key;
  }
}

function parseNumberLimit(value: string | undefined): number | null {
  return value === undefined ? null : Number(value);
}
