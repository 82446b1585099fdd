import type {Schema} from '../api/schema.ts';
import {formatDay} from '../words/format.ts';
import {words} from '../words/words.ts';
import {
  type Answer,
  besideId,
  composeAnswers,
  composeSaid,
  type Fault,
  faultsOf,
  type Field,
  fieldsOf,
  filledFrom,
  joinQuestions,
  leftoverOf,
  type Question,
  type Said,
  todayOf,
  type Values,
} from './compose.ts';
import type {Draft} from './draft.ts';
import {addDays} from '../parts/days.ts';

type Standup = Schema<'ShownStandup'>;
type Team = Schema<'Team'>;

/** The fields, values and content of a form. */
export interface LaidOut {
  readonly fields: readonly Field[];
  /** Includes prefilled values. */
  readonly values: Values;
  readonly hints: Readonly<Record<string, string | undefined>>;
  readonly said: Said;
  readonly faults: ReadonlyMap<string, Fault>;
  /** Answers to questions that are no longer asked; they are shown in the field for additional text. */
  readonly leftover: readonly Answer[];
}

/** Lays out a new standup: the last one's plan prefills the work done since. */
export function layOut({
  draft,
  teams,
  last,
  date,
}: {
  readonly draft: Draft;
  readonly teams: readonly Team[];
  readonly last: Standup | null | undefined;
  readonly date: string;
}): LaidOut {
  const asked = joinQuestions(teams);
  const begun = last ? begin(last, asked) : {};
  const labels = partLabels(last?.date, date);
  const bare = teams.length === 0 ? [] : fieldsOf(asked, labels, false);
  const leftover = leftoverOf(bare, draft.values, draft.questions);
  const beside = joinTexts(draft.values[besideId], leftover);
  const fields = teams.length === 0 ? [] : fieldsOf(asked, labels, beside !== undefined);
  const values: Values = {
    ...begun,
    ...draft.values,
    ...(beside !== undefined && {[besideId]: beside}),
  };
  const isForAll = asked.length > 0 && teams.some(({questions}) => questions.length === 0);
  const said = composeSaid(fields, values, {isForAll});
  return {
    fields,
    values,
    hints: {
      ...(last && hintsOf(begun, values, last.date)),
      ...(asked.length === 0 && {blockers: words.write.blockersHint}),
    },
    said,
    faults: faultsOf(fields, values, said.update),
    leftover,
  };
}

export function partLabels(since: string | undefined, date: string) {
  const {yesterday, since: sinceDay, todayPart, blockers, beside} = words.write;
  const isYesterday = since === undefined || date === '' || since === addDays(date, -1);
  return {
    yesterday: isYesterday ? yesterday : sinceDay(formatDay(since, {weekday: 'long'})),
    today: todayPart,
    blockers,
    beside,
  };
}

/**
 * Prefills fields: with the last answers that the questions refer to, or with the plan in the last update.
 */
function begin({update, answers}: Standup, asked: readonly Question[]): Readonly<Record<string, string>> {
  const texts = new Map(
    answers.flatMap(({question, type, value}) => (type === 'text' ? [[question, String(value)]] : [])),
  );
  if (asked.length === 0) return {yesterday: texts.get('today') ?? todayOf(update)};
  return Object.fromEntries(
    asked.flatMap((question) => {
      const text = texts.get(filledFrom(question) ?? '');
      return text === undefined ? [] : [[question.key, text]];
    }),
  );
}

/** Names the source of a prefilled answer until it is changed. */
function hintsOf(begun: Readonly<Record<string, string>>, values: Values, date: string) {
  const hint = words.write.prefilled(formatDay(date, {weekday: 'long'}));
  return Object.fromEntries(
    Object.entries(begun).flatMap(([id, text]) => (values[id] === text ? [[id, hint]] : [])),
  );
}

function joinTexts(beside: Values[string] | undefined, leftover: readonly Answer[]): string | undefined {
  if (beside === undefined && leftover.length === 0) return undefined;
  return [String(beside ?? ''), composeAnswers(leftover)].filter((text) => text !== '').join('\n\n');
}
