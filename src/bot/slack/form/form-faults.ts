import {limits} from '../../../domain/core/limits.js';
import {codePoints} from '../../../domain/core/text.js';
import {sayTextFault} from '../blocks/text-faults.js';
import {fields} from '../blocks/names.js';
import type {Words} from '../../words/words.js';
import {composeContent, type FormContent} from './form-content.js';
import {pieceField} from './read-form.js';

/** Validates the typed content; returns errors by field, none for a valid standup. */
export function findFaults(content: FormContent, words: Words): Record<string, string> {
  const {form} = words;
  const inputs = inputsOf(content);
  const [required] = inputs.filter(({field}) => field === fields.today || field === fields.update);
  if (content.shape === 'questions') return textFaults(inputs, words);
  const blank =
    content.shape === 'parts' ? content.parts.today.trim() === '' : composeContent(content).trim() === '';
  const faults: Record<string, string> = {};
  if (required !== undefined && blank) {
    faults[required.field] = content.shape === 'parts' ? form.needsToday : form.needsUpdate;
  }
  Object.assign(faults, textFaults(inputs, words));
  const length = codePoints(composeContent(content).trim());
  if (Object.keys(faults).length > 0 || length <= limits.update) return faults;
  const [longest] = inputs.toSorted((a, b) => b.text.length - a.text.length);
  return {[longest?.field ?? fields.today]: form.tooLong(length, limits.update)};
}

function textFaults(inputs: readonly {field: string; text: string}[], words: Words) {
  const faults: Record<string, string> = {};
  for (const {field, text} of inputs) {
    const fault = text.trim() === '' ? undefined : sayTextFault(words, text, limits.update);
    if (fault !== undefined) faults[field] = words.form.fault(fault);
  }
  return faults;
}

/** The field that shows an error which belongs to no field. */
export function mainField(content: FormContent): string {
  const {shape} = content;
  if (shape === 'questions') return content.first;
  return shape === 'parts' ? fields.today : fields.update;
}

function inputsOf(content: FormContent): {field: string; text: string}[] {
  if (content.shape !== 'parts')
    return content.pieces.map((text, index) => ({field: pieceField(index), text}));
  return (['yesterday', 'today', 'blockers'] as const).map((part) => ({
    field: fields[part],
    text: content.parts[part],
  }));
}
