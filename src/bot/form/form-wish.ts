import {isId} from '../../domain/ids.js';
import {slackLimits} from '../names.js';

/** What a form is to be opened for. */
export interface FormWish {
  /** `auto`: what has been posted today, for editing, or else an empty form. `edit` without `standup`: the latest of today. */
  readonly mode: 'auto' | 'new' | 'edit';
  /** Id of the standup to edit. */
  readonly standup?: string | undefined;
  /** Id of the team it is for; the channel's, or the only one the person is in, when left out. */
  readonly team?: string | undefined;
  /** Text to add under Today, after what is there. */
  readonly append?: string | undefined;
  /** The whole text of a new form, instead of its parts. */
  readonly text?: string | undefined;
  /** A deleted standup of the person's own, and a revision that it had: the new form begins with what it said last. */
  readonly deleted?: {readonly standup: string; readonly revision: number} | undefined;
}

/** As the value of a button; without the texts where they would not fit. */
export function packWish(wish: FormWish): string {
  const packed = JSON.stringify(wish);
  if (packed.length <= slackLimits.buttonValue) return packed;
  const {append: _append, text: _text, ...rest} = wish;
  return JSON.stringify(rest);
}

/** What a button's value wishes; `auto` for one without. */
export function parseWish(value: string | undefined): FormWish {
  try {
    const wish = JSON.parse(value ?? '') as FormWish;
    return isWish(wish) ? wish : {mode: 'auto'};
  } catch {
    return {mode: 'auto'};
  }
}

function isWish({mode, standup, deleted, team, append, text}: FormWish): boolean {
  const isText = (given: unknown) => given === undefined || typeof given === 'string';
  const isStandup = (given: string | undefined) => given === undefined || isId('standup', given);
  return (
    ['auto', 'new', 'edit'].includes(mode) &&
    [team, append, text].every(isText) &&
    isStandup(standup) &&
    (deleted === undefined || (isId('standup', deleted.standup) && Number.isInteger(deleted.revision)))
  );
}
