import {z} from 'zod';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {type Id, isId} from '../../../domain/core/ids.js';
import {parseValue} from '../blocks/button-value.js';
import {fields, slackLimits} from '../blocks/names.js';
import {answerAddress} from '../door/answer-address.js';
import type {FormContent} from './form-content.js';
import {formDates} from './form-dates.js';

const team = z.custom<Id<'team'>>((given) => typeof given === 'string' && isId('team', given));

/**
 * `setUpIn`: the channel without a team in which it was opened, where one can be set up instead.
 * `fromPrivate`: a message of a private conversation is added in it.
 */
const everyForm = {
  answer: answerAddress.optional(),
  setUpIn: z.string().optional(),
  fromPrivate: z.literal(true).optional(),
};

/**
 * `dates`: for which date it is, by team; of others that is decided when it is handed in. `typed`: id of
 * what its author has typed to the bot, and this form posts.
 */
const newForm = {...everyForm, dates: formDates, typed: z.string().optional()};

/**
 * - `choose`: for one of several teams, of which none is picked yet.
 * - `new`: for one team, which was clear by itself, or is the channel's, which posting there joins, or was
 *   picked from the form's list.
 * - `edit`: of a standup and the revision that was read; if it is deleted meanwhile, one is made again for
 *   its date. `asWritten`: the inputs began with exactly what it says, so that untouched nothing has
 *   changed. `picks`: it was found among those of several teams, and a new one lets choose among them.
 *   `dates`: for which its New update is.
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

/** Each has a block of its own, and is looked for. */
const pieces = z.int().nonnegative().max(slackLimits.modalBlocks);

/**
 * How the text stands in the inputs: as three parts; whole, in so many pieces; or as answers to this
 * version of the team's questions, with what is said beside them.
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

/** The state of a form, as long as it is open. */
export type FormState = z.infer<typeof formState>;
export type ChooseForm = Extract<FormState, {form: 'choose'}>;
export type NewForm = Extract<FormState, {form: 'new'}>;
export type EditForm = Extract<FormState, {form: 'edit'}>;

/** As it comes back from Slack. */
export type OpenForm = z.infer<typeof openForm>;
type FormInputs = OpenForm['inputs'];

/** The part of a form that it carries as its `private_metadata`. */
export function packForm(state: FormState, content: FormContent): string {
  return JSON.stringify({...state, inputs: inputsOf(content)});
}

/** Undefined for metadata that is of no form of ours. */
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
 * The id of a field's block. It differs with the standup's revision: Slack keeps what was typed into a
 * block of the same id when a view is replaced, whatever the new one begins with. For the same reason what
 * differs from team to team has the one that is picked in its id; the three parts have not, so that nothing
 * is lost of what is typed while the team changes.
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
