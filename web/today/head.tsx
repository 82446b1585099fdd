import {Link} from '@tanstack/react-router';
import {Icon} from '../parts/icon.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {useNow} from '../parts/use-now.ts';
import {
  formatOtherZoneSuffix,
  formatDayLong,
  formatTime,
  formatTimeWithDay,
  formatCity,
} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {addDays} from '../parts/days.ts';
import {TeamSwitch} from './team-switch.tsx';

export function TodayHead({
  team,
  name,
  isUnknown,
  date,
  zone,
  isToday,
}: {
  readonly team: string;
  readonly name: string | undefined;
  /** True if the team could not be loaded. */
  readonly isUnknown: boolean;
  readonly date: string | undefined;
  readonly zone: string | undefined;
  readonly isToday: boolean;
}) {
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 grow basis-40">
        <TeamSwitch isLoading={name === undefined && !isUnknown} name={name ?? team} team={team} />
        <div className="mt-1 min-h-5 text-quiet [&>span:not(:last-child)]:after:content-['_·_']">
          {isUnknown ? null : date === undefined || zone === undefined ? (
            <div className="w-55 max-w-[60vw]">
              <Skeleton lines={1} />
            </div>
          ) : (
            <>
              <span>{formatDayLong(date)}</span>
              {isToday && <DayClock date={date} zone={zone} />}
            </>
          )}
        </div>
      </div>
      {!isUnknown && <DayNavigation date={date} isToday={isToday} />}
    </header>
  );
}

/** Shows the time by the viewer's clock and, if it differs, by the team's clock. */
function DayClock({zone, date}: {readonly zone: string; readonly date: string}) {
  const now = useNow(10_000);
  const also = formatOtherZoneSuffix(now, zone, date);
  return (
    <span>
      {also === ''
        ? texts.today.clock({time: formatTime(now), city: formatCity(zone)})
        : texts.today.ownClock({time: formatTimeWithDay(now, date), also})}
    </span>
  );
}

function DayNavigation({date, isToday}: {readonly date: string | undefined; readonly isToday: boolean}) {
  const {day} = texts.today;
  const go = (days: number, icon: 'chevron-left' | 'chevron-right', label: string) => (
    <Link
      aria-label={label}
      className="grid size-row place-items-center rounded-lg border border-line bg-card text-quiet hover:border-edge hover:text-ink"
      disabled={date === undefined}
      search={(before) => ({...before, ...(date !== undefined && {date: addDays(date, days)})})}
      title={label}
      to="."
    >
      <Icon name={icon} />
    </Link>
  );
  return (
    <nav aria-label={day.label} className="flex flex-wrap items-center gap-1">
      {!isToday && (
        <Link className="inline-flex min-h-row items-center px-3" search={{}} to=".">
          {day.back}
        </Link>
      )}
      {go(-1, 'chevron-left', day.previous)}
      {go(1, 'chevron-right', day.next)}
    </nav>
  );
}
