import {lazy, Suspense, useState} from 'react';
import {dayOf, formatDay} from '../words/format.ts';
import {words} from '../words/words.ts';
import {addDays} from '../parts/days.ts';
import styles from './write.module.css';

const DatePicker = lazy(async () => ({default: (await import('../parts/date-picker.tsx')).DatePicker}));

interface DayChoiceProps {
  /** The teams, and the day that it is for in each by itself; empty while that is not known. */
  readonly goals: readonly {
    readonly team: {readonly id: string; readonly name: string};
    readonly ownDate: string;
  }[];
  readonly chosen: string | null;
  /** The day that one begun now would be for. */
  readonly ofNow: string;
  readonly error?: string | undefined;
  /** From the beginning: another day is needed. */
  readonly isOpen: boolean;
  readonly now: number;
  /** They have no other team, so that nothing else names it. */
  readonly isOnlyTeam: boolean;
  readonly onChange: (date: string | null) => void;
}

/**
 * For which day it is, of each team where they differ. The service takes a year back, and what is next; it
 * says so of others.
 */
export function DayChoice({goals, chosen, ofNow, error, isOpen, now, isOnlyTeam, onChange}: DayChoiceProps) {
  const [isAsked, setAsked] = useState(false);
  const {write} = words;
  const own = goals[0]?.ownDate ?? '';
  if (goals.some(({ownDate}) => ownDate === '')) return null;
  const isOneDay = goals.every(({ownDate}) => ownDate === own);
  const day = chosen ?? own;
  const isShown = isAsked || isOpen || chosen !== null || error !== undefined;
  const setDay = (date: string | null): void => onChange(isOneDay && date === own ? null : date);
  return (
    <div data-field="date">
      {chosen === null &&
        !isOneDay &&
        goals.map(({team, ownDate}) => (
          <p className={styles['line']} key={team.id}>
            <span className={styles['day']}>
              <bdi>{team.name}</bdi>
              {' · '}
              {tellDay(ownDate, now)}
            </span>
          </p>
        ))}
      <p className={styles['line']}>
        {(chosen !== null || isOneDay) && (
          <span className={styles['day']}>
            {isOnlyTeam && (
              <>
                <bdi>{goals[0]?.team.name}</bdi>
                {' · '}
              </>
            )}
            {tellDay(day, now)}
          </span>
        )}
        {chosen === null && isOneDay && ofNow !== '' && ofNow !== own && (
          <button className={styles['link']} onClick={() => setDay(ofNow)} type="button">
            {write.toDay(formatDay(ofNow, {weekday: 'long'}))}
          </button>
        )}
        {isShown ? (
          chosen !== null && (
            <button className={styles['link']} onClick={() => setDay(null)} type="button">
              {isOneDay ? write.backToDay(formatDay(own, {weekday: 'long'})) : write.backToDays}
            </button>
          )
        ) : (
          <button className={styles['link']} onClick={() => setAsked(true)} type="button">
            {isOneDay ? write.changeDay : write.oneDay}
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

function tellDay(date: string, now: number): string {
  const shown = formatDay(date, {weekday: 'long'});
  return date === dayOf(now) ? words.write.today(shown) : words.write.day(shown);
}
