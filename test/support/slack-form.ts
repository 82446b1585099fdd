import {emptyParts} from '../../src/bot/slack/form/form-content.js';
import {type FormState, packForm} from '../../src/bot/slack/form/form-state.js';
import {namesFromRequest} from '../../src/bot/slack/rich-text/names.js';
import {convertBlocksToPlainText} from '../../src/bot/slack/rich-text/to-plain-text.js';
import {de} from '../../src/bot/texts/compiled/de.js';
import {en} from '../../src/bot/texts/compiled/en.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import type {SlackCall} from './slack-failure-server.js';
import type {admin, SlackHarness} from './slack-harness.js';
import {until} from './until.js';

interface ViewBlock {
  readonly type: string;
  readonly block_id?: string;
  readonly optional?: boolean;
  readonly label?: {readonly text: string};
  readonly text?: {readonly text: string};
  readonly elements?: readonly {readonly action_id?: string; readonly value?: string}[];
  readonly element?: {
    readonly type: string;
    readonly initial_value?: unknown;
    readonly options?: {text: {text: string}; value: string}[];
  };
}

/** A Slack view as the bot opens it. */
export interface View {
  readonly callback_id?: string;
  readonly private_metadata: string;
  readonly title: {readonly text: string};
  readonly blocks: ViewBlock[];
  readonly submit?: unknown;
}

/** Builds the metadata of a form that has the three standard fields. */
export const buildFormMetadata = (state: FormState) => packForm(state, {shape: 'parts', parts: emptyParts});

export const viewOf = (call: {readonly body: Record<string, unknown>} | undefined) =>
  call?.body['view'] as View;

export const findBlock = (view: View, id: string) => view.blocks.find(({block_id}) => block_id === id);

/** Waits for the first `n` calls of a Slack method, and returns them. */
export const calls = (harness: Pick<SlackHarness, 'slack'>, method: string, n = 1): Promise<SlackCall[]> =>
  until(() => harness.slack.of(method).length >= n && harness.slack.of(method), {what: method});

/** Runs `/standup`, and returns the form that opens, with its content. */
export function openStandupForm(
  harness: Pick<SlackHarness, 'slack' | 'command' | 'trigger'>,
  options: {channel?: string; user?: typeof admin} = {},
): Promise<View> {
  return openFormAfter(harness, async () => {
    const reply = await harness.command('', {trigger: await harness.trigger(), ...options});
    if (reply.status !== 200 || reply.text !== '') throw new Error(`/standup was answered: ${reply.text}`);
  });
}

/** Presses a button that opens a form, and returns the form with its content. */
export function openFormByButton(harness: SlackHarness, value: object, channel?: string): Promise<View> {
  const button = {action_id: 'open-form', value: JSON.stringify(value)};
  const location = channel === undefined ? {} : {channel};
  return openFormAfter(harness, () => harness.action(button, {}, location));
}

/**
 * Waits for a form to open. On a busy machine the form may open as a loading view, which is filled a moment
 * later.
 */
async function openFormAfter(
  harness: Pick<SlackHarness, 'slack'>,
  act: () => Promise<unknown>,
): Promise<View> {
  const [opens, updates] = [harness.slack.of('views.open').length, harness.slack.of('views.update').length];
  await act();
  const view = viewOf((await calls(harness, 'views.open', opens + 1))[opens]);
  const shown = JSON.stringify(view.blocks);
  if (![en, de].some(({form}) => shown.includes(form.loading))) return view;
  return viewOf((await calls(harness, 'views.update', updates + 1))[updates]);
}

/** Returns the text that an input shows at first, as the service would store the text. */
export function readInitialText(element: {readonly initial_value?: unknown} | undefined): string {
  const {initial_value: initial} = element ?? {};
  return typeof initial === 'string'
    ? initial
    : convertBlocksToPlainText(initial ?? [], namesFromRequest(translationFor().texts));
}

/** Returns the initial texts of a view's inputs, by block id. */
export function initialTextsByBlock({blocks}: Pick<View, 'blocks'>): Record<string, string> {
  const inputs = blocks.filter(({element}) => /^(?:rich|plain)_text_input$/.test(element?.type ?? ''));
  return Object.fromEntries(inputs.map(({block_id, element}) => [block_id, readInitialText(element)]));
}

/** Returns the state of an input in which a person has typed a text without formatting. */
export function createTypedInputState(type: string | undefined, text: string): Record<string, unknown> {
  if (type !== 'rich_text_input') return {type, value: text === '' ? null : text};
  const elements = [{type: 'rich_text_section', elements: [{type: 'text', text}]}];
  return {type, ...(text !== '' && {rich_text_value: {type: 'rich_text', elements}})};
}

/**
 * Fills in a view with these values, and returns it as Slack sends it on submission. All other inputs keep
 * the values that they show.
 */
export function fillForm(view: View, id: string, values: Record<string, string> = {}, team?: string) {
  const texts = {...initialTextsByBlock(view), ...values};
  const state = Object.fromEntries(
    Object.entries(texts).map(([field, value]) => {
      const element = findBlock(view, field)?.element;
      const isShown = values[field] === undefined && typeof element?.initial_value === 'object';
      if (isShown) return [field, {value: {type: element.type, rich_text_value: element.initial_value}}];
      return [field, {value: createTypedInputState(element?.type ?? 'rich_text_input', value)}];
    }),
  );
  const picked =
    team === undefined
      ? {}
      : {team: {'choose-team': {type: 'static_select', selected_option: {value: team}}}};
  return {...view, id, state: {values: {...state, ...picked}}, hash: 'h'};
}
