import {AxisLabels} from './axis-labels.tsx';
import type {ChartColumn} from './columns.ts';

export interface BarRow {
  readonly id: string;
  readonly name: string;
  /** The figure beside the bars, such as the sum. */
  readonly figure: string;
  readonly values: readonly (number | null)[];
  /** The value of a bar of full height. Rows of the same unit share it. */
  readonly most: number;
  readonly format: (value: number) => string;
}

const rowClass =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 sm:grid-cols-[minmax(0,11rem)_minmax(0,1fr)_4.5rem]';

/** One row of bars for each series, with a bar for each column: no series is known by its colour alone. */
export function BarRows({
  columns,
  rows,
}: {
  readonly columns: readonly ChartColumn[];
  readonly rows: readonly BarRow[];
}) {
  return (
    <>
      <ul className="grid gap-2.5">
        {rows.map((row) => (
          <li className={`items-end gap-y-1 ${rowClass}`} key={row.id}>
            <bdi className="leading-5 max-sm:col-start-1">{row.name}</bdi>
            <Bars columns={columns} row={row} />
            <span className="text-end font-medium tabular-nums max-sm:col-start-2 max-sm:row-start-1">
              {row.figure}
            </span>
          </li>
        ))}
      </ul>
      <div className={`mt-1 ${rowClass}`}>
        <span className="col-span-2 sm:col-span-1 sm:col-start-2">
          <AxisLabels columns={columns} />
        </span>
      </div>
    </>
  );
}

function Bars({columns, row}: {readonly columns: readonly ChartColumn[]; readonly row: BarRow}) {
  const {values, most, format} = row;
  return (
    <svg
      aria-hidden="true"
      className="h-8 w-full border-b border-line fill-accent/75 max-sm:col-span-2 rtl:-scale-x-100"
      preserveAspectRatio="none"
      viewBox={`0 0 ${Math.max(1, columns.length)} 1`}
    >
      {columns.map(({id, label}, i) => {
        const value = values[i] ?? null;
        const height = value === null || most === 0 ? 0 : value / most;
        return (
          <g key={id}>
            <rect height={height} width={0.7} x={i + 0.15} y={1 - height} />
            <rect className="fill-transparent" height={1} width={1} x={i}>
              {value !== null && <title>{`${label}: ${format(value)}`}</title>}
            </rect>
          </g>
        );
      })}
    </svg>
  );
}
