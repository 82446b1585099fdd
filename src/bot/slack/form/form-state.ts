import {z} from 'zod';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {type Id, isId} from '../../../domain/core/ids.js';
import {parseValue} from '../blocks/button-value.js';
import {fields, slackLimits} from '../blocks/names.js';
import {answerAddress} from '../core/answer-address.js';
import type {FormContent} from './form-content.js';
import {formDates} from './form-dates.js';

const team = z.custom<Id<'team'>>((given) => typeof given === 'string' && isId('team', given));

/**
 * `setUpIn`: the channel without a team in which it was opened, where one can be set up instead.
 * `fromPrivate`: true when it adds a message of a private conversation.
 */
const everyForm = {
  answer: answerAddress.optional(),
  setUpIn: z.string().optional(),
  fromPrivate: z.literal(true).optional(),
};

/**
 * `dates`: the date by team; for other teams it is determined on submission. `typed`: id of a text that its
 * author has typed to the bot, and that this form posts.
 */
const newForm = {...everyForm, dates: formDates, typed: z.string().optional()};

/**
 * - `choose`: for one of several teams, of which none is picked yet.
 * - `new`: for one team, which was clear by itself, or is the channel's, which posting there joins, or was
 *   picked from the form's list.
 * - `edit`: of a standup and the revision that was read; if it is deleted meanwhile, a new one is created for
 *   its date. `asWritten`: the inputs began with exactly its text, so that untouched inputs change nothing.
 *   `picks`: it was found among those of several teams, and a new one offers a choice among them. `dates`:
 *   the dates of its New update.
 */
const formState = z
  .discriminatedUnion('form', [
    z.strictObject({form: z.literal('choose'), ...newForm}),
    z.strictObject({form: z.literal('new'), team, by: z.enum(['itself', 'channel', 'list']), ...newForm}),
    z.strictObject({
      form: z.literal('edit'),
      team,
      standup: z.custom<Id<'standup'>>((given) => typeof given === 'string' && isId('standup', given)),
      revision: z.int(),
      date: z.string().refine(isCalendarDate),
      asWritten: z.boolean(),
      picks: z.boolean(),
      dates: formDates.optional(),
      ...everyForm,
    }),
  ])
  .readonly();

/** Each has a block of its own, which is searched for. */
const pieces = z.int().nonnegative().max(slackLimits.modalBlocks);

/**
 * The shape of the inputs: three parts; the whole text, in this number of pieces; or answers to this version
 * of the team's questions, with the further text.
 */
const formInputs = z
  .discriminatedUnion('shape', [
    z.strictObject({shape: z.literal('parts')}),
    z.strictObject({shape: z.literal('whole'), pieces}),
    z.strictObject({
      shape: z.literal('questions'),
      version: z.int(),
      beside: z.enum(['after', 'apart']),
      pieces,
    }),
  ])
  .readonly();

const openForm = z.strictObject({state: formState, inputs: formInputs}).readonly();

export type FormState = z.infer<typeof formState>;
export type ChooseForm = Extract<FormState, {form: 'choose'}>;
export type NewForm = Extract<FormState, {form: 'new'}>;
export type EditForm = Extract<FormState, {form: 'edit'}>;

/** The state as Slack returns it. */
export type OpenForm = z.infer<typeof openForm>;
type FormInputs = OpenForm['inputs'];

/** Packs the part of a form that it carries as its `private_metadata`. */
export function packForm(state: FormState, content: FormContent): string {
  return JSON.stringify({...state, inputs: inputsOf(content)});
}

/** Undefined for metadata that is not of a form of ours. */
export function parseForm(metadata: string): OpenForm | undefined {
  const {inputs, ...state} = parseValue(metadata);
  return openForm.safeParse({state, inputs}).data;
}

function inputsOf(content: FormContent): FormInputs {
  switch (content.shape) {
    case 'parts':
      return {shape: 'parts'};
    case 'whole':
      return {shape: 'whole', pieces: content.pieces.length};
    case 'questions': {
      const {version, beside} = content;
      return {shape: 'questions', version, beside, pieces: content.pieces.length};
    }
  }
}

/**
 * The id of a field's block. It differs with the standup's revision: Slack keeps what was typed into a block
 * of the same id when a view is replaced, whatever the new one begins with. For the same reason the ids of
 * fields that differ by team contain the picked team; those of the three parts do not, so that nothing typed
 * is lost when the team changes.
 */
export function blockId(field: string, state: FormState): string {
  if (state.form === 'edit') return `${field}.${state.revision}`;
  const isPicked = state.form === 'new' && state.by === 'list';
  return isPicked && !ofEveryTeam.has(field) ? `${field}.${state.team}` : field;
}

const ofEveryTeam: ReadonlySet<string> = new Set([
  fields.team,
  fields.yesterday,
  fields.today,
  fields.blockers,
]);
