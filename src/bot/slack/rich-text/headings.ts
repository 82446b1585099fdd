import {formHeadings} from '../blocks/text.js';
import type {ParsedText} from './parse-text.js';

/**
 * Shows a standup's headings in bold: lines that equal a label, at the beginning or after an empty line, with
 * text below. Not for forms, in which the marks would become text.
 */
export function makeHeadingsBold(parsed: ParsedText, labels: readonly string[] = []): ParsedText {
  const {text, runs} = parsed;
  const all = new Set([...formHeadings, ...labels]);
  const isHeading = (from: number, to: number) =>
    (from === 0 || text.slice(from - 2, from) === '\n\n') &&
    text[to] === '\n' &&
    all.has(text.slice(from, to));
  return {
    text,
    runs: runs.map((run) => {
      const {from, to, block, element} = run;
      if (block.in !== 'section' || element?.type !== 'text' || !isHeading(from, to)) return run;
      return {...run, element: {...element, style: {...element.style, bold: true}}};
    }),
  };
}
