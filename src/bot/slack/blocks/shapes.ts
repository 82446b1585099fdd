// The elements of Block Kit, except those of forms (inputs.ts). Texts are cut here, since Slack refuses texts
// that are too long.
import type {
  ActionsBlock,
  Button,
  ConfirmationDialog,
  ContextBlock,
  HeaderBlock,
  MrkdwnElement,
  Overflow,
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
} from '@slack/types';
import {slackLimits} from './names.js';
import {cutText} from '../../texts/cut-text.js';

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
  value?: string,
  {part, spoken, style, confirm}: ButtonMore = {},
): Button {
  return {
    type: 'button',
    action_id: part === undefined ? action : `${action}:${part}`,
    // The order of these properties must not change: posted messages are compared by their JSON.
    ...(style !== undefined && {style}),
    text: plainTextObject(cutText(label, slackLimits.buttonText)),
    ...(value !== undefined && {value}),
    ...(spoken !== undefined && {accessibility_label: cutText(spoken, slackLimits.buttonText)}),
    ...(confirm !== undefined && {confirm}),
  };
}

/** The question that a button asks before its action. */
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

export function option(value: string, label: string) {
  return {text: plainTextObject(cutText(label, slackLimits.option)), value} satisfies PlainTextOption;
}

/** An overflow menu (three dots). */
export function overflow(action: string, options: PlainTextOption[]): Overflow {
  return {type: 'overflow', action_id: action, options};
}

/** A list in which a choice takes effect at once. */
export function select(action: string, placeholder: string, options: PlainTextOption[]): StaticSelect {
  return {type: 'static_select', action_id: action, placeholder: plainTextObject(placeholder), options};
}
