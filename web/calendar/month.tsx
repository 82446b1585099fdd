import {type CSSProperties, type PointerEvent, useEffect, useRef, useState} from 'react';
import type {Absence} from '../api/schema.ts';
import {PersonName} from '../parts/person-name.tsx';
import {formatDay, formatSpan} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {AgendaProps} from './agenda.tsx';
import type {Bar, PersonBars} from './bars.ts';
import {formatDateFields} from '../parts/days.ts';
import {formatMonth} from './dates.ts';
import {KindIcon} from './kind-icon.tsx';
import {nameDayOffKind} from './wording.ts';

interface MonthProps extends AgendaProps {
  /** Whether no one is expected to post on a day. */
  readonly isFree: (date: string) => boolean;
  /** Whether the viewer may enter absences for a person. */
  readonly mayEnter: (person: string) => boolean;
  readonly onEnter: (person: string, from: string, until: string) => void;
}

/** A table of people and days. The mouse selects days; keyboard and touch users press the button. */
export function Month(props: MonthProps) {
  const {month, days, rows, today, isFree} = props;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [element, cell] = [box.current, box.current?.querySelector('[data-today]')];
    if (!element || !cell) return;
    const [outer, inner] = [element.getBoundingClientRect(), cell.getBoundingClientRect()];
    if (element.scrollWidth > element.clientWidth)
      element.scrollBy({left: (inner.left + inner.right) / 2 - (outer.left + outer.right) / 2});
  }, []);
  const markOf = (day: string) => ({
    'data-free': isFree(day) || undefined,
    'data-today': day === today || undefined,
  });
  return (
    <div
      aria-label={texts.calendar.grid({month: formatMonth(month)})}
      className="relative overflow-x-auto rounded-lg border border-line bg-card [--name:176px] max-md:[--name:116px]"
      ref={box}
      role="region"
      style={{'--days': days.length} as CSSProperties}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls sideways, also by keyboard
      tabIndex={0}
    >
      <div aria-hidden="true" className={`pointer-events-none absolute inset-0 ${columnsClass}`}>
        {days.map((day) => (
          <span
            className="border-s border-line/55 first:col-start-2 data-free:bg-inset data-today:bg-accent/14"
            key={day}
            {...markOf(day)}
          />
        ))}
      </div>
      <div aria-hidden="true" className={`relative border-b border-line ${columnsClass}`}>
        <span className="sticky start-0 z-2 bg-card" />
        {days.map((day) => (
          <span
            className="group grid justify-items-center py-1.5 text-2xs text-quiet tabular-nums"
            key={day}
            title={formatDay(day, {weekday: 'long'})}
            {...markOf(day)}
          >
            <span>{formatDateFields(day, {weekday: 'narrow'})}</span>
            <b className="text-xs/4 font-medium text-ink group-data-free:text-quiet group-data-today:min-w-5 group-data-today:rounded-full group-data-today:bg-accent group-data-today:text-center group-data-today:text-on-accent">
              {formatDateFields(day, {day: 'numeric'})}
            </b>
          </span>
        ))}
      </div>
      <ul className="relative min-w-[calc(var(--name)+var(--days)*25px)]">
        {rows.map((row) => (
          <PersonRow key={row.person.id} row={row} {...props} />
        ))}
      </ul>
    </div>
  );
}

const columnsClass =
  'grid min-w-[calc(var(--name)+var(--days)*25px)] grid-cols-[var(--name)_repeat(var(--days),minmax(25px,1fr))]';

interface Drag {
  readonly from: number;
  readonly to: number;
}

