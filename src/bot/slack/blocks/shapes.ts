// The elements of Block Kit and of forms. Texts are cut here, since Slack refuses texts that are too long.
import type {
  ActionsBlock,
  Button,
  ConfirmationDialog,
  ContextBlock,
  HeaderBlock,
  MrkdwnElement,
  Overflow,
  RadioButtons,
  PlainTextElement,
  PlainTextOption,
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextList,
  RichTextSection,
  RichTextText,
  SectionBlock,
  StaticSelect,
  Checkboxes,
  ExternalSelect,
  InputBlock,
  InputBlockElement,
  KnownBlock,
  ModalView,
  PlainTextInput,
  Timepicker,
} from '@slack/types';
import {slackLimits, fieldValue} from './names.js';
import {cutText} from '../../texts/cut-text.js';
import type {ViewResponseAction} from '@slack/bolt';

/** Text in which Slack interprets nothing but emoji. */
export function plainTextObject(text: string): PlainTextElement {
  return {type: 'plain_text', text};
}

/** Text with Slack's markup: only for sentences without text written by a person. */
export function mrkdwnObject(text: string): MrkdwnElement {
  return {type: 'mrkdwn', text};
}

/** A part of rich text. Slack interprets nothing in it. */
export function textElement(text: string, style?: RichTextText['style']): RichTextText {
  return {type: 'text', text, ...(style !== undefined && {style})};
}

export function bold(text: string): RichTextText {
  return textElement(text, {bold: true});
}

export function link(url: string, text: string): RichTextElement {
  return {type: 'link', url, text};
}

export function userMention(id: string): RichTextElement {
  return {type: 'user', user_id: id};
}

export function channelMention(id: string): RichTextElement {
  return {type: 'channel', channel_id: id};
}

export function richTextSection(elements: readonly RichTextElement[]): RichTextSection {
  return {type: 'rich_text_section', elements: [...elements]};
}

/** Returns a list with bullets; empty when there is nothing to list. */
export function bulletList(items: readonly (readonly RichTextElement[])[]): RichTextList[] {
  return items.length === 0
    ? []
    : [{type: 'rich_text_list', style: 'bullet', elements: items.map(richTextSection)}];
}

export function richText(elements: readonly RichTextBlockElement[]): RichTextBlock {
  return {type: 'rich_text', elements: [...elements]};
}

/** A block with one paragraph. `below`: elements below the paragraph in the same block. */
export function paragraph(
  elements: readonly RichTextElement[],
  below: readonly RichTextBlockElement[] = [],
): RichTextBlock {
  return richText([richTextSection(elements), ...below]);
}

export function section(text: string | MrkdwnElement, accessory?: Button): SectionBlock {
  const shown = typeof text === 'string' ? plainTextObject(cutText(text, slackLimits.section)) : text;
  return {type: 'section', text: shown, ...(accessory !== undefined && {accessory})};
}

export function header(text: string): HeaderBlock {
  return {type: 'header', text: plainTextObject(cutText(text, slackLimits.header))};
}

export function context(text: string | MrkdwnElement): ContextBlock {
  return {type: 'context', elements: [typeof text === 'string' ? plainTextObject(text) : text]};
}

export function actionsRow(...elements: ActionsBlock['elements']): ActionsBlock {
  return {type: 'actions', elements};
}

/** Returns a row of buttons; empty without buttons, since Slack refuses an empty row. */
export function actionsRowIfAny(elements: readonly ActionsBlock['elements'][number][]): ActionsBlock[] {
  return elements.length === 0 ? [] : [actionsRow(...elements)];
}

interface ButtonMore extends Pick<Button, 'style' | 'confirm'> {
  /** The suffix of the button's id: Slack requires unique ids within a block. */
  readonly part?: string | undefined;
  /** The text for screen readers, if several buttons have the same label. */
  readonly spoken?: string | undefined;
}

export function button(
  action: string,
  label: string,
  value?: string | object,
  {part, spoken, style, confirm}: ButtonMore = {},
): Button {
  return {
    type: 'button',
    action_id: part === undefined ? action : `${action}:${part}`,
    // The order of these properties must not change: posted messages are compared by their JSON.
    ...(style !== undefined && {style}),
    text: plainTextObject(cutText(label, slackLimits.buttonText)),
    ...(value !== undefined && {value: typeof value === 'string' ? value : packValue(value)}),
    ...(spoken !== undefined && {accessibility_label: cutText(spoken, slackLimits.buttonText)}),
    ...(confirm !== undefined && {confirm}),
  };
}

export function confirmation(
  {title, text, confirm, deny}: Readonly<Record<'title' | 'text' | 'confirm' | 'deny', string>>,
  style?: ConfirmationDialog['style'],
): ConfirmationDialog {
  return {
    title: plainTextObject(title),
    text: plainTextObject(cutText(text, slackLimits.confirmText)),
    confirm: plainTextObject(confirm),
    deny: plainTextObject(deny),
    ...(style !== undefined && {style}),
  };
}

export function option(given: string | object, label: string) {
  const value = typeof given === 'string' ? given : packValue(given);
  return {text: plainTextObject(cutText(label, slackLimits.option)), value} satisfies PlainTextOption;
}

export function overflow(action: string, options: PlainTextOption[]): Overflow {
  return {type: 'overflow', action_id: action, options};
}

/** A list in which a choice takes effect at once. */
export function select(action: string, placeholder: string, options: PlainTextOption[]): StaticSelect {
  return {type: 'static_select', action_id: action, placeholder: plainTextObject(placeholder), options};
}

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

/** A modal with one sentence in place of a form. */
export function sentenceModal(
  {title, close}: Pick<ModalFrame, 'title' | 'close'>,
  sentence: string,
): ModalView {
  return modal({title, close}, [section(sentence)]);
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

/** `chosen`: the index of the option that is chosen; another number for none. */
export function radioButtons(options: readonly PlainTextOption[], chosen: number): RadioButtons {
  const initial = options[chosen];
  return {
    type: 'radio_buttons',
    action_id: fieldValue,
    options: [...options],
    ...(initial !== undefined && {initial_option: initial}),
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

const risky = /[&<>]/g;

/** Packs the value of a button into text that stays the same whether or not Slack escapes it. */
export function packValue(value: object): string {
  return JSON.stringify(value).replaceAll(
    risky,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the parsed value of a button; empty if the value is not from this service. */
export function parseValue(value: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(value ?? '');
    return typeof parsed === 'object' && parsed !== null ? {...parsed} : {};
  } catch {
    return {};
  }
}

/** Packs a person's text for a button; empty if the text does not fit. */
export function packText(text: string): string {
  const packed = text === '' ? '' : packValue({text});
  return packed.length <= slackLimits.buttonValue ? packed : '';
}

export function readText(value: string): string {
  const {text} = parseValue(value);
  return typeof text === 'string' ? text : '';
}
