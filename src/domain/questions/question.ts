import type {Patch} from '../core/resource.js';

/**
 * A question of a team. Its key stays when the label changes, so that old and new answers can be compared.
 */
export type Question = {
  /** The key of the question in lower case, unique in the team. Answers refer to it. */
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
} & QuestionKind;

export type QuestionKind =
  | {
      readonly type: 'text';
      /** True if the answer describes an obstacle. It opens a blocker, unless it says that there is none. */
      readonly raises_blocker: boolean;
      /**
       * The key of the question whose last answer is suggested for this one; null for none. By default,
       * `yesterday` begins with the last answer to `today`.
       */
      readonly fill_from?: string | null;
    }
  | {readonly type: 'choice'; readonly options: readonly string[]; readonly multiple: boolean}
  | {readonly type: 'number'; readonly min: number | null; readonly max: number | null}
  | {readonly type: 'yes_no'}
  | {readonly type: 'mood'};

/**
 * A question in a request. By default it is not required, raises no blocker, has one choice and no bounds.
 */
export type NewQuestion = {
  readonly key: string;
  readonly label: string;
  readonly required?: boolean | undefined;
} & {
  [T in QuestionType]: {readonly type: T} & Patch<
    Omit<Extract<QuestionKind, {type: T}>, 'type' | 'options'>
  > &
    Pick<Extract<QuestionKind, {type: T}>, Extract<keyof Extract<QuestionKind, {type: T}>, 'options'>>;
}[QuestionType];

/** Returns the question in its stored form, with defaults for missing fields. */
export function completeQuestion(given: NewQuestion): Question {
  const {key, label, required = false} = given;
  const common = {key, label, required};
  switch (given.type) {
    case 'text':
      return {
        ...common,
        type: 'text',
        raises_blocker: given.raises_blocker ?? false,
        ...(given.fill_from !== undefined && {fill_from: given.fill_from}),
      };
    case 'choice':
      return {...common, type: 'choice', options: given.options, multiple: given.multiple ?? false};
    case 'number':
      return {...common, type: 'number', min: given.min ?? null, max: given.max ?? null};
    case 'yes_no':
    case 'mood':
      return {...common, type: given.type};
  }
}

/** Returns the key of the question whose last answer is suggested for this one. */
export function findPrefillSourceKey(question: Question): string | undefined {
  if (question.type !== 'text') return undefined;
  const {key, fill_from: from = key === 'yesterday' ? 'today' : null} = question;
  return from ?? undefined;
}

export type QuestionType = QuestionKind['type'];

export const questionTypes = [
  'text',
  'choice',
  'number',
  'yes_no',
  'mood',
] as const satisfies readonly QuestionType[];

/** The possible answers to a mood question, from very bad to very good. */
export const moods = [1, 2, 3, 4, 5] as const;

/** A stored answer, with the label that the question had at that time. */
export interface StandupAnswer {
  readonly question: string;
  readonly type: QuestionType;
  readonly label: string;
  /**
   * The value. For `text` it is a string, for `choice` the chosen options, for `number` and `mood` a number,
   * for `yes_no` true or false.
   */
  readonly value: string | readonly string[] | number | boolean;
}
