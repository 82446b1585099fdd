import {Link} from '@tanstack/react-router';
import {type ReactNode, useState} from 'react';
import type {RunCounts} from '../api/schema.ts';
import {findStatusName} from '../parts/status-mark.tsx';
import {formatDay, formatNumber} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {listTableCounts, otherStatuses, formatShare} from './counts.ts';
import type {HeatMap} from './heat-map.ts';

export function NumberTables({map, team}: {readonly map: HeatMap; readonly team: string}) {
  const [isOpen, setOpen] = useState(false);
  const say = texts.insights.numbers;
  const days = map.columns.map(({date, counts}) => ({
    id: date,
    counts,
    head: (
      <Link params={{team, date}} to="/t/$team/runs/$date">
        {formatDay(date, {weekday: true})}
      </Link>
    ),
  }));
  const people = map.rows.map(({id, name, counts}) => ({
    id,
    counts,
    head: (
      <Link params={{member: id}} to="/people/$member">
        <bdi>{name ?? texts.insights.map.gone}</bdi>
      </Link>
    ),
  }));
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-7 cursor-pointer leading-7 font-medium text-quiet">{say.heading}</summary>
      {isOpen && (
        <div className="mt-3 grid min-w-0 gap-4">
          <CountsTable first={say.date} label={say.byDate} rows={days} />
          <CountsTable first={say.member} label={say.byMember} rows={people} />
        </div>
      )}
    </details>
  );
}

export interface CountsRow {
  readonly id: string;
  readonly head: ReactNode;
  readonly counts: RunCounts;
  /** The chart of this row, shown in a column between the name and the counts. */
  readonly chart?: ReactNode;
}

const cellClass = 'h-row border-b border-line px-3 py-1 in-[tbody>tr:last-child]:border-b-0';
const firstClass = `${cellClass} sticky start-0 bg-card ps-4 text-start`;
const headClass = 'text-xs/5 font-medium whitespace-nowrap text-quiet';
const numberClass = `${cellClass} text-end whitespace-nowrap`;

/** A table of status counts, in the caller's order. A wide table scrolls inside its own box. */
export function CountsTable({
  label,
  isLabelHidden = false,
  first,
  chart,
  rows,
}: {
  readonly label: string;
  readonly isLabelHidden?: boolean | undefined;
  readonly first: string;
  /** Heading of the column with the charts; undefined if the rows have no charts. */
  readonly chart?: string | undefined;
  readonly rows: readonly CountsRow[];
}) {
  const say = texts.insights.numbers;
  return (
    <div
      aria-label={label}
      className="relative min-w-0 overflow-x-auto rounded-lg border border-line bg-card"
      role="region"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls sideways, also by keyboard
      tabIndex={0}
    >
      <table className="w-full border-collapse">
        <caption className={isLabelHidden ? 'sr-only' : 'px-4 pt-3 pb-1 text-start font-semibold'}>
          {label}
        </caption>
        <thead>
          <tr>
            <th className={`${firstClass} ${headClass}`} scope="col">
              {first}
            </th>
            {chart !== undefined && (
              <th className={`${cellClass} text-start ${headClass}`} scope="col">
                {chart}
              </th>
            )}
            {[say.share, say.expected, say.written, say.late].map((name) => (
              <th className={`${numberClass} ${headClass}`} key={name} scope="col">
                {name}
              </th>
            ))}
            {otherStatuses.map((status) => (
              <th className={`${numberClass} ${headClass}`} key={status} scope="col">
                {findStatusName(status)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({id, head, counts, chart: rendered}) => (
            <tr key={id}>
              <th className={`${firstClass} min-w-30 font-normal`} scope="row">
                {head}
              </th>
              {chart !== undefined && <td className={cellClass}>{rendered}</td>}
              <td className={numberClass}>{formatShare(counts)}</td>
              {listTableCounts(counts).map((value, i) => (
                // oxlint-disable-next-line react/no-array-index-key -- columns never move
                <td className={`${numberClass} ${value === 0 ? 'text-quiet' : ''}`} key={i}>
                  {formatNumber(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
