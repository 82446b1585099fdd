import {Link} from '@tanstack/react-router';
import {memo} from 'react';
import {Icon} from '../parts/icon.tsx';
import {findStatusColour} from '../parts/status-colour.ts';
import {findStatusIcon, findStatusName} from '../parts/status-mark.tsx';
import {texts} from '../texts/texts.ts';
import type {Column, Day, HeatMapRow} from './heat-map.ts';

/** The columns of each part of the chart: the names, then the days. */
export const columnsClass = 'grid grid-cols-[var(--name)_repeat(var(--days),minmax(var(--least),1fr))]';

interface ChartRowProps {
  readonly row: HeatMapRow;
  readonly columns: readonly Column[];
  /** Number of the row, from 1; row 0 holds the dates. */
  readonly index: number;
  readonly isMe: boolean;
  /** Column of the cell in the Tab order, if that cell is in this row. */
  readonly active: number | undefined;
}

/** The row is memoized, since a chart may have 200 rows of 65 days each. */
export const ChartRow = memo(function ChartRow({row, columns, index, isMe, active}: ChartRowProps) {
  const {id, name, days} = row;
  return (
    <div
      aria-rowindex={index + 1}
      className={`h-row [contain-intrinsic-block-size:var(--spacing-row)] [content-visibility:auto] ${columnsClass}`}
      role="row"
    >
      <span
        aria-colindex={1}
        className="sticky start-0 z-1 flex min-w-0 items-center gap-1.5 bg-card ps-4 pe-2 whitespace-nowrap max-sm:ps-2.5"
        role="rowheader"
        title={name ?? undefined}
      >
        <Link
          className="truncate leading-7 text-ink no-underline hover:underline focus-visible:-outline-offset-2"
          data-position={`${index}/0`}
          dir="auto"
          params={{member: id}}
          tabIndex={active === 0 ? 0 : -1}
          to="/people/$member"
        >
          {name ?? texts.insights.map.gone}
        </Link>
        {isMe && <span className="flex-none text-quiet max-sm:hidden">({texts.parts.you})</span>}
      </span>
      {columns.map(({date}, i) => (
        <Cell
          day={days.get(date)}
          isActive={active === i + 1}
          key={date}
          position={`${index}/${i + 1}`}
          column={i + 2}
        />
      ))}
    </div>
  );
});

function Cell({
  day,
  position,
  column,
  isActive,
}: {
  readonly day: Day | undefined;
  readonly position: string;
  readonly column: number;
  readonly isActive: boolean;
}) {
  return (
    <span
      aria-colindex={column}
      aria-label={describeDay(day)}
      className={`relative m-px grid place-items-center rounded-md hover:shadow-[inset_0_0_0_2px_currentcolor] focus-visible:-outline-offset-2 data-status:bg-[color-mix(in_srgb,var(--color-card),currentcolor_13%)] forced-colors:data-status:border ${isActive ? 'in-data-picked:shadow-[inset_0_0_0_2px_currentcolor]' : ''}`}
      data-position={position}
      data-status={day?.status}
      role="gridcell"
      style={{color: findStatusColour(day?.status ?? '')}}
      tabIndex={isActive ? 0 : -1}
    >
      {day !== undefined && <Icon name={findStatusIcon(day.status)} size={16} />}
    </span>
  );
}

/** Describes a member's day, such as `Away (At sea)`. */
export function describeDay(day: Day | undefined): string {
  const say = texts.insights.map;
  if (day === undefined) return say.none;
  const status = findStatusName(day.status);
  return day.reason === null ? status : say.because({status, reason: day.reason});
}
