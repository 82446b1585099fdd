import {isId} from '../../../domain/core/ids.js';
import {packValue} from '../blocks/button-value.js';
import {slackLimits} from '../blocks/names.js';
import {type FormDates, parseDates} from './form-dates.js';

/** What a form is to be opened for. */
export interface FormWish {
  /**
   * `auto`: what has been posted today, for editing, or else an empty form. `edit` without `standup`: the
   * latest of today.
   */
  readonly mode: 'auto' | 'new' | 'edit';
  /** Id of the standup to edit. */
  readonly standup?: string | undefined;
  /** True where it may be of anybody whose standups the person may change. */
  readonly ofOthers?: boolean | undefined;
  /** Id of the team it is for; the channel's, or the only one the person is in, when left out. */
  readonly team?: string | undefined;
  /** True where the channel's team counts only for those who are in it: nobody joins a team by this. */
  readonly ownTeams?: boolean | undefined;
  /** Text to add under Today, after what is there. */
  readonly append?: string | undefined;
  /** The whole text of a new form, instead of its parts. */
  readonly text?: string | undefined;
  /** True when the answer to the saved form takes the place of the message with the button. */
  readonly replaces?: boolean | undefined;
  /** Id of the draft, or of the text, that its author has typed to the bot. */
  readonly typed?: string | undefined;
  /**
   * For which date it is, by team; that which it is there now when left out. Where no team is named it is
   * for one of these.
   */
  readonly dates?: FormDates | undefined;
  /**
   * A deleted standup of the person's own, and a revision that it had: the new form begins with what it
   * said last.
   */
  readonly deleted?: {readonly standup: string; readonly revision: number} | undefined;
}

/** As the value of a button; without the texts where they would not fit. */
export function packWish(wish: FormWish): string {
  if (fitsButton(wish)) return packValue(wish);
  const {append: _append, text: _text, ...rest} = wish;
  return packValue(rest);
}

/** Whether a button carries all of it. */
export function fitsButton(wish: FormWish): boolean {
  return packValue(wish).length <= slackLimits.buttonValue;
}

/** What a button's value wishes; `auto` for one that wishes nothing. */
export function parseWish(value: Readonly<Record<string, unknown>>): FormWish {
  const {mode, standup, ofOthers, team, ownTeams, append, text, replaces, typed, dates, deleted} = value;
  return {
    mode: mode === 'new' || mode === 'edit' ? mode : 'auto',
    standup: typeof standup === 'string' && isId('standup', standup) ? standup : undefined,
    ...(ofOthers === true && {ofOthers}),
    team: textOf(team),
    ownTeams: ownTeams === true,
    append: textOf(append),
    text: textOf(text),
    replaces: replaces === true,
    typed: textOf(typed),
    dates: parseDates(dates),
    deleted: parseDeleted(deleted),
  };
}

function textOf(given: unknown): string | undefined {
  return typeof given === 'string' ? given : undefined;
}

function parseDeleted(given: unknown): FormWish['deleted'] {
  if (typeof given !== 'object' || given === null) return undefined;
  const {standup, revision} = given as Record<string, unknown>;
  if (typeof standup !== 'string' || !isId('standup', standup)) return undefined;
  return typeof revision === 'number' && Number.isInteger(revision) ? {standup, revision} : undefined;
}
