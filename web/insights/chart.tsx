import {Link} from '@tanstack/react-router';
import {type CSSProperties, startTransition, useDeferredValue, useEffect, useRef, useState} from 'react';
import {computeTrendLine, levelLines, toSvgPath} from '../parts/charts/paths.ts';
import {Hidden} from '../parts/hidden.tsx';
import {formatDay, formatNumber} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {CellTip} from './cell-tip.tsx';
import {ChartRow, columnsClass} from './chart-row.tsx';
import {formatDateFields} from '../parts/days.ts';
import {CellDetail} from './detail.tsx';
import type {Column, GridPosition, HeatMap, HeatMapRow} from './heat-map.ts';
import {useGridKeys} from './use-grid-keys.ts';

/** The number of people that one step of the rendering adds. */
const rowsAtOnce = 10;

/** The attendance chart of people and days, with the participation above: one grid, one Tab stop. */
export function Chart({map, team, me}: {readonly map: HeatMap; readonly team: string; readonly me: string}) {
  const box = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState<GridPosition>();
  const {columns, rows} = useDeferredValue(map);
  const last = {row: map.rows.length, column: columns.length};
  const active = picked === undefined ? {row: 1, column: last.column} : clampPosition(picked, last);
  const keys = useGridKeys({box, active, last, team, columns, onPick: setPicked});
  const say = texts.insights.map;
  // Scrolls the chart to the latest days.
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const isRightToLeft = getComputedStyle(element).direction === 'rtl';
    element.scrollTo({left: (isRightToLeft ? -1 : 1) * element.scrollWidth});
  }, []);
  return (
    <div className="grid min-w-0 gap-3">
      <div
        className="max-h-[min(80vh,880px)] scroll-ps-[calc(var(--name)+8px)] scroll-pt-16 overflow-auto rounded-lg border border-line bg-card [--least:28px] [--most:56px] [--name:184px] max-sm:[--name:116px] pointer-coarse:[--least:44px]"
        ref={box}
        style={{'--days': columns.length} as CSSProperties}
      >
        <div
          aria-colcount={last.column + 1}
          aria-label={say.label}
          aria-rowcount={last.row + 1}
          className="max-w-[calc(var(--name)+var(--days)*var(--most))] min-w-[calc(var(--name)+var(--days)*var(--least))]"
          data-picked={picked === undefined ? undefined : true}
          role="grid"
          {...keys}
        >
          <TrendLine columns={columns} team={team} />
          <div className="relative" role="rowgroup">
            <HolidayBands columns={columns} />
            <div
              aria-rowindex={1}
              className={`sticky top-0 z-2 border-b border-line bg-card ${columnsClass}`}
              role="row"
            >
              <span
                className="sticky start-0 z-1 flex items-end bg-card px-4 py-2 text-xs/5 text-quiet"
                role="columnheader"
              >
                {say.person}
              </span>
              {columns.map((column, i) => (
                <DateHead
                  column={column}
                  index={i + 1}
                  isActive={active.row === 0 && active.column === i + 1}
                  key={column.date}
                  team={team}
                />
              ))}
            </div>
            <ChartRows active={active} columns={columns} me={me} rows={rows} />
          </div>
        </div>
        <CellTip box={box} map={map} />
      </div>
      <CellDetail map={map} position={picked} team={team} />
    </div>
  );
}

/** Renders the first rows at once and the others in steps, so that no step blocks the page for long. */
function ChartRows({
  rows,
  columns,
  active,
  me,
}: {
  readonly rows: readonly HeatMapRow[];
  readonly columns: readonly Column[];
  readonly active: GridPosition;
  readonly me: string;
}) {
  const [shown, setShown] = useState(rowsAtOnce);
  useEffect(() => {
    if (shown < rows.length) startTransition(() => setShown(shown + rowsAtOnce));
  }, [shown, rows.length]);
  return rows
    .slice(0, shown)
    .map((row, i) => (
      <ChartRow
        active={active.row === i + 1 ? active.column : undefined}
        columns={columns}
        index={i + 1}
        isMe={row.id === me}
        key={row.id}
        row={row}
      />
    ));
}

const dotClass =
  'before:box-content before:size-[9px] before:rounded-full before:border-2 before:border-card before:bg-accent hover:before:scale-140 forced-colors:before:border forced-colors:before:border-[CanvasText]';

