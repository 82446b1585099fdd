import {z} from 'zod';
import {limits} from '../core/limits.js';
import {findTextError} from '../core/text.js';
import {type Infer, isObject, oneOf, open, text} from '../core/schemas.js';

export const questionTypes = ['text', 'choice', 'number', 'yes_no', 'mood'] as const;
export type QuestionType = (typeof questionTypes)[number];

/** The possible answers to a mood question, from very bad to very good. */
export const moods = [1, 2, 3, 4, 5] as const;

const key = z
  .string()
  .regex(
    new RegExp(`^[a-z0-9](?:[a-z0-9_]{0,${limits.questionKey - 2}}[a-z0-9])?$`),
    `must be 1 to ${limits.questionKey} lower-case letters, digits and inner underscores, such as "next_step"`,
  )
  .meta({
    maxLength: limits.questionKey,
    description: 'The key that answers refer to. Keep it when you change the text of the question.',
    examples: ['next_step'],
  });

const label = text(limits.questionLabel).meta({examples: ['What will you do next?']});
const required = z.boolean().meta({
  description:
    'Whether the form in Slack, and a request with `answers`, must answer it. An update without answers can always be posted.',
});
const common = {key, label, required: required.optional()};

const fillFrom =
  'The key of a question of type `text` of this team. Forms fill in its last answer. Null: nothing. If it is left out, `yesterday` is filled from `today`.';

const hasDistinctOptions = (options: readonly string[]) => new Set(options).size === options.length;
const bound = z.number().nullable().optional();

const kinds = [
  z.strictObject({
    ...common,
    type: z.literal('text'),
    raises_blocker: z.boolean().optional().meta({
      description:
        'Whether an answer raises a blocker, unless it says that there is none: `no`, `None`, `n/a`, `-` and the like.',
    }),
    fill_from: z
      .string()
      .max(limits.questionKey, `has at most ${limits.questionKey} characters`)
      .nullable()
      .optional()
      .meta({description: fillFrom}),
  }),
  z.strictObject({
    ...common,
    type: z.literal('choice'),
    options: z
      .array(text(limits.choice))
      .min(2, 'must have at least 2 options, such as ["Yes", "No"]')
      .max(limits.choices, `has at most ${limits.choices} options`)
      .refine(hasDistinctOptions, 'has the same option twice')
      .meta({uniqueItems: true}),
    multiple: z.boolean().optional(),
  }),
  z.strictObject({...common, type: z.literal('number'), min: bound, max: bound}).superRefine(
    ({min, max}, context) => {
      if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return;
      const message = `must be \`min\` (${min}) or more, or no one can answer; it is ${max}`;
      context.addIssue({code: 'custom', path: ['max'], message});
    },
    {when: isObject},
  ),
  z.strictObject({...common, type: z.literal('yes_no')}),
  z.strictObject({...common, type: z.literal('mood')}),
] as const;

const keyed = z.array(z.object({key: z.string()})).max(limits.questionsPerTeam);

/** True if the questions can be compared, even if something else is wrong with them. */
function areComparableQuestions({value}: {value: unknown}): boolean {
  return keyed.safeParse(value).success;
}

export const newQuestionsSchema = z
  .array(z.discriminatedUnion('type', kinds))
  .max(limits.questionsPerTeam, `has at most ${limits.questionsPerTeam} questions`)
  .refine((questions) => hasDistinctOptions(questions.map((one) => one.key)), {
    message: 'has the same key twice',
    when: areComparableQuestions,
  })
  .superRefine(
    (questions, context) => {
      const texts = new Set(questions.flatMap(({type, key: own}) => (type === 'text' ? [own] : [])));
      for (const [i, question] of questions.entries()) {
        if (question.type !== 'text' || !question.fill_from || texts.has(question.fill_from)) continue;
        const message = 'must be the key of a question of type "text" among these';
        context.addIssue({code: 'custom', path: [i, 'fill_from'], message});
      }
    },
    {when: areComparableQuestions},
  )
  .meta({
    description: `The questions, up to ${limits.questionsPerTeam}, replaced as a whole. An update without answers stays valid for any questions.`,
  });

/** A question in a request. By default it is not required, raises no blocker, has one choice and no bounds. */
export type NewQuestion = Infer<(typeof kinds)[number]>;

/** A question as it is stored: every field has a value. Only `fill_from` may be missing. */
export type Question = Complete<NewQuestion>;

