import {useQuery} from '@tanstack/react-query';
import {lazy, Suspense, useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {HolidayCalendar, Me, Member} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {managesWorkspace} from '../parts/rights.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {findCountryName} from '../parts/regions.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {formatDay, formatList} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {send} from '../api/send.ts';
import {changeOwnHolidays} from './own-holidays.ts';
import {calendarQuery} from './queries.ts';

const AddCalendar = lazy(async () => ({default: (await import('./add-calendar.tsx')).AddCalendar}));
const OwnRegion = lazy(async () => ({default: (await import('./own-region.tsx')).OwnRegion}));
const ConfirmDialog = lazy(async () => ({
  default: (await import('../parts/confirm-dialog.tsx')).ConfirmDialog,
}));

interface HolidayCalendarsProps {
  readonly me: Me;
  readonly people: readonly Member[];
  readonly calendars: readonly HolidayCalendar[];
  readonly today: string;
}

/** Lists the workspace's holiday calendars, and marks the one that the viewer follows. */
export function HolidayCalendars({me, people, calendars, today}: HolidayCalendarsProps) {
  const t = texts.calendar.calendars;
  const [isAdding, setAdding] = useState(false);
  const isAdmin = managesWorkspace(me);
  const self = people.find(({id}) => id === me.principal.id);
  return (
    <section aria-labelledby="holiday-calendars" className="mt-3 grid gap-3 *:min-w-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div>
          <h2 id="holiday-calendars">{t.title}</h2>
          <p className="text-sm text-quiet">{t.text}</p>
        </div>
        {isAdmin && (
          <Button icon="plus" onPress={() => setAdding(true)}>
            {t.add}
          </Button>
        )}
      </div>
      {self !== undefined && <OwnHolidays calendars={calendars} self={self} />}
      {calendars.length === 0 ? (
        <p className="text-sm text-quiet">{isAdmin ? t.noneForAdmin : t.none}</p>
      ) : (
        <Card as="div" padding="none">
          <ul>
            {calendars.map((calendar) => (
              <CalendarRow
                calendar={calendar}
                isAdmin={isAdmin}
                key={calendar.id}
                people={people}
                self={self}
                today={today}
              />
            ))}
          </ul>
        </Card>
      )}
      {isAdding && (
        <Suspense>
          <AddCalendar onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </section>
  );
}

/** Describes which public holidays the viewer has. */
function OwnHolidays({
  self,
  calendars,
}: {
  readonly self: Member;
  readonly calendars: readonly HolidayCalendar[];
}) {
  const t = texts.calendar.calendars;
  const {country, region, calendar} = self.holidays;
  const chosen = [
    ...(country === null ? [] : [t.country({country: findCountryName(country), region})]),
    ...calendars.filter(({id}) => id === calendar).map(({name}) => name),
  ];
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <p>{chosen.length === 0 ? t.noneOfYours : t.yours({what: formatList(chosen)})}</p>
        {!isChoosing && (
          <Button onPress={() => setChoosing(true)} size="small">
            {t.chooseRegion}
          </Button>
        )}
      </div>
      {isChoosing && (
        <Suspense>
          <OwnRegion onClose={() => setChoosing(false)} self={self} />
        </Suspense>
      )}
    </>
  );
}

interface CalendarRowProps extends Pick<HolidayCalendarsProps, 'people' | 'today'> {
  readonly calendar: HolidayCalendar;
  readonly isAdmin: boolean;
  readonly self: Member | undefined;
}

function CalendarRow({calendar, people, self, isAdmin, today}: CalendarRowProps) {
  const t = texts.calendar.calendars;
  const {id, name, days, from, until} = calendar;
  const [isOpen, setOpen] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const isOwn = self?.holidays.calendar === id;
  const users = people.filter(({holidays}) => holidays.calendar === id).length;
  const use = useAction(async () => {
    if (self === undefined) return;
    await changeOwnHolidays(self, {calendar: isOwn ? null : id});
    await invalidate('member');
    toast({text: isOwn ? t.stopped : t.used});
  });
  const remove = useAction(async () => {
    const given = {holiday_calendar: id, revision: calendar.revision};
    await send('delete', '/v1/holiday-calendars/{holiday_calendar}', given);
    setDeleting(false);
    toast({text: t.deleted({name})});
    await invalidate('holiday_calendar');
  });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 border-t border-line px-4 py-3 first:border-t-0 max-md:grid-cols-1 [&>[role=alert]]:col-span-full">
      <div className="grid gap-0.5">
        <span className="font-semibold">
          <bdi>{name}</bdi> {isOwn && <Badge tone="holiday">{t.inUse}</Badge>}
        </span>
        <span className="text-sm text-quiet">
          {t.days({days: days.length, from: from.slice(0, 4), until: until.slice(0, 4)})}
          {users > 0 && ` · ${t.usedBy({people: users})}`}
        </span>
      </div>
      <div className="flex flex-wrap gap-2">
        {self !== undefined && (
          <Button isPending={use.isPending} onPress={() => void use.run()} size="small">
            {isOwn ? t.stop : t.use}
          </Button>
        )}
        {isAdmin && (
          <Button kind="danger" onPress={() => setDeleting(true)} size="small">
            {t.delete}
          </Button>
        )}
      </div>
      {use.problem !== undefined && <ProblemNote problem={use.problem} />}
      <details className="col-span-full" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="min-h-6 w-fit cursor-pointer py-0.5 text-accent">{t.show}</summary>
        {isOpen && <HolidayCalendarDays id={id} today={today} />}
      </details>
      {isDeleting && (
        <Suspense>
          <ConfirmDialog
            confirm={t.delete}
            isOpen
            isPending={remove.isPending}
            onClose={() => setDeleting(false)}
            onConfirm={() => void remove.run()}
            problem={remove.problem}
            text={t.deleteText}
            title={t.deleteTitle({name})}
            typed={name}
          />
        </Suspense>
      )}
    </li>
  );
}

/** Lists the days of a holiday calendar by year, from this year on. */
function HolidayCalendarDays({id, today}: {readonly id: string; readonly today: string}) {
  const {data, error, refetch} = useQuery(calendarQuery(id));
  if (error !== null) return <ProblemNote onRetry={() => void refetch()} problem={error} />;
  if (data === undefined) return <Skeleton lines={3} />;
  const coming = data.days.filter(({date}) => date >= today.slice(0, 4));
  const years = Map.groupBy(coming, ({date}) => date.slice(0, 4));
  if (years.size === 0) return <p className="text-sm text-quiet">{texts.calendar.calendars.noDays}</p>;
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(220px,100%),1fr))] gap-4 pt-2">
      {[...years].map(([year, days]) => (
        <div key={year}>
          <h3 className="mb-1 text-sm font-semibold">{year}</h3>
          <ul className="grid gap-0.5 text-sm">
            {days.map(({date, name}) => (
              <li key={date}>
                <time className="inline-block min-w-21 text-quiet" dateTime={date}>
                  {formatDay(date, {weekday: 'short', now: date})}
                </time>{' '}
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
