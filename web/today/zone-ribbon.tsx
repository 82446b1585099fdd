import type {Schema, TeamDay} from '../api/schema.ts';
import {findBrowserZone} from '../parts/zones.ts';
import {formatHour, formatHourOfDay, formatTime, formatZone, formatCity} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {computeRibbon, type RibbonSpan, workday, type ZoneRow} from './ribbon.ts';

/** Places an element beside the names, clocks and counts of the rows. */
const besideWords = 'start-[calc(var(--words)+var(--gap))] end-0';
const workingClass = {
  bar: 'inset-y-0 rounded-sm bg-[color-mix(in_srgb,var(--color-inset),var(--color-accent)_26%)] forced-colors:bg-[GrayText]',
  key: 'before:h-2 before:bg-[color-mix(in_srgb,var(--color-inset),var(--color-accent)_26%)] forced-colors:before:bg-[GrayText]',
};
const openClass = {
  bar: 'inset-y-[3px] rounded-[2px] bg-accent forced-colors:bg-[Highlight]',
  key: 'before:h-1.5 before:bg-accent forced-colors:before:bg-[Highlight]',
};
const keyClass =
  'before:me-1.5 before:inline-block before:w-3 before:rounded-[2px] before:forced-color-adjust-none';

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/** Shows each time zone as a row of working hours and open hours. A line marks the current time. */
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
      <p className="text-quiet">
        {zones.all({time: formatTime(now, first.zone), city: formatCity(first.zone)})}
      </p>
    );
  }
  return (
    <section
      aria-label={zones.title}
      className="[--gap:16px] [--words:248px] max-sm:[--gap:8px] max-sm:[--words:132px]"
    >
      <div className="relative">
        <ul className="grid gap-1">
          {ribbon.rows.map((row) => (
            <Row key={row.zone} now={ribbon.now === undefined ? undefined : now} row={row} />
          ))}
        </ul>
        <div aria-hidden="true" className={`pointer-events-none absolute -inset-y-1 ${besideWords}`}>
          {ribbon.now !== undefined && (
            <div
              className="absolute inset-y-0 -ms-px w-0.5 rounded-[1px] bg-ink forced-color-adjust-none forced-colors:bg-[Highlight]"
              style={{insetInlineStart: percent(ribbon.now)}}
            />
          )}
        </div>
      </div>
      <div
        aria-hidden="true"
        className="relative ms-[calc(var(--words)+var(--gap))] mt-1 h-4.5 text-xs text-quiet *:absolute *:whitespace-nowrap"
      >
        {ribbon.hours.map(({at, instant}) => (
          <span key={instant} style={{insetInlineStart: percent(at)}}>
            {formatHour(instant)}
          </span>
        ))}
      </div>
      <p className="ms-[calc(var(--words)+var(--gap))] flex flex-wrap gap-x-4 text-xs text-quiet max-sm:ms-0">
        <span>{zones.hours({city: ribbon.city})}</span>
        <span className={`${keyClass} ${workingClass.key}`}>
          {zones.working({from: formatHourOfDay(workday.from), to: formatHourOfDay(workday.to)})}
        </span>
        {ribbon.rows.some(({open}) => open.length > 0) && (
          <span className={`${keyClass} ${openClass.key}`}>{zones.run}</span>
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
  const bars = (spans: readonly RibbonSpan[], look: string) =>
    spans.map(({from, to}) => (
      <span
        className={`absolute forced-color-adjust-none ${look}`}
        key={from}
        style={{insetInlineStart: percent(from), inlineSize: percent(to - from)}}
      />
    ));
  return (
    <li
      className="relative grid min-h-5 grid-cols-[96px_68px_1fr] items-center gap-x-2 pe-[calc(100%-var(--words))] max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:text-sm"
      title={`${row.cities.join(', ')} (${formatZone(row.zone)}): ${all}`}
    >
      {/* Aligns a name in the other writing direction like the rest, and cuts it at its own end. */}
      <span className="truncate font-medium [text-align:match-parent]" dir="auto">
        <bdi>{row.cities[0]}</bdi>
        {row.cities.length > 1 && <span className="font-normal text-quiet"> +{row.cities.length - 1}</span>}
      </span>
      <span className="text-end whitespace-nowrap tabular-nums">{time}</span>
      <span className="text-xs/5 whitespace-nowrap text-quiet max-sm:hidden">
        {zones.people({amount: names.length})}
      </span>
      <span
        aria-hidden="true"
        className={`absolute inset-y-[3px] overflow-hidden rounded-sm bg-inset forced-colors:border ${besideWords}`}
      >
        {bars(row.working, workingClass.bar)}
        {bars(row.open, openClass.bar)}
      </span>
    </li>
  );
}
