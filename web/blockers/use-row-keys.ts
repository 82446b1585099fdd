import {type RefObject, useEffect} from 'react';
import {areShortcutsOn, blocksShortcuts} from '../parts/keys.ts';
import {findNextRowIndex} from './next-index.ts';

/**
 * `j` and `k` move the focus between elements with `data-blocker`. Any other single key presses the focused
 * element's button that names the key in `aria-keyshortcuts`. People can turn these shortcuts off.
 */
export function useRowKeys(container: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function handleKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (!areShortcutsOn() || blocksShortcuts(event.target)) return;
      const rows = [...(container.current?.querySelectorAll<HTMLElement>('[data-blocker]') ?? [])];
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      const pressed =
        event.key === 'j' || event.key === 'k'
          ? rows[findNextRowIndex(event.key, at, rows.length)]
          : findButton(rows[at], event.key);
      if (pressed === undefined) return;
      event.preventDefault();
      if (pressed instanceof HTMLButtonElement) pressed.click();
      else pressed.focus();
    }
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [container]);
}

function findButton(row: HTMLElement | undefined, key: string): HTMLElement | undefined {
  const buttons = [...(row?.querySelectorAll<HTMLButtonElement>('button[aria-keyshortcuts]') ?? [])];
  return buttons.find((button) => button.getAttribute('aria-keyshortcuts') === key);
}
