import {lazy, Suspense, useState} from 'react';
import {dateInZone, formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {addDays} from '../parts/days.ts';
import {LinkButton} from './link-button.tsx';

const DatePicker = lazy(async () => ({default: (await import('../parts/date-picker.tsx')).DatePicker}));

interface DayChoiceProps {
  /** The chosen teams with their default days. `ownDate` is empty until the day is known. */
  readonly goals: readonly {
    readonly team: {readonly id: string; readonly name: string};
    readonly ownDate: string;
  }[];
  readonly chosen: string | null;
  /** Default day of a standup that is started now. */
  readonly ofNow: string;
  readonly error?: string | undefined;
  /** True if the date field is open from the start, because another day must be chosen. */
  readonly isOpen: boolean;
  readonly now: number;
  /** True if the author has only one team, which nothing else on the page names. */
  readonly isOnlyTeam: boolean;
  readonly onChange: (date: string | null) => void;
}

/** Shows the standup's day, per team if days differ. The service accepts a year back, and tomorrow. */
export function DayChoice({goals, chosen, ofNow, error, isOpen, now, isOnlyTeam, onChange}: DayChoiceProps) {
  const [isAsked, setAsked] = useState(false);
  const {write} = texts;
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
          <p className="flex flex-wrap items-baseline gap-x-3" key={team.id}>
            <span className="font-semibold">
              <bdi>{team.name}</bdi>
              {' · '}
              {describeDay(ownDate, now)}
            </span>
          </p>
        ))}
      <p className="flex flex-wrap items-baseline gap-x-3">
        {(chosen !== null || isOneDay) && (
          <span className="font-semibold">
            {isOnlyTeam && (
              <>
                <bdi>{goals[0]?.team.name}</bdi>
                {' · '}
              </>
            )}
            {describeDay(day, now)}
          </span>
        )}
        {chosen === null && isOneDay && ofNow !== '' && ofNow !== own && (
          <LinkButton onClick={() => setDay(ofNow)}>
            {write.toDay({day: formatDay(ofNow, {weekday: 'long'})})}
          </LinkButton>
        )}
        {isShown ? (
          chosen !== null && (
            <LinkButton onClick={() => setDay(null)}>
              {isOneDay ? write.backToDay({day: formatDay(own, {weekday: 'long'})}) : write.backToDays}
            </LinkButton>
          )
        ) : (
          <LinkButton onClick={() => setAsked(true)}>{isOneDay ? write.changeDay : write.oneDay}</LinkButton>
        )}
      </p>
      {isShown && (
        <div className="max-w-60">
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

function describeDay(date: string, now: number): string {
  const shown = formatDay(date, {weekday: 'long'});
  return date === dateInZone(now) ? texts.write.today({day: shown}) : texts.write.day({day: shown});
}
