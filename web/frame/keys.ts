import {areShortcutsOn, blocksShortcuts} from '../parts/keys.ts';

/** Maximum pause between the two keys of a shortcut, in ms. */
const longestPause = 1_500;

let first: {readonly key: string; readonly at: number} | undefined;

/** Listens for shortcuts. `keys` maps `n`, `?` or the sequence `g t` to actions. ⌘K opens the palette. */
export function listenToKeys(keys: ReadonlyMap<string, () => void>, openPalette: () => void): () => void {
  const listener = (event: KeyboardEvent): void => {
    if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      openPalette();
      return;
    }
    const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey && !event.repeat;
    if (!isPlain || event.defaultPrevented || !areShortcutsOn() || blocksShortcuts(event.target)) return;
    const before = first !== undefined && event.timeStamp - first.at < longestPause ? `${first.key} ` : '';
    const act = keys.get(`${before}${event.key}`) ?? keys.get(event.key);
    first = {key: event.key, at: event.timeStamp};
    if (act === undefined) return;
    first = undefined;
    event.preventDefault();
    act();
  };
  document.addEventListener('keydown', listener);
  return () => document.removeEventListener('keydown', listener);
}
