import {type RefObject, useEffect, useState} from 'react';
import type {HeatMap, GridPosition} from './heat-map.ts';
import {describeCell} from './detail.tsx';
import {findGridPosition} from './use-grid-keys.ts';

/** Half of the tooltip's maximum width, in px. */
const room = 136;

interface OpenTip {
  readonly position: GridPosition;
  readonly x: number;
  readonly y: number;
}

/** A tooltip that explains a cell's mark. Screen readers read the same text as the cell's name. */
export function CellTip({box, map}: {readonly box: RefObject<HTMLElement | null>; readonly map: HeatMap}) {
  const [shown, setShown] = useState<OpenTip>();
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const show = (event: Event): void => {
      const {target} = event;
      const position = findGridPosition(target);
      const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
      if (position === undefined || cell === null || position.row === 0 || position.column === 0)
        setShown(undefined);
      else {
        const {left, width, top} = cell.getBoundingClientRect();
        const middle = left + width / 2;
        // Keeps the whole tooltip inside the window.
        setShown({position, x: Math.max(room, Math.min(innerWidth - room, middle)), y: top});
      }
    };
    const showFocus = (event: FocusEvent): void => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) show(event);
    };
    const hide = (): void => setShown(undefined);
    const hideByKey = ({key}: KeyboardEvent): void => {
      if (key === 'Escape') hide();
    };
    const ending = new AbortController();
    const {signal} = ending;
    element.addEventListener('pointerover', show, {signal});
    element.addEventListener('focusin', showFocus, {signal});
    for (const name of ['pointerleave', 'focusout', 'scroll']) element.addEventListener(name, hide, {signal});
    addEventListener('scroll', hide, {signal, passive: true});
    addEventListener('keydown', hideByKey, {signal});
    return () => ending.abort();
  }, [box]);
  const content = shown && describeCell(map, shown.position);
  if (shown === undefined || content === undefined) return null;
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none fixed -top-1.5 left-0 z-5 grid max-w-65 rounded-md bg-ink px-2.5 py-1.5 text-xs/4 text-page forced-colors:border forced-colors:bg-[Canvas] forced-colors:text-[CanvasText]"
      data-tip=""
      style={{transform: `translate(${shown.x}px, ${shown.y}px) translate(-50%, -100%)`}}
    >
      {content.day}
      <b>{content.name}</b>
      {content.what}
    </span>
  );
}
