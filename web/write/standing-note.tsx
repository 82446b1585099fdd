import type {ReactNode} from 'react';
import {Icon, type IconName} from '../parts/icon.tsx';
import {dayOf, formatDay, formatMoment, formatRelative, formatTime} from '../words/format.ts';
import {words} from '../words/words.ts';
import type {Standing} from './standing.ts';
import styles from './write.module.css';

type Tone = 'posted' | 'late' | 'missed' | 'quiet';

/** Whether a standup comes in time, told before anything is typed. */
export function StandingNote({
  standing,
  now,
  team,
}: {
  readonly standing: Standing;
  readonly now: number;
  /** Where there are several. */
  readonly team?: string | undefined;
}) {
  const {standing: said} = words.write;
  const heading = team === undefined ? null : <strong>{team}: </strong>;
  switch (standing.is) {
    case 'in-time': {
      const {closes, opens} = standing;
      const isToday = dayOf(closes) === dayOf(now);
      const text = isToday
        ? said.inTime(formatTime(closes), formatRelative(closes, now).replaceAll(' ', '\u00a0'))
        : said.inTimeOn(`${formatDay(dayOf(closes), {weekday: 'long'})}, ${formatTime(closes)}`);
      return (
        <Note icon="check" tone="posted">
          {heading}
          {text}
          {opens !== undefined && ` ${said.opens(formatTime(opens))}`}
        </Note>
      );
    }
    case 'late': {
      const {closed, until} = standing;
      return (
        <Note icon="clock" tone="late">
          {heading}
          {until === undefined
            ? said.late(timeOf(closed, now))
            : said.lateUntil(timeOf(closed, now), timeOf(until, now))}
        </Note>
      );
    }
    case 'refused':
      return (
        <Note icon="cross" tone="missed">
          {heading}
          {said.refused(timeOf(standing.closed, now))} {said.refusedCure}
        </Note>
      );
    case 'any-time':
      return (
        <Note icon="check" tone="posted">
          {heading}
          {said.anyTime}
        </Note>
      );
    case 'free':
      return (
        <Note icon={standing.status === 'away' ? 'moon' : 'circle'} tone="quiet">
          {heading}
          {freeText(standing)}
        </Note>
      );
  }
}

function freeText({status, until}: Extract<Standing, {is: 'free'}>): string {
  const {standing} = words.write;
  if (status === 'away') return until === null ? standing.awayOpen : standing.away(formatDay(until));
  if (status === 'holiday') return standing.holiday;
  return status === 'skipped' ? standing.skipped : standing.free;
}

/** With its day, where that is another one. */
function timeOf(instant: number, now: number): string {
  return dayOf(instant) === dayOf(now) ? formatTime(instant) : formatMoment(instant);
}

export function Note({
  icon,
  tone,
  children,
}: {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles['standing']} data-tone={tone}>
      <Icon name={icon} />
      <p>{children}</p>
    </div>
  );
}
