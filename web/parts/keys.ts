import {removeItem, storeItem, readItem} from '../api/storage.ts';

// Single-key shortcuts, as in GitHub and Linear. They can be turned off, for people who use speech input.
const kept = 'standup:keys';

export function areKeysOn(): boolean {
  return readItem(kept) !== 'off';
}

export function switchKeys(on: boolean): void {
  if (on) removeItem(kept);
  else storeItem(kept, 'off');
}

/** True in a field, or inside an open dialog or menu. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const own = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], dialog';
  return target.closest(own) !== null;
}

/**
 * A key handled by an input method, such as the Enter that chooses a word in Japanese. Safari ends the
 * composition first, so there only `keyCode` 229 shows it (https://bugs.webkit.org/show_bug.cgi?id=165004).
 */
export function isOfInputMethod({isComposing, keyCode}: globalThis.KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
