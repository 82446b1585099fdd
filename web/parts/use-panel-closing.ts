import {type RefObject, useEffect, useEffectEvent} from 'react';

/** Closes a panel on a press or focus outside, and on Escape, which also focuses the first button. */
export function usePanelClosing(
  container: RefObject<HTMLElement | null>,
  isOpen: boolean,
  close: () => void,
): void {
  const onClose = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return undefined;
    const ending = new AbortController();
    const {signal} = ending;
    const closeOutside = ({target}: Event): void => {
      if (!(target instanceof Node) || !container.current?.contains(target)) onClose();
    };
    const closeByKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onClose();
      container.current?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', closeOutside, {signal});
    document.addEventListener('focusin', closeOutside, {signal});
    document.addEventListener('keydown', closeByKey, {signal, capture: true});
    return () => ending.abort();
  }, [container, isOpen]);
}
