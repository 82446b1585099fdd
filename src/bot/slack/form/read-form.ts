import type {ViewOutput} from '@slack/bolt';
import {actions, fields, fieldValue} from '../blocks/names.js';
import type {TextFormat} from '../../../domain/core/markdown.js';
import type {SlackNames} from '../rich-text/names.js';
import {isTextUntouched, readInputText, type ShownInput} from '../rich-text/rich-input.js';
import type {FormContent} from './form-content.js';
import {buildFieldBlockId, type FormState, type OpenForm} from './form-state.js';
import {areAnswersUntouched, readQuestions} from './question-inputs.js';

export function readPickedTeam({state}: ViewOutput): string | undefined {
  return state.values[fields.team]?.[actions.chooseTeam]?.selected_option?.value;
}

/** Returns the field name of a piece of the whole text; the first piece has index 0. */
export function buildPieceFieldName(index: number): string {
  return index === 0 ? fields.update : `${fields.update}-${index + 1}`;
}

/** Returns the team of a submitted form; undefined if the person had to pick one and did not. */
export function readSubmittedTeam(view: ViewOutput, state: FormState): string | undefined {
  if (state.form === 'choose') return readPickedTeam(view);
  const isPicked = state.form === 'new' && state.by === 'list';
  return isPicked ? (readPickedTeam(view) ?? state.team) : state.team;
}

export function readFormContent(view: ViewOutput, {state, inputs}: OpenForm, names: SlackNames): FormContent {
  const {format} = inputs;
  const kept = format === undefined ? {} : {format};
  const read = (field: string) => readInput(view, buildFieldBlockId(field, state), names, format);
  if (inputs.shape === 'parts') {
    const {yesterday, today, blockers} = fields;
    return {
      ...kept,
      shape: 'parts',
      parts: {yesterday: read(yesterday), today: read(today), blockers: read(blockers)},
    };
  }
  const pieces = Array.from({length: inputs.pieces}, (_, index) => read(buildPieceFieldName(index)));
  if (inputs.shape === 'whole') return {...kept, shape: 'whole', pieces};
  return {...inputs, ...kept, ...readQuestions(view, names, format), pieces};
}

/** True if every input still has its first value. */
export function isFormUntouched(view: ViewOutput, names: SlackNames): boolean {
  if (!areAnswersUntouched(view)) return false;
  return (view.blocks as SubmittedBlock[]).every(
    ({block_id, element}) =>
      element?.type !== 'rich_text_input' ||
      isTextUntouched(view.state.values[block_id ?? '']?.[fieldValue] ?? {}, element, names),
  );
}

interface SubmittedBlock {
  readonly block_id?: string;
  readonly element?: ShownInput;
}

function readInput({state, blocks}: ViewOutput, id: string, names: SlackNames, format?: TextFormat): string {
  const shown = (blocks as SubmittedBlock[]).find(({block_id}) => block_id === id);
  return readInputText(state.values[id]?.[fieldValue], shown?.element, names, format);
}
