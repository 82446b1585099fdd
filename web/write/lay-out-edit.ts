import type {Schema} from '../api/schema.ts';
import {words} from '../words/words.ts';
import {
  type Answer,
  besideAnswers,
  besideField,
  besideId,
  composeSaid,
  faultsOf,
  type Field,
  fieldsOf,
  isBlank,
  parseParts,
  type Values,
} from './compose.ts';
import type {LaidOut} from './lay-out.ts';
import {partLabels} from './lay-out.ts';

type Standup = Schema<'ShownStandup'>;

/**
 * Puts a standup into the fields in which it was written, as Slack's form does; `typed` holds the changes
 * made since.
 */
export function layOutEdit(
  standup: Pick<Standup, 'update' | 'answers' | 'date'>,
  typed: Values,
  questions: readonly Schema<'Question'>[],
): LaidOut & {readonly change: Schema<'StandupChange'>} {
  const {fields, base, isApart} = baseOf(standup, questions);
  const values = {...base, ...typed};
  const said = composeSaid(fields, values, {isApart});
  const faults = faultsOf(fields, values, said.update);
  const isAsked = fields.some(({kind}) => kind === 'question');
  // Keeps answers to questions that are no longer asked.
  const unseen = isAsked
    ? standup.answers.filter(({question}) => fields.every(({id}) => id !== question))
    : [];
  const answers: readonly Answer[] = [...said.answers, ...unseen];
  const hasParts = fields.some(({kind}) => kind === 'part');
  const change = {
    ...((said.given !== undefined || !isAsked || !isBlank(base[besideId])) && {update: said.update}),
    ...(isAsked && {answers: answers.map(({question, value}) => ({question, value}))}),
    ...(hasParts && {blockers: said.blockers ?? null}),
  };
  return {fields, values, hints: {}, said: {...said, answers}, faults, leftover: [], change};
}

function baseOf(
  {update, answers, date}: Pick<Standup, 'update' | 'answers' | 'date'>,
  questions: readonly Schema<'Question'>[],
): {readonly fields: readonly Field[]; readonly base: Values; readonly isApart: boolean} {
  const labels = partLabels(undefined, date);
  if (questions.length > 0 && answers.length > 0) {
    const beside = besideAnswers(update, answers);
    const fields = fieldsOf(questions, labels, false);
    const base: Record<string, Values[string]> = {};
    for (const {question, type, value} of answers) {
      if (fields.some(({id, type: asked}) => id === question && asked === type)) base[question] = value;
    }
    if (beside.text === '') return {fields, base, isApart: false};
    base[besideId] = beside.text;
    const label = beside.isApart ? words.write.update : labels.beside;
    return {fields: [...fields, besideField(label)], base, isApart: beside.isApart};
  }
  const parts = answers.length === 0 ? parseParts(update) : undefined;
  if (parts !== undefined) return {fields: fieldsOf([], labels, false), base: parts, isApart: false};
  return {fields: [besideField(words.write.update, true)], base: {[besideId]: update}, isApart: true};
}
