import {Link} from '@tanstack/react-router';
import {StatusMark} from '../parts/status-mark.tsx';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {describeDay} from './chart-row.tsx';
import type {HeatMap, GridPosition} from './heat-map.ts';

/** Describes a cell: `Thu 12 Nov`, `Grace Hopper`, `Away (At sea)`; undefined without person and day. */
export function describeCell({columns, rows}: HeatMap, {row, column}: GridPosition) {
  const person = rows[row - 1];
  const date = columns[column - 1]?.date;
  if (person === undefined || date === undefined) return undefined;
  const day = person.days.get(date);
  return {
    date,
    status: day?.status,
    day: formatDay(date, {weekday: true}),
    name: person.name ?? texts.insights.map.gone,
    what: describeDay(day),
  };
}

export function CellDetail({
  map,
  position,
  team,
}: {
  readonly map: HeatMap;
  readonly position: GridPosition | undefined;
  readonly team: string;
}) {
  const say = texts.insights.map;
  const cell = position && describeCell(map, position);
  if (cell === undefined)
    return <p className="flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-1">{say.hint}</p>;
  return (
    <p className="flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-1">
      {cell.status !== undefined && <StatusMark status={cell.status} />}
      <span>
        {cell.day}, <bdi className="font-semibold">{cell.name}</bdi>: <bdi>{cell.what}</bdi>
      </span>
      <Link params={{team, date: cell.date}} to="/t/$team/runs/$date">
        {say.openRun}
      </Link>
    </p>
  );
}
