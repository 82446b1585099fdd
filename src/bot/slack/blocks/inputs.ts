// The elements of forms in Slack: a modal and its inputs.
import type {ViewResponseAction} from '@slack/bolt';
import type {
  Checkboxes,
  ExternalSelect,
  InputBlock,
  InputBlockElement,
  KnownBlock,
  ModalView,
  PlainTextInput,
  PlainTextOption,
  StaticSelect,
  Timepicker,
} from '@slack/types';
import {cutText} from '../../texts/cut-text.js';
import {fieldValue, slackLimits} from './names.js';
import {plainTextObject} from './shapes.js';

export interface ModalFrame {
  /** The callback id that Slack sends when the modal is submitted. */
  readonly name?: string;
  /** Text that Slack returns unchanged when the modal is submitted. */
  readonly metadata?: string;
  readonly title: string;
  readonly submit?: string;
  readonly close: string;
}

export function modal({name, metadata, title, submit, close}: ModalFrame, blocks: KnownBlock[]): ModalView {
  return {
    type: 'modal',
    ...(name !== undefined && {callback_id: name}),
    ...(metadata !== undefined && {private_metadata: metadata}),
    title: plainTextObject(title),
    ...(submit !== undefined && {submit: plainTextObject(submit)}),
    close: plainTextObject(close),
    blocks,
  };
}

/** Returns an input of a form. `field`: the name under which Slack returns the value. */
export function input(
  field: string,
  label: string,
  element: InputBlockElement,
  {optional = false, hint}: {readonly optional?: boolean; readonly hint?: string | undefined} = {},
): InputBlock {
  return {
    type: 'input',
    block_id: field,
    optional,
    label: plainTextObject(label),
    element,
    ...(hint !== undefined && {hint: plainTextObject(hint)}),
  };
}

export function singleSelect(options: PlainTextOption[], initial?: PlainTextOption): StaticSelect {
  return {
    type: 'static_select',
    action_id: fieldValue,
    options,
    ...(initial !== undefined && {initial_option: initial}),
  };
}

export function checkboxes(options: PlainTextOption[], initial: PlainTextOption[]): Checkboxes {
  return {
    type: 'checkboxes',
    action_id: fieldValue,
    options,
    ...(initial.length > 0 && {initial_options: initial}),
  };
}

/** A menu that searches its options while the person types. */
export function searchSelect(initial?: PlainTextOption): ExternalSelect {
  return {
    type: 'external_select',
    action_id: fieldValue,
    min_query_length: 0,
    ...(initial !== undefined && {initial_option: initial}),
  };
}

export function timePicker(initial?: string): Timepicker {
  return {
    type: 'timepicker',
    action_id: fieldValue,
    ...(initial !== undefined && {initial_time: initial}),
  };
}

/** A text field. `max`: the maximum number of characters. */
export function textInput(max: number, initial = '', {multiline = false} = {}): PlainTextInput {
  return {
    type: 'plain_text_input',
    action_id: fieldValue,
    ...(multiline && {multiline}),
    max_length: max,
    ...(initial !== '' && {initial_value: initial}),
  };
}

/** Keeps a form open, with errors under its fields. */
export function presentFieldErrors(fieldErrors: Readonly<Record<string, string>>): ViewResponseAction {
  const errors = Object.fromEntries(
    Object.entries(fieldErrors).map(([field, sentence]) => [
      field,
      cutText(sentence, slackLimits.fieldError),
    ]),
  );
  return {response_action: 'errors', errors};
}
