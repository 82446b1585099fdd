import {limits} from '../../../domain/core/limits.js';
import {countCodePoints} from '../../../domain/core/text.js';
import {explainTextError} from '../blocks/text-errors.js';
import {fields} from '../blocks/names.js';
import type {Texts} from '../../texts/translation.js';
import {composeContent, type FormContent} from './form-content.js';
import {buildPieceFieldName} from './read-form.js';

/** Checks the content of a form; returns error messages by field, none if the content is valid. */
export function findContentErrors(content: FormContent, texts: Texts): Record<string, string> {
  const {form} = texts;
  const inputs = listInputs(content);
  const [required] = inputs.filter(({field}) => field === fields.today || field === fields.update);
  if (content.shape === 'questions') return findTextErrors(inputs, texts);
  const blank =
    content.shape === 'parts' ? content.parts.today.trim() === '' : composeContent(content).trim() === '';
  const errors: Record<string, string> = {};
  if (required !== undefined && blank) {
    errors[required.field] = content.shape === 'parts' ? form.needsToday : form.needsUpdate;
  }
  Object.assign(errors, findTextErrors(inputs, texts));
  const length = countCodePoints(composeContent(content).trim());
  if (Object.keys(errors).length > 0 || length <= limits.update) return errors;
  const [longest] = inputs.toSorted((a, b) => b.text.length - a.text.length);
  return {[longest?.field ?? fields.today]: form.tooLong({length, max: limits.update})};
}

function findTextErrors(inputs: readonly {field: string; text: string}[], texts: Texts) {
  const errors: Record<string, string> = {};
  for (const {field, text} of inputs) {
    const error = text.trim() === '' ? undefined : explainTextError(texts, text, limits.update);
    if (error !== undefined) errors[field] = texts.form.invalidText({error});
  }
  return errors;
}

/** Returns the field for errors that concern no single field. */
export function findMainField(content: FormContent): string {
  const {shape} = content;
  if (shape === 'questions') return content.first;
  return shape === 'parts' ? fields.today : fields.update;
}

function listInputs(content: FormContent): {field: string; text: string}[] {
  if (content.shape !== 'parts')
    return content.pieces.map((text, index) => ({field: buildPieceFieldName(index), text}));
  return (['yesterday', 'today', 'blockers'] as const).map((part) => ({
    field: fields[part],
    text: content.parts[part],
  }));
}
