import type {Edit, Typed} from './edits.ts';

export function readTyped({value, selectionStart, selectionEnd}: HTMLTextAreaElement): Typed {
  return {text: value, from: selectionStart, to: selectionEnd};
}

/**
 * Changes the text of a field as if it was typed. Only this command keeps what the browser can undo: a value
 * that is set, or `setRangeText`, would end it.
 */
export function applyEdit(area: HTMLTextAreaElement, {from, to, insert, select}: Edit): void {
  area.setSelectionRange(from, to);
  const isTyped =
    insert === ''
      ? from === to || document.execCommand('delete')
      : document.execCommand('insertText', false, insert);
  if (!isTyped) {
    area.setRangeText(insert, from, to);
    area.dispatchEvent(new Event('input', {bubbles: true}));
  }
  area.setSelectionRange(...select);
}