type Complete<Q> = Q extends NewQuestion
  ? {readonly [K in Exclude<keyof Q, 'fill_from'>]-?: Exclude<Q[K], undefined>} & Pick<
      Q,
      keyof Q & 'fill_from'
    >
  : never;

/** A question in an answer of the API. Clients must expect types that they do not know. */
export const questionSchema = z
  .object({
    key: z.string(),
    label: z.string(),
    required,
    type: z.string().meta({
      description: `The type: ${questionTypes.map((type) => `\`${type}\``).join(', ')}. More values may be added.`,
    }),
    raises_blocker: z.boolean().optional(),
    fill_from: z.string().nullable().optional().meta({description: fillFrom}),
    options: z.array(z.string()).optional(),
    multiple: z.boolean().optional(),
    min: z.number().nullable().optional(),
    max: z.number().nullable().optional(),
  })
  .meta({id: 'Question', description: 'A question of a team.'}) as unknown as z.ZodType<Question>;

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

const value = z
  .union(
    [
      z.string().meta({maxLength: limits.answer}),
      z.number(),
      z.boolean(),
      z.array(z.string().meta({maxLength: limits.choice})).max(limits.choices),
    ],
    'must be a text, a number, true or false, or a list of texts',
  )
  .meta({
    description: `The value, by the type of the question. \`text\`: up to ${limits.answer} characters. \`choice\`: a list of the chosen options, or a single one. \`number\`. \`yes_no\`: true or false. \`mood\`: ${moods[0]} (very bad) to ${moods.at(-1)} (very good).`,
  });

/** The maximum number of answers in one request, for all teams that it may post to. */
const mostAnswers = limits.questionsPerTeam * limits.teamsPerSubmission;

export const newAnswersSchema = z
  .array(
    z.strictObject({
      question: z
        .string()
        .max(limits.questionKey, `has at most ${limits.questionKey} characters`)
        .meta({description: 'The key of the question.', examples: ['next_step']}),
      value,
    }),
  )
  .max(mostAnswers, `has at most ${mostAnswers} answers`)
  .meta({description: "Answers to the team's questions."});

const answerSchema = z
  .object({
    question: z.string().meta({description: 'The key of the question.'}),
    type: open<QuestionType>({description: 'The type of the question when it was answered.'}),
    label: z.string().meta({description: 'The text of the question when it was answered.'}),
    value: z
      .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
      .meta({description: 'The value. For `choice` it is always a list of options.'}),
  })
  .meta({id: 'Answer', description: 'An answer to a question of the team.'});

function fitsType({type, value: given}: {type: QuestionType; value: z.output<typeof value>}): boolean {
  switch (type) {
    case 'text':
      return typeof given === 'string' && findTextError(given, limits.answer) === undefined;
    case 'choice':
      return Array.isArray(given) && given.every((one) => findTextError(one, limits.choice) === undefined);
    case 'number':
      return typeof given === 'number';
    case 'yes_no':
      return typeof given === 'boolean';
    case 'mood':
      return moods.some((mood) => mood === given);
  }
}

/** Answers of another product. The questions need not be those of the team. */
export const importedAnswersSchema = z
  .array(
    z
      .strictObject({
        question: z
          .string()
          .min(1, 'must not be empty')
          .max(limits.questionKey, `has at most ${limits.questionKey} characters`)
          .meta({description: 'A key of the question.', examples: ['yesterday']}),
        label: text(limits.questionLabel).meta({
          description: 'The text of the question.',
          examples: ['What did you do yesterday?'],
        }),
        type: oneOf(questionTypes).meta({description: 'The type of the question.'}),
        value,
      })
      .refine(fitsType, {path: ['value'], message: 'must be a value of the type of its question'}),
  )
  .max(limits.questionsPerTeam, `has at most ${limits.questionsPerTeam} answers`)
  .meta({description: 'The answers, with the questions as they were asked there.'});

/** A stored answer, with the label that the question had at that time. */
export type StandupAnswer = Infer<typeof answerSchema>;

/** Fields for the answers of a standup and of its revisions. */
export const answersShown = {
  answers: z.array(answerSchema).meta({description: 'The answers. Empty for an update without answers.'}),
  questions_version: z.int().nullable().meta({
    description: "The version of the team's questions that the answers refer to. Null without answers.",
  }),
};
