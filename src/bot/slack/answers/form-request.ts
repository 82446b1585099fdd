import {z} from 'zod';
import {isId, suffixOf, type Id} from '../../../domain/core/ids.js';
import type {Standup} from '../../../domain/standups/standup.js';
import {readNewer} from '../blocks/newer.js';
import {packValue} from '../blocks/shapes.js';
import {slackLimits} from '../blocks/names.js';
import {isCalendarDate} from '../../../domain/core/dates.js';

/** For each date, the joined id suffixes of its teams: so short that a whole list fits into a button. */
export const formDates = z.record(z.string().refine(isCalendarDate), z.string()).readonly();

export type FormDates = z.infer<typeof formDates>;

const standup = z.string().refine((id): boolean => isId('standup', id));
const revision = z.int();

/** True if the answer to the submitted form replaces the message with the button. */
const replaces = z.boolean().optional();

/** No `team`: the channel's, or all of the person's with one of the `dates`. No `dates`: current ones. */
const forTeam = {team: z.string().optional(), dates: formDates.optional(), replaces};

/** True if the text comes from a private conversation. */
const fromPrivate = z.literal(true).optional();

/**
 * The first content of a new form:
 * - `text`: a whole update.
 * - `addition`: a text added under Today.
 * - `typed`: a text or draft that the person typed to the bot.
 * - `deleted`: a deleted standup of the person, at a known revision.
 */
const beginning = readNewer(
  z.discriminatedUnion('with', [
    z.strictObject({with: z.literal('text'), text: z.string()}),
    z.strictObject({with: z.literal('addition'), text: z.string(), fromPrivate}),
    z.strictObject({with: z.literal('typed'), id: z.string()}),
    z.strictObject({with: z.literal('deleted'), standup, revision}),
  ]),
).readonly();

/**
 * The kinds of requests for a form:
 * - `auto`: edits today's standup, or opens a new form if there is none.
 * - `add`: as `auto`, with a text added. The text is empty if it did not fit into a button. Only a member of
 *   the channel's team can use this: no one joins a team by it.
 * - `new`: opens a new form.
 * - `edit`: edits a standup of the person, or their latest one of today.
 * - `edit-shown`: edits anyone's standup in a channel, at the revision shown there.
 */
const formRequest = readNewer(
  z.discriminatedUnion('mode', [
    z.strictObject({mode: z.literal('auto'), ...forTeam}),
    z.strictObject({mode: z.literal('add'), text: z.string(), fromPrivate, replaces}),
    z.strictObject({mode: z.literal('new'), ...forTeam, begins: beginning.optional()}),
    z.strictObject({mode: z.literal('edit'), standup: standup.optional(), replaces}),
    z.strictObject({mode: z.literal('edit-shown'), standup, revision, replaces}),
  ]),
).readonly();

export type FormRequest = z.infer<typeof formRequest>;

type NewRequest = Extract<FormRequest, {mode: 'new'}>;

/** Packs a request as the value of a button. A text that does not fit is left out. */
export function packRequest(request: FormRequest): string {
  if (requestFitsButton(request)) return packValue(request);
  if (request.mode === 'add') return packValue({...request, text: ''});
  return packValue({...request, begins: undefined});
}

export function requestFitsButton(request: FormRequest): boolean {
  return packValue(request).length <= slackLimits.buttonValue;
}

/** Parses a request from a button's value; undefined if the value is not from this service. */
export function parseRequest(value: Readonly<Record<string, unknown>>): FormRequest | undefined {
  return formRequest.safeParse(value).data;
}

/** Returns the whole first text of the form, which is lost if the form does not open. */
export function readInitialText(request: FormRequest): string | undefined {
  const begins = request.mode === 'new' ? request.begins : undefined;
  return begins?.with === 'text' ? begins.text : undefined;
}

export function readAddedText(request: FormRequest): string {
  if (request.mode === 'add') return request.text;
  return request.mode === 'new' && request.begins?.with === 'addition' ? request.begins.text : '';
}

export function isFromPrivate(request: FormRequest): boolean {
  if (request.mode === 'add') return request.fromPrivate === true;
  const begins = request.mode === 'new' ? request.begins : undefined;
  return begins?.with === 'addition' && begins.fromPrivate === true;
}

export function readTeamAndDates(request: FormRequest): Pick<NewRequest, 'team' | 'dates'> {
  return request.mode === 'auto' || request.mode === 'new' ? request : {};
}

/** Requests a new standup in place of a deleted one. `known`: the last revision that the person saw. */
export function makePostAgainRequest({id, team_id: team, date}: Standup, known: number): NewRequest {
  const begins = {with: 'deleted', standup: id, revision: known} as const;
  return {mode: 'new', team, dates: packDates([[team, date]]), begins};
}

export function packDates(dates: Iterable<readonly [team: Id<'team'>, date: string]>): FormDates {
  const packed: Record<string, string> = {};
  for (const [team, date] of [...dates].slice(0, slackLimits.options)) {
    const before = packed[date];
    packed[date] = before === undefined ? suffixOf(team) : `${before} ${suffixOf(team)}`;
  }
  return packed;
}

export function findTeamDate(dates: FormDates | undefined, team: Id<'team'>): string | undefined {
  const found = Object.entries(dates ?? {}).find(([, teams]) => teams.split(' ').includes(suffixOf(team)));
  return found?.[0];
}
