// Schedules and sets of questions to start from. Each fills a section's draft, and is saved with it.
import {texts} from '../texts/texts.ts';
import {createQuestionDraft, type QuestionDraft} from './question-drafts.ts';
import type {ScheduleDraft} from './schedule-draft.ts';

const usual = {
  kind: 'weekly',
  interval: 1,
  opens: '09:00',
  closes: '11:00',
  reminders: [30],
  promptAt: 'both',
} as const satisfies Partial<ScheduleDraft>;

export const scheduleTemplates = {
  workdays: {...usual, days: ['mon', 'tue', 'wed', 'thu', 'fri']},
  threeDays: {...usual, days: ['mon', 'wed', 'fri']},
  twoDays: {...usual, days: ['mon', 'fri']},
} as const satisfies Readonly<Record<string, Partial<ScheduleDraft>>>;

export type ScheduleTemplate = keyof typeof scheduleTemplates;

export const scheduleTemplateNames = Object.keys(scheduleTemplates) as ScheduleTemplate[];

/** True if the draft has every value of the template. */
export function fitsTemplate(draft: ScheduleDraft, template: ScheduleTemplate): boolean {
  const {days, reminders, ...rest} = scheduleTemplates[template];
  return (
    days.join() === draft.days.join() &&
    reminders.join() === draft.reminders.join() &&
    Object.entries(rest).every(([name, value]) => draft[name as keyof ScheduleDraft] === value)
  );
}

/** The further settings of a question in a template. By default it is a text that may stay empty. */
type QuestionShape = Partial<Pick<QuestionDraft, 'type' | 'required' | 'raisesBlocker' | 'fillFrom'>>;

const required = {required: true} as const;
const mood = {type: 'mood'} as const;

/** The keys are those under which answers are stored. Their texts are `questions.templates` of the messages. */
const questionTemplates = {
  engineering: {finished: {fillFrom: 'next'}, next: required, blockers: {raisesBlocker: true}},
  sales: {contacts: required, deals: {}, help: {}},
  remote: {mood, today: required, reachable: {}},
  weekly: {went_well: required, went_badly: {}, goal: required},
  retrospective: {keep: {}, stop: {}, try: {}, mood},
} as const satisfies Readonly<Record<string, Readonly<Record<string, QuestionShape>>>>;

export type QuestionTemplate = keyof typeof questionTemplates;

export const questionTemplateNames = Object.keys(questionTemplates) as QuestionTemplate[];

/** Creates the questions of a template, in the language of the person who chooses it. */
export function createTemplateQuestions(template: QuestionTemplate): readonly QuestionDraft[] {
  const labels: Readonly<Record<string, string>> = texts.team.questions.templates[template];
  const shapes: Readonly<Record<string, QuestionShape>> = questionTemplates[template];
  return Object.entries(shapes).map(([key, shape]) => ({
    ...createQuestionDraft([]),
    isNew: false,
    key,
    label: labels[key] ?? key,
    ...shape,
  }));
}