function PersonRow({row, days, me, mayEnter, onOpen, onEnter}: {readonly row: PersonBars} & MonthProps) {
  const {person, bars, rowCount} = row;
  const [drag, setDrag] = useState<Drag>();
  const isOpen = mayEnter(person.id);
  const [first, last] = drag ? [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)] : [0, 0];

  const hearing = isOpen && {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      const isOnBar = event.target instanceof Element && event.target.closest('button') !== null;
      if (event.pointerType !== 'mouse' || event.button !== 0 || isOnBar) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      const column = findColumnAt(event, days.length);
      setDrag({from: column, to: column});
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (drag !== undefined) setDrag({...drag, to: findColumnAt(event, days.length)});
    },
    onPointerUp: () => {
      if (drag === undefined) return;
      setDrag(undefined);
      onEnter(person.id, days[first] ?? '', days[last] ?? '');
    },
    onPointerCancel: () => setDrag(undefined),
  };
  return (
    <li
      className="grid grid-cols-[var(--name)_minmax(0,1fr)] border-t border-line first:border-t-0"
      data-me={person.id === me || undefined}
    >
      <div
        className="sticky start-0 z-2 flex min-h-10 items-center border-e border-line bg-card px-3 py-[5px] text-sm/4.5 max-md:px-2"
        title={person.name}
      >
        {/* Cuts a name after three lines; the list view shows the whole name. */}
        <div className="[&_bdi]:line-clamp-3">
          <PersonName isYou={person.id === me} name={person.name} />
        </div>
      </div>
      <div
        className="grid min-w-0 data-open:cursor-cell data-open:hover:bg-ink/4"
        data-open={isOpen || undefined}
        {...hearing}
      >
        <ul
          className="grid grid-cols-[repeat(var(--days),minmax(25px,1fr))] grid-rows-[repeat(var(--lanes),28px)] content-center gap-y-[3px] py-[5px] *:min-w-0"
          style={{'--lanes': rowCount} as CSSProperties}
        >
          {bars.map((bar) => (
            <li
              key={bar.key}
              style={{gridColumn: `${bar.first + 1} / ${bar.last + 2}`, gridRow: bar.row + 1}}
            >
              <BarMark bar={bar} days={days} name={person.name} onOpen={onOpen} />
            </li>
          ))}
          {drag !== undefined && (
            <li
              aria-hidden="true"
              className="mx-px rounded-md border-2 border-dashed border-accent bg-accent/20"
              style={{gridColumn: `${first + 1} / ${last + 2}`, gridRow: `1 / ${rowCount + 1}`}}
            />
          )}
        </ul>
      </div>
    </li>
  );
}

const barClass =
  'mx-px flex h-7 w-[calc(100%-2px)] items-center gap-1 overflow-hidden rounded-md border border-(--ink) bg-[color-mix(in_srgb,var(--color-card),var(--ink)_14%)] px-[3px] text-start text-xs/5 [--ink:var(--color-away)] data-open-after:me-0 data-open-after:rounded-e-none data-open-after:border-e-0 data-open-before:ms-0 data-open-before:rounded-s-none data-open-before:border-s-0 data-[status=holiday]:[--ink:var(--color-holiday)] data-[status=skipped]:border-dashed data-[status=skipped]:[--ink:var(--color-skipped)]';

function BarMark({
  bar,
  days,
  name,
  onOpen,
}: {
  readonly bar: Bar;
  readonly days: readonly string[];
  readonly name: string;
  readonly onOpen: (absence: Absence) => void;
}) {
  const {absence, status, text} = bar;
  const span =
    absence === undefined
      ? formatSpan(days[bar.first] ?? '', days[bar.last] ?? '')
      : formatSpan(absence.from, absence.until);
  const said = texts.calendar.bar({name, kind: nameDayOffKind(status), days: span, text});
  const look = {
    'data-status': status,
    'data-open-before': bar.isOpenBefore || undefined,
    'data-open-after': bar.isOpenAfter || undefined,
    title: said,
  };
  const inside = (
    <>
      <KindIcon status={status} />
      {bar.last > bar.first && text !== null && <span className="min-w-0 truncate">{text}</span>}
    </>
  );
  if (absence === undefined) {
    return (
      <span aria-label={said} className={barClass} role="img" {...look}>
        {inside}
      </span>
    );
  }
  return (
    <button
      aria-label={said}
      className={`${barClass} cursor-pointer hover:bg-[color-mix(in_srgb,var(--color-card),var(--ink)_26%)]`}
      onClick={() => onOpen(absence)}
      type="button"
      {...look}
    >
      {inside}
    </button>
  );
}

function findColumnAt(event: PointerEvent<HTMLDivElement>, days: number): number {
  const {left, right, width} = event.currentTarget.getBoundingClientRect();
  const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
  const along = isRightToLeft ? right - event.clientX : event.clientX - left;
  return Math.max(0, Math.min(days - 1, Math.floor((along / width) * days)));
}

export function MonthLegend({hint}: {readonly hint: string | undefined}) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet">
      {['away', 'skipped', 'holiday'].map((status) => (
        <span className="inline-flex items-center gap-1" key={status}>
          <KindIcon status={status} /> {nameDayOffKind(status)}
        </span>
      ))}
      {hint !== undefined && <span className="ms-auto pointer-coarse:hidden">{hint}</span>}
    </p>
  );
}