/** Draws the participation above each column. The column headings have the same numbers and links. */
function TrendLine({columns, team}: {readonly columns: readonly Column[]; readonly team: string}) {
  const pieces = computeTrendLine(columns.map(({counts}) => counts.participation));
  return (
    <div aria-hidden="true" className={columnsClass}>
      <span className="sticky start-0 z-1 flex flex-col items-end justify-between bg-card px-3 pt-1.5 text-2xs text-quiet">
        <span>{formatNumber(1, {style: 'percent'})}</span>
        <span>{formatNumber(0.5, {style: 'percent'})}</span>
        <span>{formatNumber(0, {style: 'percent'})}</span>
      </span>
      <div className="relative col-[2/-1] grid h-28 grid-cols-[repeat(var(--days),minmax(var(--least),1fr))]">
        {/* Starts 14 px below the edge, half of a dot's height, so that no dot is cut off. */}
        <svg
          className={`absolute inset-x-0 top-3.5 h-22.5 w-full overflow-visible fill-none stroke-accent/55 stroke-2 rtl:-scale-x-100 ${levelLines}`}
          preserveAspectRatio="none"
          strokeLinejoin="round"
          viewBox={`0 0 ${Math.max(1, columns.length)} 1`}
        >
          <path d={toSvgPath(pieces)} vectorEffect="non-scaling-stroke" />
        </svg>
        {columns.map(({date, counts, holidayShare}) => (
          <span className={`relative ${chooseHolidayBand(holidayShare)}`} key={date}>
            {counts.participation !== null && (
              <Link
                className={`absolute inset-x-0 top-[calc(var(--down)*90px)] grid h-7 place-items-center ${dotClass}`}
                params={{team, date}}
                style={{'--down': 1 - counts.participation} as CSSProperties}
                tabIndex={-1}
                title={describeColumn({date, counts})}
                to="/t/$team/runs/$date"
              />
            )}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Highlights days with holidays across all rows. */
function HolidayBands({columns}: {readonly columns: readonly Column[]}) {
  return (
    <div aria-hidden="true" className={`pointer-events-none absolute inset-0 ${columnsClass}`}>
      {columns.map(({date, startsWeek, holidayShare}) => (
        <span
          className={`border-s border-transparent first:col-start-2 data-week:border-line forced-colors:data-holiday:border-x-2 forced-colors:data-holiday:border-dotted ${chooseHolidayBand(holidayShare)}`}
          data-holiday={holidayShare > 0 || undefined}
          data-week={startsWeek || undefined}
          key={date}
        />
      ))}
    </div>
  );
}

function DateHead({
  column,
  team,
  index,
  isActive,
}: {
  readonly column: Column;
  readonly team: string;
  readonly index: number;
  readonly isActive: boolean;
}) {
  const {date, startsMonth, holidays, holidayShare} = column;
  const [day, weekday, month] = [
    formatDateFields(date, {day: 'numeric'}),
    formatDateFields(date, {weekday: 'narrow'}),
    formatDateFields(date, {month: 'short'}),
  ];
  const off =
    holidayShare === 0
      ? undefined
      : texts.insights.map.holidays({names: holidays.join(', '), of: column.counts.holiday});
  const label = [describeColumn(column), off].filter((one) => one !== undefined).join('. ');
  return (
    <span
      aria-colindex={index + 1}
      className={`relative pt-4.5 ${chooseHolidayBand(holidayShare)}`}
      role="columnheader"
    >
      {startsMonth && (
        <span
          aria-hidden="true"
          className="absolute start-1.5 top-[3px] text-2xs font-semibold whitespace-nowrap text-quiet"
        >
          {month}
        </span>
      )}
      <Link
        className="group grid justify-items-center pt-0.5 pb-1.5 text-2xs/3.5 text-quiet no-underline focus-visible:-outline-offset-2"
        data-position={`0/${index}`}
        params={{team, date}}
        tabIndex={isActive ? 0 : -1}
        title={label}
        to="/t/$team/runs/$date"
      >
        <span aria-hidden="true">{weekday}</span>
        <b aria-hidden="true" className="text-xs/3.5 font-medium text-ink group-hover:underline">
          {day}
        </b>
        <Hidden>{label}</Hidden>
      </Link>
    </span>
  );
}

function describeColumn({date, counts}: Pick<Column, 'date' | 'counts'>): string {
  const say = texts.insights.map;
  const day = formatDay(date, {weekday: true});
  return counts.expected === 0
    ? say.dayOff({date: day})
    : say.day({date: day, written: counts.posted + counts.late, expected: counts.expected});
}

/** Chooses how strongly a day is highlighted, by the share of people with a holiday. */
function chooseHolidayBand(share: number): string {
  if (share === 0) return '';
  return share < 0.5 ? 'bg-holiday/7' : 'bg-holiday/18';
}

function clampPosition({row, column}: GridPosition, last: GridPosition): GridPosition {
  return {row: Math.min(row, last.row), column: Math.min(column, last.column)};
}
