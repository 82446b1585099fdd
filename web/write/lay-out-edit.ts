import type {Schema, ShownStandup} from '../api/schema.ts';
import {texts} from '../texts/texts.ts';
import {
  type QuestionAnswer,
  findTextWithoutAnswers,
  buildAdditionalTextField,
  besideId,
  composeStandup,
  convertAnswer,
  convertText,
  findFieldErrors,
  type Field,
  type Format,
  buildFormFields,
  isBlank,
  parsePartsText,
  readFormat,
  type Values,
} from './compose.ts';
import type {LaidOut} from './lay-out.ts';
import {createPartLabels} from './lay-out.ts';

type Posted = Pick<ShownStandup, 'update' | 'answers' | 'date' | 'format'>;

/**
 * Fills a form with a posted standup, as Slack's form does. `typed` replaces the posted values. It is in the
 * notation of the form, `format`.
 */
export function layOutEditForm(
  standup: Posted,
  typed: Values,
  questions: readonly Schema<'Question'>[],
  format: Format,
): LaidOut & {readonly change: Schema<'StandupChange'>} {
  const {fields, base: posted, isApart} = layOutPostedStandup(standup, questions);
  const base = convertValues(fields, posted, standup.format, format);
  const values = {...base, ...typed};
  const content = composeStandup(fields, values, {format, isApart});
  const fieldErrors = findFieldErrors(fields, values, content.update);
  const isAsked = fields.some(({kind}) => kind === 'question');
  // Keeps answers to questions that are no longer asked.
  const unseen = isAsked
    ? standup.answers.filter(({question}) => fields.every(({id}) => id !== question))
    : [];
  const kept = unseen.map((answer) => convertAnswer(answer, standup.format, format));
  const answers: readonly QuestionAnswer[] = [...content.answers, ...kept];
  const hasParts = fields.some(({kind}) => kind === 'part');
  const change = {
    ...(format !== readFormat(standup.format) && {format}),
    ...((content.given !== undefined || !isAsked || !isBlank(base[besideId])) && {update: content.update}),
    ...(isAsked && {answers: answers.map(({question, value}) => ({question, value}))}),
    ...(hasParts && {blockers: content.blockers ?? null}),
  };
  return {fields, values, hints: {}, said: {...content, answers}, fieldErrors, leftover: [], change};
}

/** Writes the texts of fields in the notation of the form. */
export function convertValues(
  fields: readonly Field[],
  values: Values,
  from: string | undefined,
  to: Format,
): Values {
  const converted = Object.entries(values).map(([id, value]) => {
    const isText = fields.some((field) => field.id === id && field.type === 'text');
    return [id, isText ? convertText(String(value), from, to) : value];
  });
  return Object.fromEntries(converted) as Values;
}

function layOutPostedStandup(
  {update, answers, date, format}: Posted,
  questions: readonly Schema<'Question'>[],
): {readonly fields: readonly Field[]; readonly base: Values; readonly isApart: boolean} {
  const labels = createPartLabels(undefined, date);
  if (questions.length > 0 && answers.length > 0) {
    const beside = findTextWithoutAnswers(update, answers, format);
    const fields = buildFormFields(questions, labels, false);
    const base: Record<string, Values[string]> = {};
    for (const {question, type, value} of answers) {
      if (fields.some(({id, type: asked}) => id === question && asked === type)) base[question] = value;
    }
    if (beside.text === '') return {fields, base, isApart: false};
    base[besideId] = beside.text;
    const label = beside.isApart ? texts.write.update : labels.beside;
    return {fields: [...fields, buildAdditionalTextField(label)], base, isApart: beside.isApart};
  }
  const parts = answers.length === 0 ? parsePartsText(update) : undefined;
  if (parts !== undefined) return {fields: buildFormFields([], labels, false), base: parts, isApart: false};
  return {
    fields: [buildAdditionalTextField(texts.write.update, true)],
    base: {[besideId]: update},
    isApart: true,
  };
}
