import type {Patch} from '../core/resource.js';

/** A question of a team. Its key stays when its label changes, so that answers of a year can be compared. */
export type Question = {
  /** Lower case, unique in the team; answers name the question by it. */
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
} & QuestionKind;

export type QuestionKind =
  | {
      readonly type: 'text';
      /** The answer names an obstacle: it opens a blocker, unless it says that there is none. */
      readonly raises_blocker: boolean;
      /**
       * Key of the question whose last answer this one begins with; null for none. When absent, `yesterday`
       * begins with `today`.
       */
      readonly fill_from?: string | null;
    }
  | {readonly type: 'choice'; readonly options: readonly string[]; readonly multiple: boolean}
  | {readonly type: 'number'; readonly min: number | null; readonly max: number | null}
  | {readonly type: 'yes_no'}
  | {readonly type: 'mood'};

/** A question as requested. Defaults: not required, raises no blocker, one choice, no bounds. */
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

/** The question in its stored form, with defaults for members that were left out. */
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

/** Key of the question whose last answer this one begins with. */
export function prefillSourceKey(question: Question): string | undefined {
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

/** The answers to a question for the mood, from very bad to very good. */
export const moods = [1, 2, 3, 4, 5] as const;

/** An answer as it is kept, with the question's label at that time. */
export interface StandupAnswer {
  readonly question: string;
  readonly type: QuestionType;
  readonly label: string;
  /** text: a string; choice: the options chosen; number and mood: a number; yes_no: true or false. */
  readonly value: string | readonly string[] | number | boolean;
}
