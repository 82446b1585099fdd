import {type RefObject, useLayoutEffect} from 'react';
import {areShortcutsOn, blocksShortcuts} from '../parts/keys.ts';

interface EventKeys {
  /** Shows the event with this id in the inspector, if the inspector is open. */
  readonly onMove: (id: string) => void;
  readonly onClose: () => void;
  readonly isOpen: boolean;
}

/**
 * `j` and `k` move the focus between elements with `data-event`, and the inspector follows. Enter opens the
 * inspector, as on every link, and Escape closes it. People can turn single keys off.
 */
export function useEventKeys(
  container: RefObject<HTMLElement | null>,
  {onMove, onClose, isOpen}: EventKeys,
): void {
  // Replaces the listener before the browser paints, so that no key is handled with the previous state.
  useLayoutEffect(() => {
    function handleKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (blocksShortcuts(event.target)) return;
      const rows = [...(container.current?.querySelectorAll<HTMLElement>('[data-event]') ?? [])];
      const isInList = rows.some((row) => row === document.activeElement);
      if (event.key === 'Escape' && isOpen) {
        rows.find((row) => isChosen(row))?.focus();
        return onClose();
      }
      if (!areShortcutsOn() || (event.key !== 'j' && event.key !== 'k')) return;
      const at = rows.findIndex((row) =>
        isOpen && !isInList ? isChosen(row) : row === document.activeElement,
      );
      const row = rows[event.key === 'j' ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)];
      const id = row?.dataset['event'];
      if (row === undefined || id === undefined) return;
      event.preventDefault();
      row.focus();
      if (isOpen) onMove(id);
    }
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  });
}

function isChosen(row: HTMLElement): boolean {
  return row.dataset['chosen'] !== undefined;
}
