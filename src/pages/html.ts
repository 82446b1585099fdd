import {escapeHtml} from '../domain/core/escape-html.js';

/** HTML that is safe to show: its texts have been escaped. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | readonly Html[];

/** Composes HTML. Each text that is put in is escaped; only HTML made by this function is put in as it is. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {html: fixed.reduce((all, text, i) => all + write(parts[i - 1] ?? '') + text)};
}

function write(part: Part): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeHtml(part);
  return 'html' in part ? part.html : part.map((one) => one.html).join('');
}
