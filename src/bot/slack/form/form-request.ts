import {z} from 'zod';
import {isId} from '../../../domain/core/ids.js';
import type {Standup} from '../../../domain/standups/standup.js';
import {packValue} from '../blocks/button-value.js';
import {slackLimits} from '../blocks/names.js';
import {formDates, packDates} from './form-dates.js';

const standup = z.string().refine((id): boolean => isId('standup', id));
const revision = z.int();

/** True when the answer to the saved form takes the place of the message with the button. */
const replaces = z.boolean().optional();

/**
 * `team`: its id; the channel's team, or those the person is in, when left out. `dates`: for which date it
 * is, by team; that which it is there now when left out. Where no team is named it is for one of these.
 */
const forTeam = {team: z.string().optional(), dates: formDates.optional(), replaces};

/** True of a text that was said in a private conversation. */
const fromPrivate = z.literal(true).optional();

/**
 * The beginning of a new form: a whole text instead of its parts; a text that is added under Today; the draft
 * or the text of this id, which its author has typed to the bot; or what a deleted standup of the person's
 * own said last, who knew it by this revision.
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
 * - `auto`: what has been posted today, for editing, or else a new form.
 * - `add`: the same, with a text added; it is empty where it did not fit into a button. The channel's team
 *   counts only for those who are in it: nobody joins a team by this.
 * - `edit`: a standup of the person's own; their latest of today when none is named.
 * - `edit-shown`: the standup of anybody, where everybody sees it, by the revision that is shown there.
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

/** The purpose that a form is to be opened for. */
export type FormRequest = z.infer<typeof formRequest>;

type NewRequest = Extract<FormRequest, {mode: 'new'}>;

/** As the value of a button; without the text where it would not fit. */
export function packRequest(request: FormRequest): string {
  if (fitsButton(request)) return packValue(request);
  if (request.mode === 'add') return packValue({...request, text: ''});
  return packValue({...request, begins: undefined});
}

/** Whether a button carries all of it. */
export function fitsButton(request: FormRequest): boolean {
  return packValue(request).length <= slackLimits.buttonValue;
}

/** The request of a button's value; undefined for one that is none of ours. */
export function parseRequest(value: Readonly<Record<string, unknown>>): FormRequest | undefined {
  return formRequest.safeParse(value).data;
}

/** The whole text that the form is to begin with: lost if it does not open. */
export function wholeTextOf(request: FormRequest): string | undefined {
  const begins = request.mode === 'new' ? request.begins : undefined;
  return begins?.with === 'text' ? begins.text : undefined;
}

/** The text that is to be added to what the form shows; empty for none. */
export function additionOf(request: FormRequest): string {
  if (request.mode === 'add') return request.text;
  return request.mode === 'new' && request.begins?.with === 'addition' ? request.begins.text : '';
}

/** Whether that text was said in a private conversation. */
export function isFromPrivate(request: FormRequest): boolean {
  if (request.mode === 'add') return request.fromPrivate === true;
  const begins = request.mode === 'new' ? request.begins : undefined;
  return begins?.with === 'addition' && begins.fromPrivate === true;
}

/** The team and the dates that it names, if it names any. */
export function forTeamOf(request: FormRequest): Pick<NewRequest, 'team' | 'dates'> {
  return request.mode === 'auto' || request.mode === 'new' ? request : {};
}

/** A new standup in the place of a deleted one, of which the person knew this revision. */
export function postAgain({id, team_id: team, date}: Standup, known: number): NewRequest {
  const begins = {with: 'deleted', standup: id, revision: known} as const;
  return {mode: 'new', team, dates: packDates([[team, date]]), begins};
}
