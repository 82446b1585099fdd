import {useNavigate} from '@tanstack/react-router';
import type {FocusEvent, KeyboardEvent, MouseEvent, RefObject} from 'react';
import {type Column, findNextGridCell, type GridPosition} from './heat-map.ts';

/** Keyboard navigation in a chart's grid. A focused or pressed cell becomes the selected cell. */
export function useGridKeys({
  box,
  active,
  last,
  team,
  columns,
  onPick,
}: {
  readonly box: RefObject<HTMLElement | null>;
  readonly active: GridPosition;
  readonly last: GridPosition;
  readonly team: string;
  readonly columns: readonly Column[];
  readonly onPick: (position: GridPosition) => void;
}) {
  const navigate = useNavigate();
  return {
    onFocus: (event: FocusEvent) => {
      const position = findGridPosition(event.target);
      if (position !== undefined) onPick(position);
    },
    onClick: (event: MouseEvent) => {
      const position = findGridPosition(event.target);
      // Safari does not focus a pressed cell.
      if (position !== undefined) onPick(position);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.altKey || event.metaKey || event.shiftKey) return;
      const date = columns[active.column - 1]?.date;
      if (event.key === 'Enter' && active.row > 0 && date !== undefined) {
        void navigate({to: '/t/$team/runs/$date', params: {team, date}});
        return;
      }
      const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
      const to = findNextGridCell(active, event, last, isRightToLeft);
      if (to === undefined) return;
      event.preventDefault();
      box.current?.querySelector<HTMLElement>(`[data-position="${to.row}/${to.column}"]`)?.focus();
    },
  };
}

export function findGridPosition(target: EventTarget | null): GridPosition | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-position]') : null;
  const [row, column] = (cell?.dataset['position'] ?? '').split('/').map(Number);
  return row === undefined || column === undefined ? undefined : {row, column};
}
