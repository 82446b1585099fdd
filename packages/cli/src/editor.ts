import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import type {Schema} from '../../client-ts/src/schema.js';
import {CommandError} from './errors.js';
import {findFolders} from './files.js';
import type {Outside} from './outside.js';

type Question = Schema<'Question'>;
type Answers = NonNullable<Schema<'NewStandup'>['answers']>;

const scissors = '------------------------ >8 ------------------------';

/** Opens the user's editor with a text. Returns what was saved above the line that the notes begin with. */
export async function askByEditor(outside: Outside, text: string, notes: readonly string[]): Promise<string> {
  const {env, createId, run} = outside;
  const {state} = findFolders(outside);
  const file = path.join(state, `standup-${createId()}.md`);
  const [program = 'vi', ...args] = (env['VISUAL'] || env['EDITOR'] || 'vi').split(/\s+/).filter(Boolean);
  mkdirSync(state, {recursive: true, mode: 0o700});
  writeFileSync(file, `${text}\n\n${[scissors, ...notes].join('\n')}\n`, {mode: 0o600, flag: 'wx'});
  try {
    const {code} = await run(program, [...args, file], {inTerminal: true});
    if (code === 127) throw new CommandError('refused', `The editor ${program} was not found. Set EDITOR.`);
    if (code !== 0) throw new CommandError('refused', 'The editor ended with an error. Nothing was sent.');
    const [saved = ''] = readFileSync(file, 'utf8').split(`\n${scissors}`);
    return saved.trim();
  } finally {
    rmSync(file, {force: true});
  }
}

/** Writes the questions of a team as headings, with earlier answers below them. */
export function writeHeadings(
  questions: readonly Question[],
  answers: readonly Schema<'Answer'>[] = [],
): string {
  return questions
    .map(({key, label}) => {
      const value = answers.find(({question}) => question === key)?.value;
      return `# ${label}\n${value === undefined ? '' : `${[value].flat().join(', ')}\n`}`;
    })
    .join('\n');
}

/** Says how to answer the questions that are not answered by a text. */
export function explainQuestions(questions: readonly Question[]): string[] {
  return questions.flatMap(({label, type, options = [], multiple}) => {
    switch (type) {
      case 'choice':
        return [`${label} ${multiple ? 'Some of' : 'One of'}: ${options.join(', ')}`];
      case 'number':
        return [`${label} A number.`];
      case 'yes_no':
        return [`${label} yes or no.`];
      case 'mood':
        return [`${label} A number from 1 (very bad) to 5 (very good).`];
      default:
        return [];
    }
  });
}

/** Reads answers below their headings. A text without any heading is the update. */
export function readHeadings(
  text: string,
  questions: readonly Question[],
): {update?: string; answers?: Answers} {
  const found = new Map<string, string[]>();
  const above: string[] = [];
  let lines = above;
  for (const one of text.split(/\r?\n/)) {
    const question = questions.find(({label}) => one.trim() === `# ${label.trim()}`);
    if (question === undefined) lines.push(one);
    else found.set(question.key, (lines = found.get(question.key) ?? []));
  }
  const update = above.join('\n').trim();
  const answers = questions.flatMap((question) => {
    const answer = (found.get(question.key) ?? []).join('\n').trim();
    return answer === '' ? [] : [{question: question.key, value: readAnswer(question, answer)}];
  });
  if (update !== '' && answers.length > 0) {
    throw new CommandError('usage', 'Write below the questions, or remove them all to post one text.');
  }
  return {...(update !== '' && {update}), ...(answers.length > 0 && {answers})};
}

function readAnswer({label, type, options = [], multiple}: Question, text: string): Answers[number]['value'] {
  switch (type) {
    case 'choice': {
      const chosen = multiple ? text.split(/[,\n]/) : [text];
      return chosen.map((one) => {
        const wanted = one.trim().toLowerCase();
        const option = options.find((each) => each.toLowerCase() === wanted);
        if (option !== undefined) return option;
        throw new CommandError('usage', `${label} Please choose: ${options.join(', ')}.`);
      });
    }
    case 'number':
    case 'mood': {
      const number = Number(text.replace(',', '.'));
      if (Number.isFinite(number)) return number;
      throw new CommandError('usage', `${label} Please type a number.`);
    }
    case 'yes_no':
      if (/^(?:y|yes|true)$/i.test(text)) return true;
      if (/^(?:n|no|false)$/i.test(text)) return false;
      throw new CommandError('usage', `${label} Please type yes or no.`);
    default:
      return text;
  }
}
