import {limits} from '../../domain/limits.js';
import {codePoints} from '../../domain/text.js';
import {slackLimits} from '../names.js';
import {composeUpdate, cutText, type FormText, splitText} from '../text.js';

/** What stands in the form's inputs: the three parts, or the text as it is, cut into as many as it takes. */
export type FormContent =
  | {readonly shape: 'parts'; readonly parts: FormText}
  | {readonly shape: 'whole'; readonly pieces: readonly string[]};

export const emptyParts: FormText = {yesterday: '', today: '', blockers: ''};

/** The inputs in which an update can be changed; `composeContent` makes the very same text of them. */
export function contentOf(update: string): FormContent {
  const parts = parseUpdate(update);
  const fits = parts && Object.values(parts).every(({length}) => length <= slackLimits.input);
  return fits ? {shape: 'parts', parts} : {shape: 'whole', pieces: splitText(update, slackLimits.input)};
}

export function composeContent(content: FormContent): string {
  return content.shape === 'parts' ? composeUpdate(content.parts) : content.pieces.join('');
}

/** The parts of an update that the form has made, or might have; undefined when composing them gives another text. */
function parseUpdate(update: string): FormText | undefined {
  const found = /^(?:Yesterday\n([^]*?)\n\n)?Today\n([^]*?)(?:\n\nBlockers\n([^]*))?$/.exec(update);
  if (found === null) return undefined;
  const [, yesterday = '', today = '', blockers = ''] = found;
  const parts = {yesterday, today, blockers};
  return today.trim() !== '' && composeUpdate(parts) === update ? parts : undefined;
}

/** The shortest piece of an added text that is worth having. */
const worthAdding = 20;

/** Adds a text under Today, or after a text without parts; `cut` when not all of it fits into one standup. */
export function appendTo(content: FormContent, text: string): {content: FormContent; cut: boolean} {
  const before = composeContent(content);
  // The heading and the line break count too.
  const room = limits.update - codePoints(before) - 'Today\n\n'.length;
  if (room < Math.min(worthAdding, text.length)) return {content, cut: true};
  const added = cutText(text, Math.min(room, slackLimits.input));
  const join = (first: string) => (first === '' ? added : `${first}\n${added}`);
  const whole =
    content.shape === 'parts'
      ? composeUpdate({...content.parts, today: join(content.parts.today)})
      : join(before);
  return {content: contentOf(whole), cut: added !== text};
}
