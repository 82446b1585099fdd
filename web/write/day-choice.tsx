import {lazy, Suspense, useState} from 'react';
import {dayOf, formatDay} from '../words/format.ts';
import {words} from '../words/words.ts';
import {addDays} from '../parts/days.ts';
import styles from './write.module.css';

const DatePicker = lazy(async () => ({default: (await import('../parts/date-picker.tsx')).DatePicker}));

interface DayChoiceProps {
  /** What it is for by itself; empty while that is not known. */
  readonly own: string;
  readonly chosen: string | null;
  /** The day that one begun now would be for. */
  readonly ofNow: string;
  readonly error?: string | undefined;
  /** From the beginning: another day is needed. */
  readonly isOpen: boolean;
  readonly now: number;
  /** Its name, where there is one alone. */
  readonly team: string | undefined;
  readonly onChange: (date: string | null) => void;
}

/** For which day it is. The service takes a year back, and what is next; it says so of others. */
export function DayChoice({own, chosen, ofNow, error, isOpen, now, team, onChange}: DayChoiceProps) {
  const [isAsked, setAsked] = useState(false);
  const {write} = words;
  if (own === '') return null;
  const day = chosen ?? own;
  const shown = formatDay(day, {weekday: 'long'});
  const isShown = isAsked || isOpen || chosen !== null || error !== undefined;
  const setDay = (date: string | null): void => onChange(date === own ? null : date);
  return (
    <div data-field="date">
      <p className={styles['line']}>
        <span className={styles['day']}>
          {team !== undefined && (
            <>
              <bdi>{team}</bdi>
              {' · '}
            </>
          )}
          {day === dayOf(now) ? write.today(shown) : write.day(shown)}
        </span>
        {chosen === null && ofNow !== '' && ofNow !== own && (
          <button className={styles['link']} onClick={() => setDay(ofNow)} type="button">
            {write.toDay(formatDay(ofNow, {weekday: 'long'}))}
          </button>
        )}
        {isShown ? (
          chosen !== null && (
            <button className={styles['link']} onClick={() => setDay(null)} type="button">
              {write.backToDay(formatDay(own, {weekday: 'long'}))}
            </button>
          )
        ) : (
          <button className={styles['link']} onClick={() => setAsked(true)} type="button">
            {write.changeDay}
          </button>
        )}
      </p>
      {isShown && (
        <div className={styles['picker']}>
          <Suspense>
            <DatePicker
              error={error}
              label={write.dayLabel}
              max={addDays(own, 92)}
              min={addDays(own, -366)}
              onChange={setDay}
              value={day}
            />
          </Suspense>
        </div>
      )}
    </div>
  );
}
