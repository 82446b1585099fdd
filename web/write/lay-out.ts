import type {Question, ShownStandup, Team} from '../api/schema.ts';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {
  type QuestionAnswer,
  besideId,
  composeAnswersText,
  composeStandup,
  convertText,
  type FieldError,
  findFieldErrors,
  type Field,
  type Format,
  buildFormFields,
  findPrefillSourceKey,
  mergeTeamQuestions,
  findAnswersToRemovedQuestions,
  type ComposedStandup,
  extractPlan,
  type Values,
} from './compose.ts';
import type {StandupDraft} from './draft.ts';
import {addDays} from '../parts/days.ts';

export interface LaidOut {
  readonly fields: readonly Field[];
  /** Value of each field, typed or prefilled. */
  readonly values: Values;
  readonly hints: Readonly<Record<string, string | undefined>>;
  readonly said: ComposedStandup;
  readonly fieldErrors: ReadonlyMap<string, FieldError>;
  /** Answers to questions that are no longer asked. The form shows them in the field for additional text. */
  readonly leftover: readonly QuestionAnswer[];
}

/** Prepares the form of a new standup. The plan in the last standup prefills the field for the work done. */
export function layOutNewForm({
  draft,
  teams,
  last,
  date,
}: {
  readonly draft: StandupDraft;
  readonly teams: readonly Team[];
  readonly last: ShownStandup | null | undefined;
  readonly date: string;
}): LaidOut {
  const asked = mergeTeamQuestions(teams);
  const {format = 'plain'} = draft;
  const begun = last ? prefillFields(last, asked, format) : {};
  const labels = createPartLabels(last?.date, date);
  const bare = teams.length === 0 ? [] : buildFormFields(asked, labels, false);
  const leftover = findAnswersToRemovedQuestions(bare, draft.values, draft.questions);
  const beside = joinTexts(draft.values[besideId], leftover, format);
  const fields = teams.length === 0 ? [] : buildFormFields(asked, labels, beside !== undefined);
  const values: Values = {
    ...begun,
    ...draft.values,
    ...(beside !== undefined && {[besideId]: beside}),
  };
  const isForAll = asked.length > 0 && teams.some(({questions}) => questions.length === 0);
  const content = composeStandup(fields, values, {format, isForAll});
  return {
    fields,
    values,
    hints: {
      ...(last && buildPrefillHints(begun, values, last.date)),
      ...(asked.length === 0 && {blockers: texts.write.blockersHint}),
    },
    said: content,
    fieldErrors: findFieldErrors(fields, values, content.update),
    leftover,
  };
}

export function createPartLabels(since: string | undefined, date: string) {
  const {yesterday, since: sinceDay, todayPart, blockers, beside} = texts.write;
  const isYesterday = since === undefined || date === '' || since === addDays(date, -1);
  return {
    yesterday: isYesterday ? yesterday : sinceDay({day: formatDay(since, {weekday: 'long'})}),
    today: todayPart,
    blockers,
    beside,
  };
}

/** Prefills fields from the last standup: with the answers that questions name, or with the plan. */
function prefillFields(
  {update, answers, format: from}: ShownStandup,
  asked: readonly Question[],
  format: Format,
): Readonly<Record<string, string>> {
  const convert = (text: string) => convertText(text, from, format);
  const answerTexts = new Map(
    answers.flatMap(({question, type, value}) =>
      type === 'text' ? [[question, convert(String(value))]] : [],
    ),
  );
  if (asked.length === 0) return {yesterday: answerTexts.get('today') ?? convert(extractPlan(update))};
  return Object.fromEntries(
    asked.flatMap((question) => {
      const text = answerTexts.get(findPrefillSourceKey(question) ?? '');
      return text === undefined ? [] : [[question.key, text]];
    }),
  );
}

/** Hints that name the day from which each prefilled text comes. A changed field has none. */
function buildPrefillHints(begun: Readonly<Record<string, string>>, values: Values, date: string) {
  const hint = texts.write.prefilled({day: formatDay(date, {weekday: 'long'})});
  return Object.fromEntries(
    Object.entries(begun).flatMap(([id, text]) => (values[id] === text ? [[id, hint]] : [])),
  );
}

function joinTexts(
  beside: Values[string] | undefined,
  leftover: readonly QuestionAnswer[],
  format: Format,
): string | undefined {
  if (beside === undefined && leftover.length === 0) return undefined;
  return [String(beside ?? ''), composeAnswersText(leftover, format)]
    .filter((text) => text !== '')
    .join('\n\n');
}
