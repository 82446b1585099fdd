import type {Team, TeamChange} from '../api/schema.ts';
import {texts} from '../texts/texts.ts';
import type {Fact} from './section.tsx';
import type {SectionOf} from './use-section.ts';

export const questionTypes = ['text', 'choice', 'number', 'yes_no', 'mood'] as const;
type QuestionType = (typeof questionTypes)[number];

/** Form fields of a question. A field that its type does not use keeps its value for a change back. */
export interface QuestionDraft {
  readonly key: string;
  /** True for an unsaved question: its key will be derived from its label. */
  readonly isNew: boolean;
  readonly label: string;
  readonly type: QuestionType;
  readonly required: boolean;
  readonly raisesBlocker: boolean;
  /** Key of the question whose answer in the last standup prefills this question. */
  readonly fillFrom: string | null;
  /** The options as typed, one per line. */
  readonly options: string;
  readonly multiple: boolean;
  readonly min: number | null;
  readonly max: number | null;
}

type NewQuestion = NonNullable<TeamChange['questions']>[number];

const longestKey = 40;

export const questionSection: SectionOf<readonly QuestionDraft[]> = {
  name: 'questions',
  read: ({questions}) => (questions.length === 0 ? buildDefaultQuestions() : questions.map(toQuestionDraft)),
  write: (drafts) => ({
    questions: areDefaultQuestions(drafts) ? [] : deriveQuestionKeys(drafts).map(toQuestion),
  }),
};

/** Default questions for a team without its own: a new question must not replace them. */
function buildDefaultQuestions(): readonly QuestionDraft[] {
  const {given} = texts.team.questions;
  const plain = {...createQuestionDraft([]), isNew: false};
  return [
    {...plain, key: 'yesterday', label: given.yesterday, fillFrom: 'today'},
    {...plain, key: 'today', label: given.today, required: true},
    {...plain, key: 'blockers', label: given.blockers, raisesBlocker: true},
  ];
}

export function areDefaultQuestions(drafts: readonly QuestionDraft[]): boolean {
  return JSON.stringify(drafts) === JSON.stringify(buildDefaultQuestions());
}

/** Lists the questions whose answers may prefill another question, since they ask for text. */
export function listPrefillSources(drafts: readonly QuestionDraft[]): readonly QuestionDraft[] {
  return drafts.filter(({type}) => type === 'text');
}

export function createQuestionDraft(drafts: readonly QuestionDraft[]): QuestionDraft {
  return {
    key: deriveUniqueKey('', drafts),
    isNew: true,
    label: '',
    type: 'text',
    required: false,
    raisesBlocker: false,
    fillFrom: null,
    options: '',
    multiple: false,
    min: null,
    max: null,
  };
}

/** Gives each new question a permanent key, derived from its label, to which answers refer. */
function deriveQuestionKeys(drafts: readonly QuestionDraft[]): readonly QuestionDraft[] {
  const named: QuestionDraft[] = drafts.filter(({isNew}) => !isNew);
  const keys = new Map<string, string>();
  for (const draft of drafts) {
    const key = draft.isNew ? deriveUniqueKey(draft.label, named) : draft.key;
    if (draft.isNew) named.push({...draft, key});
    if (draft.type === 'text') keys.set(draft.key, key);
  }
  const others = named.filter(({isNew}) => isNew).map(({key}) => key);
  return drafts.map((draft) => ({
    ...draft,
    key: draft.isNew ? (others.shift() ?? draft.key) : draft.key,
    fillFrom: keys.get(draft.fillFrom ?? '') ?? null,
  }));
}

/** Makes a key from a label, such as `next_step` from “Next step?”, distinct from all other keys. */
export function deriveUniqueKey(label: string, others: readonly Pick<QuestionDraft, 'key'>[]): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, longestKey - 3)
    .replaceAll(/^_+|_+$/g, '');
  const base = plain === '' ? 'question' : plain;
  const taken = new Set(others.map(({key}) => key));
  for (let count = 1; ; count += 1) {
    const key = count === 1 ? base : `${base}_${count}`;
    if (!taken.has(key)) return key;
  }
}

export function moveItem<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}

export function describeQuestions(drafts: readonly QuestionDraft[]): readonly Fact[] {
  const t = texts.team.questions;
  if (drafts.length === 0) return [[t.title, t.none]];
  return drafts.map((draft, index) => {
    const details = [t.fact({type: t.types[draft.type], required: draft.required})];
    if (draft.type === 'choice') details.push(...parseOptions(draft));
    if (draft.type === 'text' && draft.raisesBlocker) details.push(t.blocker);
    const source = listPrefillSources(drafts).find(({key}) => key === draft.fillFrom);
    if (draft.type === 'text' && source !== undefined) details.push(t.filled({label: source.label}));
    return [`${index + 1}. ${draft.label}`, details.join('\n')];
  });
}

function toQuestionDraft(question: Team['questions'][number]): QuestionDraft {
  const {
    key,
    label,
    type,
    required,
    raises_blocker: raises,
    fill_from: from,
    options,
    multiple,
    min,
    max,
  } = question;
  return {
    key,
    isNew: false,
    label,
    type: questionTypes.find((known) => known === type) ?? 'text',
    required,
    raisesBlocker: raises ?? false,
    fillFrom: (from === undefined && key === 'yesterday' ? 'today' : from) ?? null,
    options: options?.join('\n') ?? '',
    multiple: multiple ?? false,
    min: min ?? null,
    max: max ?? null,
  };
}

function toQuestion(draft: QuestionDraft): NewQuestion {
  const {key, label, type, required, raisesBlocker, fillFrom, multiple, min, max} = draft;
  const common = {key, label: label.trim(), required};
  switch (type) {
    case 'text':
      return {...common, type, raises_blocker: raisesBlocker, fill_from: fillFrom};
    case 'choice':
      return {...common, type, options: parseOptions(draft), multiple};
    case 'number':
      return {...common, type, min, max};
    default:
      return {...common, type};
  }
}

function parseOptions({options}: QuestionDraft): string[] {
  return options
    .split('\n')
    .map((option) => option.trim())
    .filter((option) => option !== '');
}
