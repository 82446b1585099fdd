import {Link} from '@tanstack/react-router';
import {StatusMark} from '../parts/status-mark.tsx';
import {formatDay} from '../words/format.ts';
import {words} from '../words/words.ts';
import styles from './chart.module.css';
import {tellDay} from './chart-row.tsx';
import type {HeatMap, Place} from './heat-map.ts';

/** `Thu 12 Nov`, `Grace Hopper`, `Away (At sea)`. Undefined for a cell that is no person's day. */
export function tellCell({columns, rows}: HeatMap, {row, column}: Place) {
  const person = rows[row - 1];
  const date = columns[column - 1]?.date;
  if (person === undefined || date === undefined) return undefined;
  const day = person.days.get(date);
  return {
    date,
    status: day?.status,
    day: formatDay(date, {weekday: true}),
    name: person.name ?? words.insights.map.gone,
    what: tellDay(day),
  };
}

/** The selected cell in words, below the chart, with a link to its run. */
export function Detail({
  map,
  place,
  team,
}: {
  readonly map: HeatMap;
  readonly place: Place | undefined;
  readonly team: string;
}) {
  const say = words.insights.map;
  const told = place && tellCell(map, place);
  if (told === undefined) return <p className={styles['detail']}>{say.hint}</p>;
  return (
    <p className={styles['detail']}>
      {told.status !== undefined && <StatusMark status={told.status} />}
      <span>
        {told.day}, <bdi className={styles['who']}>{told.name}</bdi>: <bdi>{told.what}</bdi>
      </span>
      <Link params={{team, date: told.date}} to="/t/$team/runs/$date">
        {say.openRun}
      </Link>
    </p>
  );
}
