import {Link} from '@tanstack/react-router';
import {type ReactNode, useState} from 'react';
import type {RunCounts} from '../api/schema.ts';
import {type FigureCell, FiguresTable} from '../parts/charts/figures-table.tsx';
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

/** A table of status counts, in the caller's order. */
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
  const counted = [say.share, say.expected, say.written, say.late, ...otherStatuses.map(findStatusName)];
  return (
    <FiguresTable
      heads={[first, ...(chart === undefined ? [] : [chart]), ...counted]}
      isLabelHidden={isLabelHidden}
      label={label}
      rows={rows.map(({id, head, counts, chart: rendered}) => ({
        id,
        head,
        cells: [
          ...(chart === undefined ? [] : [{content: rendered, look: 'chart' as const}]),
          {content: formatShare(counts)},
          ...listTableCounts(counts).map(
            (value): FigureCell => ({
              content: formatNumber(value),
              look: value === 0 ? 'none' : undefined,
            }),
          ),
        ],
      }))}
    />
  );
}
