import type {Schema, TeamDay} from '../api/schema.ts';
import {findBrowserZone} from '../parts/zones.ts';
import {formatHour, formatHourOfDay, formatTime, formatZone, formatCity} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {computeRibbon, type RibbonSpan, workday, type ZoneRow} from './ribbon.ts';
import styles from './zone-ribbon.module.css';

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/**
 * Shows each time zone as a row: its working hours and the hours in which the run is open. A line across all
 * rows marks the current time.
 */
export function ZoneRibbon({
  day,
  schedule,
  now,
}: {
  readonly day: TeamDay;
  readonly schedule: Schema<'Schedule'> | null;
  readonly now: number;
}) {
  const ribbon = computeRibbon(day, schedule, now, findBrowserZone());
  const {zones} = texts.today;
  const [first] = ribbon.rows;
  if (first === undefined) return null;
  if (ribbon.rows.length === 1) {
    if (ribbon.now === undefined) return null;
    return (
      <p className={styles['short']}>
        {zones.all({time: formatTime(now, first.zone), city: formatCity(first.zone)})}
      </p>
    );
  }
  return (
    <section aria-label={zones.title} className={styles['ribbon']}>
      <div className={styles['body']}>
        <ul className={styles['rows']}>
          {ribbon.rows.map((row) => (
            <Row key={row.zone} now={ribbon.now === undefined ? undefined : now} row={row} />
          ))}
        </ul>
        <div aria-hidden="true" className={styles['over']}>
          {ribbon.now !== undefined && (
            <div className={styles['now']} style={{insetInlineStart: percent(ribbon.now)}} />
          )}
        </div>
      </div>
      <div aria-hidden="true" className={styles['hours']}>
        {ribbon.hours.map(({at, instant}) => (
          <span key={instant} style={{insetInlineStart: percent(at)}}>
            {formatHour(instant)}
          </span>
        ))}
      </div>
      <p className={styles['legend']}>
        <span>{zones.hours({city: ribbon.city})}</span>
        <span className={styles['workingKey']}>
          {zones.working({from: formatHourOfDay(workday.from), to: formatHourOfDay(workday.to)})}
        </span>
        {ribbon.rows.some(({open}) => open.length > 0) && (
          <span className={styles['openKey']}>{zones.run}</span>
        )}
        {ribbon.more > 0 && <span>{zones.more({amount: ribbon.more})}</span>}
      </p>
    </section>
  );
}

const mostNames = 12;

function Row({row, now}: {readonly row: ZoneRow; readonly now: number | undefined}) {
  const {zones} = texts.today;
  const names = row.people.map(({member}) => member.name);
  const listed = names.slice(0, mostNames).join(', ');
  const all =
    names.length > mostNames ? zones.andMore({names: listed, more: names.length - mostNames}) : listed;
  const time = now === undefined ? '' : formatTime(now, row.zone);
  const bars = (spans: readonly RibbonSpan[], name: string) =>
    spans.map(({from, to}) => (
      <span
        className={styles[name]}
        key={from}
        style={{insetInlineStart: percent(from), inlineSize: percent(to - from)}}
      />
    ));
  return (
    <li className={styles['row']} title={`${row.cities.join(', ')} (${formatZone(row.zone)}): ${all}`}>
      <span className={styles['city']} dir="auto">
        <bdi>{row.cities[0]}</bdi>
        {row.cities.length > 1 && <span className={styles['others']}> +{row.cities.length - 1}</span>}
      </span>
      <span className={styles['clock']}>{time}</span>
      <span className={styles['count']}>{zones.people({amount: names.length})}</span>
      <span aria-hidden="true" className={styles['track']}>
        {bars(row.working, 'working')}
        {bars(row.open, 'open')}
      </span>
    </li>
  );
}
