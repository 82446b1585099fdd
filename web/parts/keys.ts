import {forget, keep, readKept} from '../api/storage.ts';

// Single keys, as GitHub and Linear have them. They can be switched off, for those who speak to their
// computer.
const kept = 'standup:keys';

export function areKeysOn(): boolean {
  return readKept(kept) !== 'off';
}

export function switchKeys(on: boolean): void {
  if (on) forget(kept);
  else keep(kept, 'off');
}

/** In a field, or where something that is open has the keys. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const own = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], dialog';
  return target.closest(own) !== null;
}

/**
 * A key that belongs to an input method, such as the Enter that chooses a word in Japanese. Safari ends the composition first, so there only
 * `keyCode` 229 tells (https://bugs.webkit.org/show_bug.cgi?id=165004).
 */
export function isOfInputMethod({isComposing, keyCode}: globalThis.KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
