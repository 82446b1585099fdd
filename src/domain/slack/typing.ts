import type {Id} from '../core/ids.js';
import {countAnswersLength, type AnswerValue} from '../questions/answers.js';
import {limits} from '../core/limits.js';
import type {Question, StandupAnswer} from '../questions/question.js';
import {countCodePoints} from '../core/text.js';
import {parseTypedAnswer, type TypedAnswer, type TypedAnswerError} from './typed-answer.js';

/** A message with an answer, or a button press that counts as one. */
export interface UserMessage {
  /** Slack's id of the message (`ts`), by which messages are sorted. */
  readonly ts: string;
  readonly text: string;
  /** The text after an edit. `editedAt`: the time of the edit. */
  readonly now?: string;
  readonly editedAt?: string;
  /** Set when the message is deleted: the key of the question that it answered, or empty. */
  readonly gone?: string;
  /** The key of the question that a button answers; undefined for a typed message. */
  readonly slot?: string;
}

/** A standup that a person is typing to the bot and has not posted yet. */
export interface TypedDraft {
  /** The id of the draft, unique for its member. */
  readonly id: string;
  /** The teams of the draft, each once. */
  readonly teams: readonly TypedTeam[];
  /** `parts`: asks for yesterday, today and blockers. `questions`: asks the questions of the only team. */
  readonly asks: 'parts' | 'questions';
  readonly version: number | null;
  readonly questions: readonly Question[];
  /** The content of the last standup: for `parts` the text for yesterday, else answers by key. */
  readonly given: Readonly<Record<string, string>>;
  /** The messages in the order of their `ts`. */
  readonly words: readonly UserMessage[];
  /** The bot's message that shows the whole draft. */
  readonly summary?: {readonly channel: string; readonly ts: string};
  readonly ended?: 'stopped' | TypedEnd;
}

export interface TypedTeam {
  readonly id: Id<'team'>;
  readonly date: string;
}

/** The reason why the draft cannot be posted any more. */
export type TypedEnd = 'posted' | 'closed' | 'away' | 'left' | 'gone';

export type TypedEffect =
  | {readonly does: 'answer'; readonly key: string; readonly editError?: TypedAnswerError}
  | {readonly does: 'invalid'; readonly key: string; readonly error: TypedAnswerError}
  | {readonly does: 'skip' | 'required'; readonly key: string}
  | {readonly does: 'nothing'; readonly key: string}
  | {readonly does: TypedCommand | 'extra' | 'full'};

export type TypedCommand = 'back' | 'later' | 'help' | 'edit' | 'go-on' | 'post' | 'stop' | 'discard';

/** The state of a conversation with the bot. */
export interface Talk {
  /** The answers, by the keys of their questions. */
  readonly answers: ReadonlyMap<string, AnswerValue>;
  readonly effects: ReadonlyMap<string, TypedEffect>;
  /** The current question; undefined when all have been asked. */
  readonly asked: Question | undefined;
  /** Required questions without an answer. */
  readonly missing: readonly Question[];
}

const commands: Readonly<Record<string, TypedCommand | 'skip' | 'same'>> = {
  skip: 'skip',
  same: 'same',
  back: 'back',
  later: 'later',
  help: 'help',
  edit: 'edit',
  post: 'post',
  stop: 'stop',
  cancel: 'stop',
  discard: 'discard',
  continue: 'go-on',
  'go on': 'go-on',
};

const longestCommand = Math.max(...Object.keys(commands).map(({length}) => length));

/** Returns the command that a message consists of, in upper or lower case; undefined for an answer. */
export function parseTypedCommand(text: string): TypedCommand | 'skip' | 'same' | undefined {
  const trimmed = text.trim();
  // A loop is used because a pattern would be slow for many punctuation marks.
  let end = trimmed.length;
  while (trimmed[end - 1] === '.' || trimmed[end - 1] === '!') end--;
  if (end > longestCommand) return undefined;
  const bare = trimmed.slice(0, end).toLowerCase();
  if (bare === '?') return 'help';
  return Object.hasOwn(commands, bare) ? commands[bare] : undefined;
}

