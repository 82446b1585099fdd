import {AxisLabels} from './axis-labels.tsx';
import type {ChartColumn} from './columns.ts';
import {computeTrendLine, levelLines, toSvgDots, toSvgPath} from './paths.ts';

export interface Scale {
  readonly least: number;
  readonly most: number;
  readonly format: (value: number) => string;
}

/** A line through one value for each column, with gaps. Screen readers read `label`; a table has the values. */
export function LineChart({
  label,
  columns,
  values,
  scale,
}: {
  readonly label: string;
  readonly columns: readonly ChartColumn[];
  readonly values: readonly (number | null)[];
  readonly scale: Scale;
}) {
  const {least, most, format} = scale;
  const pieces = computeTrendLine(
    values.map((value) => (value === null ? null : (value - least) / (most - least))),
  );
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-2xs text-quiet">
      <span aria-hidden="true" className="-my-2 flex flex-col items-end justify-between">
        {[most, (least + most) / 2, least].map((value) => (
          <span key={value}>{format(value)}</span>
        ))}
      </span>
      <svg
        aria-label={label}
        className={`h-24 w-full overflow-visible fill-none stroke-accent/55 stroke-2 rtl:-scale-x-100 ${levelLines}`}
        preserveAspectRatio="none"
        role="img"
        strokeLinejoin="round"
        viewBox={`0 0 ${Math.max(1, columns.length)} 1`}
      >
        <path d={toSvgPath(pieces)} vectorEffect="non-scaling-stroke" />
        <path
          className="stroke-accent stroke-[7px]"
          d={toSvgDots(pieces)}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
        {columns.map(({id, label: when}, i) => {
          const value = values[i] ?? null;
          return (
            <rect className="fill-transparent stroke-none" height={1} key={id} width={1} x={i}>
              {value !== null && <title>{`${when}: ${format(value)}`}</title>}
            </rect>
          );
        })}
      </svg>
      <span className="col-start-2 mt-1">
        <AxisLabels columns={columns} />
      </span>
    </div>
  );
}
