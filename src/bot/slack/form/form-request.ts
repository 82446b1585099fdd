import {z} from 'zod';
import {isId} from '../../../domain/core/ids.js';
import type {Standup} from '../../../domain/standups/standup.js';
import {packValue} from '../blocks/button-value.js';
import {slackLimits} from '../blocks/names.js';
import {formDates, packDates} from './form-dates.js';

const standup = z.string().refine((id): boolean => isId('standup', id));
const revision = z.int();

/** True when the answer to the saved form replaces the message with the button. */
const replaces = z.boolean().optional();

/**
 * `team`: its id; the channel's team, or the person's own, when left out. `dates`: the date by team; the
 * current one when left out. Without `team` it is for one of these.
 */
const forTeam = {team: z.string().optional(), dates: formDates.optional(), replaces};

/** True for a text from a private conversation. */
const fromPrivate = z.literal(true).optional();

/**
 * The initial content of a new form: a whole text; an addition under Today; a draft or text that its author
 * typed to the bot; or the content of their deleted standup, at a known revision.
 */
const beginning = z
  .discriminatedUnion('with', [
    z.strictObject({with: z.literal('text'), text: z.string()}),
    z.strictObject({with: z.literal('addition'), text: z.string(), fromPrivate}),
    z.strictObject({with: z.literal('typed'), id: z.string()}),
    z.strictObject({with: z.literal('deleted'), standup, revision}),
  ])
  .readonly();

/**
 * - `auto`: today's standup, for editing, or else a new form.
 * - `add`: the same, with a text added; it is empty when it did not fit into a button. The channel's team
 *   counts only for its members: this never joins a team.
 * - `edit`: a standup of the person's own; their latest of today when none is named.
 * - `edit-shown`: any author's standup in a channel, by the revision that is shown there.
 */
const formRequest = z
  .discriminatedUnion('mode', [
    z.strictObject({mode: z.literal('auto'), ...forTeam}),
    z.strictObject({mode: z.literal('add'), text: z.string(), fromPrivate, replaces}),
    z.strictObject({mode: z.literal('new'), ...forTeam, begins: beginning.optional()}),
    z.strictObject({mode: z.literal('edit'), standup: standup.optional(), replaces}),
    z.strictObject({mode: z.literal('edit-shown'), standup, revision, replaces}),
  ])
  .readonly();

/** The purpose of opening a form. */
export type FormRequest = z.infer<typeof formRequest>;

type NewRequest = Extract<FormRequest, {mode: 'new'}>;

/** Packs it as the value of a button; without the text if that does not fit. */
export function packRequest(request: FormRequest): string {
  if (fitsButton(request)) return packValue(request);
  if (request.mode === 'add') return packValue({...request, text: ''});
  return packValue({...request, begins: undefined});
}

/** True when all of it fits into a button. */
export function fitsButton(request: FormRequest): boolean {
  return packValue(request).length <= slackLimits.buttonValue;
}

/** The request in a button's value; undefined for one that is not ours. */
export function parseRequest(value: Readonly<Record<string, unknown>>): FormRequest | undefined {
  return formRequest.safeParse(value).data;
}

/** The whole initial text of the form: lost if it does not open. */
export function initialTextOf(request: FormRequest): string | undefined {
  const begins = request.mode === 'new' ? request.begins : undefined;
  return begins?.with === 'text' ? begins.text : undefined;
}

/** The text that is added to the form's content; empty for none. */
export function addedTextOf(request: FormRequest): string {
  if (request.mode === 'add') return request.text;
  return request.mode === 'new' && request.begins?.with === 'addition' ? request.begins.text : '';
}

/** True when that text is from a private conversation. */
export function isFromPrivate(request: FormRequest): boolean {
  if (request.mode === 'add') return request.fromPrivate === true;
  const begins = request.mode === 'new' ? request.begins : undefined;
  return begins?.with === 'addition' && begins.fromPrivate === true;
}

/** The team and the dates in the request, if any. */
export function teamAndDatesOf(request: FormRequest): Pick<NewRequest, 'team' | 'dates'> {
  return request.mode === 'auto' || request.mode === 'new' ? request : {};
}

/** A new standup in place of a deleted one, of which the person knew this revision. */
export function postAgain({id, team_id: team, date}: Standup, known: number): NewRequest {
  const begins = {with: 'deleted', standup: id, revision: known} as const;
  return {mode: 'new', team, dates: packDates([[team, date]]), begins};
}
