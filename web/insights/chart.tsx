import {Link} from '@tanstack/react-router';
import {type CSSProperties, useDeferredValue, useEffect, useRef, useState} from 'react';
import {Hidden} from '../parts/hidden.tsx';
import {formatDay, formatNumber} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import styles from './chart.module.css';
import {CellTip} from './cell-tip.tsx';
import {ChartRow} from './chart-row.tsx';
import {formatDateFields} from '../parts/days.ts';
import {CellDetail} from './detail.tsx';
import {type Column, type HeatMap, toSvgPath, type GridPosition, computeTrendLine} from './heat-map.ts';
import {useGridKeys} from './use-grid-keys.ts';

/**
 * The attendance chart: people are rows, days are columns, and the participation is above. It is one grid
 * with one Tab stop.
 */
export function Chart({map, team, me}: {readonly map: HeatMap; readonly team: string; readonly me: string}) {
  const box = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState<GridPosition>();
  // Renders the first rows at once; other rows and later changes are deferred.
  const rendered = useDeferredValue(map, {...map, rows: map.rows.slice(0, 12)});
  const {columns, rows} = rendered;
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
    <div className={styles['chart']}>
      <div className={styles['box']} ref={box} style={{'--days': columns.length} as CSSProperties}>
        <div
          aria-colcount={last.column + 1}
          aria-label={say.label}
          aria-rowcount={last.row + 1}
          className={styles['grid']}
          data-picked={picked === undefined ? undefined : true}
          role="grid"
          {...keys}
        >
          <TrendLine columns={columns} team={team} />
          <div className={styles['body']} role="rowgroup">
            <HolidayBands columns={columns} />
            <div aria-rowindex={1} className={styles['head']} role="row">
              <span className={styles['corner']} role="columnheader">
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
            {rows.map((row, i) => (
              <ChartRow
                active={active.row === i + 1 ? active.column : undefined}
                columns={columns}
                index={i + 1}
                isMe={row.id === me}
                key={row.id}
                row={row}
              />
            ))}
          </div>
        </div>
        <CellTip box={box} map={map} />
      </div>
      <CellDetail map={map} position={picked} team={team} />
    </div>
  );
}

/**
 * Draws the participation of each run above its column. The column headings have the same numbers and links.
 */
function TrendLine({columns, team}: {readonly columns: readonly Column[]; readonly team: string}) {
  const pieces = computeTrendLine(columns.map(({counts}) => counts.participation));
  return (
    <div aria-hidden="true" className={styles['trend']}>
      <span className={styles['scale']}>
        <span>{formatNumber(1, {style: 'percent'})}</span>
        <span>{formatNumber(0.5, {style: 'percent'})}</span>
        <span>{formatNumber(0, {style: 'percent'})}</span>
      </span>
      <div className={styles['plot']}>
        <svg
          className={styles['line']}
          preserveAspectRatio="none"
          viewBox={`0 0 ${Math.max(1, columns.length)} 1`}
        >
          <path d={toSvgPath(pieces)} vectorEffect="non-scaling-stroke" />
        </svg>
        {columns.map(({date, counts, holidayShare}) => (
          <span className={styles['slot']} data-holiday={chooseHolidayBand(holidayShare)} key={date}>
            {counts.participation !== null && (
              <Link
                className={styles['dot']}
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
    <div aria-hidden="true" className={styles['bands']}>
      {columns.map(({date, startsWeek, holidayShare}) => (
        <span data-holiday={chooseHolidayBand(holidayShare)} data-week={startsWeek || undefined} key={date} />
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
      className={styles['date']}
      data-holiday={chooseHolidayBand(holidayShare)}
      role="columnheader"
    >
      {startsMonth && (
        <span aria-hidden="true" className={styles['month']}>
          {month}
        </span>
      )}
      <Link
        className={styles['dateLink']}
        data-position={`0/${index}`}
        params={{team, date}}
        tabIndex={isActive ? 0 : -1}
        title={label}
        to="/t/$team/runs/$date"
      >
        <span aria-hidden="true">{weekday}</span>
        <b aria-hidden="true">{day}</b>
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
function chooseHolidayBand(share: number): 'some' | 'most' | undefined {
  if (share === 0) return undefined;
  return share < 0.5 ? 'some' : 'most';
}

function clampPosition({row, column}: GridPosition, last: GridPosition): GridPosition {
  return {row: Math.min(row, last.row), column: Math.min(column, last.column)};
}