/** Replays a conversation in the order of `ts`, in whatever order its messages arrived. */
export function replayConversation(draft: TypedDraft): Talk {
  const {questions, words: messages} = draft;
  const answers = new Map<string, AnswerValue>();
  const effects = new Map<string, TypedEffect>();
  const passed = new Set<string>();
  // The current position in the questions, and the furthest so far, at which it continues after `back`.
  let [at, furthest] = [0, 0];

  const current = (): Question | undefined => questions[at] ?? questions.find(({key}) => lacks(key));
  const lacks = (key: string) =>
    questions.some((one) => one.key === key && one.required) && !answers.has(key);
  const pass = (key: string) => {
    passed.add(key);
    if (questions[at]?.key !== key) return;
    at = Math.max(at + 1, furthest);
    furthest = at;
  };
  const read = (question: Question, text: string): TypedAnswer => {
    if (parseTypedCommand(text) === 'same') {
      const value = draft.given[question.key];
      return value === undefined ? {error: {kind: 'no-same'}} : {value};
    }
    const answer = parseTypedAnswer(question, text, draft.asks === 'parts' ? limits.update : limits.answer);
    if ('error' in answer) return answer;
    const all = new Map([...answers, [question.key, answer.value] as const]);
    return countTypedLength(draft, all) > limits.update ? {error: {kind: 'total'}} : answer;
  };
  const answer = (question: Question, {text, now}: UserMessage): TypedEffect => {
    const {key} = question;
    const [first, edited] = [read(question, text), now === undefined ? undefined : read(question, now)];
    const taken = edited !== undefined && 'value' in edited ? edited : first;
    if ('error' in taken) return {does: 'invalid', key, error: taken.error};
    answers.set(key, taken.value);
    pass(key);
    const isRefused = edited !== undefined && 'error' in edited;
    return {does: 'answer', key, ...(isRefused && {editError: edited.error})};
  };
  const play = (message: UserMessage): TypedEffect => {
    if (message.gone !== undefined) {
      if (message.gone !== '') pass(message.gone);
      return {does: 'nothing', key: message.gone};
    }
    const question = message.slot === undefined ? current() : questions.find(({key}) => key === message.slot);
    // The text before any edit decides. After an edit, a command such as `skip` becomes an answer.
    const command = parseTypedCommand(message.text);
    if (command === 'back') {
      at = Math.max(0, at - 1);
      return {does: 'back'};
    }
    if (command === 'skip') {
      if (question === undefined) return {does: 'extra'};
      const {key} = question;
      if (message.now !== undefined) return answer(question, {...message, text: message.now});
      if (question.required && !answers.has(key)) return {does: 'required', key};
      pass(key);
      return {does: 'skip', key};
    }
    if (command !== undefined && command !== 'same') return {does: command};
    return question === undefined ? {does: 'extra'} : answer(question, message);
  };

  for (const [i, message] of messages.entries())
    effects.set(message.ts, i < limits.messagesPerDraft ? play(message) : {does: 'full'});
  return {answers, effects, asked: current(), missing: questions.filter(({key}) => lacks(key))};
}

/** Inserts a message into the draft. A message that is already there changes nothing. */
export function addMessageToDraft(draft: TypedDraft, message: UserMessage): TypedDraft {
  if (draft.words.some(({ts}) => ts === message.ts) || draft.words.length > limits.messagesPerDraft)
    return draft;
  const messages = [...draft.words, message].toSorted((a, b) => compareMessageTs(a.ts, b.ts));
  return {...draft, words: messages};
}

/** Edits a message. A message that was no answer counts as one, unless that question has one. */
export function editMessageOfDraft(
  draft: TypedDraft,
  ts: string,
  text: string,
  editedAt: string,
): TypedDraft {
  const {effects, asked} = replayConversation(draft);
  const messages = draft.words.map((message): UserMessage => {
    if (message.ts !== ts || message.gone !== undefined) return message;
    if (compareMessageTs(message.editedAt ?? '0', editedAt) >= 0) return message;
    const effect = effects.get(ts);
    const isInvalid = effect?.does === 'invalid' && effect.key === asked?.key;
    return isInvalid ? {...message, text, editedAt} : {...message, now: text, editedAt};
  });
  return {...draft, words: messages};
}

/** Removes the text of a message. Its question then has no answer any more. */
export function removeMessageOfDraft(draft: TypedDraft, ts: string): TypedDraft {
  const effect = replayConversation(draft).effects.get(ts);
  const gone = effect !== undefined && 'key' in effect && effect.does !== 'invalid' ? effect.key : '';
  return {
    ...draft,
    words: draft.words.map((message) => (message.ts === ts ? {ts, text: '', gone} : message)),
  };
}

/** Compares two Slack message ids (`ts`) as text: as numbers they would lose the last digits. */
export function compareMessageTs(a: string, b: string): number {
  const [left = '', right = ''] = [a, b].map((ts) => {
    const [seconds = '', rest = ''] = ts.split('.');
    return seconds.padStart(12, '0') + rest.padEnd(9, '0');
  });
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns the answers in the order of the questions. */
export function listTypedAnswers(
  {questions}: Pick<TypedDraft, 'questions'>,
  {answers}: Pick<Talk, 'answers'>,
): StandupAnswer[] {
  return questions.flatMap(({key: question, type, label}) => {
    const value = answers.get(question);
    return value === undefined ? [] : [{question, type, label, value}];
  });
}

/** The length of three headings with their line breaks. */
const headings = 40;

function countTypedLength(draft: TypedDraft, answers: ReadonlyMap<string, AnswerValue>): number {
  if (draft.asks === 'questions') return countAnswersLength(listTypedAnswers(draft, {answers}));
  const texts = [...answers.values(), draft.given['yesterday'] ?? ''].map(String);
  return texts.reduce((sum, text) => sum + countCodePoints(text), headings);
}

/** Returns the question that each message of a posted draft answered. */
export function mapQuestionKeysByMessage(draft: TypedDraft): Record<string, string> {
  const {effects} = replayConversation(draft);
  return Object.fromEntries(
    [...effects].flatMap(([ts, effect]) => (effect.does === 'answer' ? [[ts, effect.key]] : [])),
  );
}
