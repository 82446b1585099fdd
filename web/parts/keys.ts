import {removeItem, storeItem, readItem} from '../api/storage.ts';

// Single-key shortcuts, as in GitHub and Linear. They can be turned off, for people who use speech input.
const kept = 'standup:keys';

export function areShortcutsOn(): boolean {
  return readItem(kept) !== 'off';
}

export function setShortcutsOn(on: boolean): void {
  if (on) removeItem(kept);
  else storeItem(kept, 'off');
}

/** True for an element in a field, an open dialog or a menu, where single-key shortcuts must do nothing. */
export function blocksShortcuts(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const own = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], dialog';
  return target.closest(own) !== null;
}

/**
 * True for a key press that an input method handles, such as Enter to choose a word in Japanese. Safari ends
 * the composition before it reports the key, so only `keyCode` 229 tells
 * (https://bugs.webkit.org/show_bug.cgi?id=165004).
 */
export function isInputMethodKey({isComposing, keyCode}: globalThis.KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
