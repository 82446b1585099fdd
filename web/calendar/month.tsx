import {type CSSProperties, type PointerEvent, useEffect, useRef, useState} from 'react';
import type {Absence} from '../api/schema.ts';
import {PersonName} from '../parts/person-name.tsx';
import {formatDay, formatSpan} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {Bar, PersonBars} from './bars.ts';
import {formatDateFields} from '../parts/days.ts';
import {formatWeekdayLetter, formatMonth} from './dates.ts';
import {KindIcon} from './kind-icon.tsx';
import styles from './month.module.css';
import {formatAbsenceDays, nameDayOffKind} from './wording.ts';

interface MonthProps {
  readonly month: string;
  readonly days: readonly string[];
  readonly rows: readonly PersonBars[];
  readonly today: string;
  readonly me: string;
  /** Whether no one is expected to post on a day. */
  readonly isFree: (date: string) => boolean;
  /** Whether the viewer may enter absences for a person. */
  readonly mayEnter: (person: string) => boolean;
  readonly onOpen: (absence: Absence) => void;
  readonly onEnter: (person: string, from: string, until: string) => void;
}

/**
 * The month as a table of people (rows) and days (columns). A mouse selects days here; keyboard and touch
 * users press the button instead.
 */
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
      className={styles['box']}
      ref={box}
      role="region"
      style={{'--days': days.length} as CSSProperties}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls sideways, also by keyboard
      tabIndex={0}
    >
      <div aria-hidden="true" className={styles['columns']}>
        {days.map((day) => (
          <span key={day} {...markOf(day)} />
        ))}
      </div>
      <div aria-hidden="true" className={styles['head']}>
        <span className={styles['corner']} />
        {days.map((day) => (
          <span
            className={styles['day']}
            key={day}
            title={formatDay(day, {weekday: 'long'})}
            {...markOf(day)}
          >
            <span>{formatWeekdayLetter(day)}</span>
            <b>{formatDateFields(day, {day: 'numeric'})}</b>
          </span>
        ))}
      </div>
      <ul className={styles['rows']}>
        {rows.map((row) => (
          <PersonRow key={row.person.id} row={row} {...props} />
        ))}
      </ul>
    </div>
  );
}

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
    <li className={styles['row']} data-me={person.id === me || undefined}>
      <div className={styles['name']} title={person.name}>
        <div className={styles['clip']}>
          <PersonName isYou={person.id === me} name={person.name} />
        </div>
      </div>
      <div className={styles['track']} data-open={isOpen || undefined} {...hearing}>
        <ul className={styles['bars']} style={{'--lanes': rowCount} as CSSProperties}>
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
              className={styles['ghost']}
              style={{gridColumn: `${first + 1} / ${last + 2}`, gridRow: `1 / ${rowCount + 1}`}}
            />
          )}
        </ul>
      </div>
    </li>
  );
}

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
      : formatAbsenceDays(absence);
  const said = texts.calendar.bar({name, kind: nameDayOffKind(status), days: span, text});
  const look = {
    className: styles['bar'],
    'data-status': status,
    'data-open-before': bar.isOpenBefore || undefined,
    'data-open-after': bar.isOpenAfter || undefined,
    title: said,
  };
  const inside = (
    <>
      <KindIcon status={status} />
      {bar.last > bar.first && text !== null && <span className={styles['text']}>{text}</span>}
    </>
  );
  if (absence === undefined) {
    return (
      <span aria-label={said} role="img" {...look}>
        {inside}
      </span>
    );
  }
  return (
    <button aria-label={said} onClick={() => onOpen(absence)} type="button" {...look}>
      {inside}
    </button>
  );
}

/** Column of the day under the pointer, counted from 0 in the reading direction. */
function findColumnAt(event: PointerEvent<HTMLDivElement>, days: number): number {
  const {left, right, width} = event.currentTarget.getBoundingClientRect();
  const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
  const along = isRightToLeft ? right - event.clientX : event.clientX - left;
  return Math.max(0, Math.min(days - 1, Math.floor((along / width) * days)));
}

/** Explains the icons in the month view. */
export function MonthLegend({hint}: {readonly hint: string | undefined}) {
  return (
    <p className={styles['legend']}>
      {['away', 'skipped', 'holiday'].map((status) => (
        <span key={status}>
          <KindIcon status={status} /> {nameDayOffKind(status)}
        </span>
      ))}
      {hint !== undefined && <span className={styles['hint']}>{hint}</span>}
    </p>
  );
}
