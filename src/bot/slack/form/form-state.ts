import {z} from 'zod';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {type Id, isId} from '../../../domain/core/ids.js';
import {readNewer} from '../blocks/newer.js';
import {parseValue} from '../blocks/shapes.js';
import {fields, slackLimits} from '../blocks/names.js';
import {answerAddress} from '../core/read-request.js';
import type {FormContent} from './form-content.js';
import {formDates} from '../answers/form-request.js';

const team = z.custom<Id<'team'>>((given) => typeof given === 'string' && isId('team', given));

/** `setUpIn`: a channel without a team. `fromPrivate`: the added message is of a private conversation. */
const everyForm = {
  answer: answerAddress.optional(),
  setUpIn: z.string().optional(),
  fromPrivate: z.literal(true).optional(),
};

/** `dates`: for each team, except those picked later. `typed`: the id of the typed text that it posts. */
const newForm = {...everyForm, dates: formDates, typed: z.string().optional()};

/**
 * The state of an open form:
 * - `choose`: the person has to pick one of several teams.
 * - `new`: for one team, which was clear by itself, is the channel's team (posting there joins it), or was
 *   picked from the list. `drafted`: a prepared draft was inserted. `outside`: the person was not in the team.
 * - `edit`: edits a standup at this revision. If the standup is deleted meanwhile, a new one is created for
 *   its date. `asWritten`: the inputs began with exactly the standup's text, so untouched inputs change
 *   nothing. `picks`: a new update offers a choice of teams. `dates`: the dates of a new update.
 */
const formState = readNewer(
  z.discriminatedUnion('form', [
    z.strictObject({form: z.literal('choose'), ...newForm}),
    z.strictObject({
      form: z.literal('new'),
      team,
      by: z.enum(['itself', 'channel', 'list']),
      drafted: z.literal(true).optional(),
      outside: z.literal(true).optional(),
      ...newForm,
    }),
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
  ]),
).readonly();

/** The number of pieces of a text; each piece has a block of its own. */
const pieces = z.int().nonnegative().max(slackLimits.modalBlocks);

/** The notation of the texts; left out for Slack's own. */
const format = z.literal('markdown').optional();

/** The kind of inputs: the three parts, the whole text, or answers to one version of the questions. */
const formInputs = readNewer(
  z.discriminatedUnion('shape', [
    z.strictObject({shape: z.literal('parts'), format}),
    z.strictObject({shape: z.literal('whole'), pieces, format}),
    z.strictObject({
      shape: z.literal('questions'),
      format,
      version: z.int(),
      beside: z.enum(['after', 'apart']),
      pieces,
    }),
  ]),
).readonly();

const openForm = z.strictObject({state: formState, inputs: formInputs}).readonly();

export type FormState = z.infer<typeof formState>;
export type ChooseForm = Extract<FormState, {form: 'choose'}>;
export type NewForm = Extract<FormState, {form: 'new'}>;
export type EditForm = Extract<FormState, {form: 'edit'}>;

export type OpenForm = z.infer<typeof openForm>;
type FormInputs = OpenForm['inputs'];

export function packForm(state: FormState, content: FormContent): string {
  return JSON.stringify({...state, inputs: describeInputs(content)});
}

/** Parses the metadata of a form; undefined if the metadata is not from a form of this service. */
export function parseForm(metadata: string): OpenForm | undefined {
  const {inputs, ...state} = parseValue(metadata);
  return openForm.safeParse({state, inputs}).data;
}

function describeInputs(content: FormContent): FormInputs {
  const format = content.format === undefined ? {} : {format: content.format};
  switch (content.shape) {
    case 'parts':
      return {shape: 'parts', ...format};
    case 'whole':
      return {shape: 'whole', pieces: content.pieces.length, ...format};
    case 'questions': {
      const {version, beside} = content;
      return {shape: 'questions', version, beside, pieces: content.pieces.length, ...format};
    }
  }
}

/**
 * Returns the id of a field's block. Slack keeps typed text in a block of the same id when a view is
 * replaced: the text of the three parts stays for all teams, but not for another revision. Inputs with an
 * inserted draft are new ones, with the typed text before it.
 */
export function buildFieldBlockId(field: string, state: FormState): string {
  if (state.form === 'edit') return `${field}.${state.revision}`;
  if (state.form !== 'new') return field;
  const team = state.by === 'list' && !ofEveryTeam.has(field) ? `.${state.team}` : '';
  const drafted = state.drafted === true && !withoutDraft.has(field) ? '.drafted' : '';
  return `${field}${team}${drafted}`;
}

/** Fields to which a draft adds nothing, so that Slack keeps what was chosen in them. */
const withoutDraft: ReadonlySet<string> = new Set([fields.team, fields.also, fields.resolved]);

const ofEveryTeam: ReadonlySet<string> = new Set([
  fields.team,
  fields.yesterday,
  fields.today,
  fields.blockers,
]);
