import {useQuery} from '@tanstack/react-query';
import {getRouteApi, Link} from '@tanstack/react-router';
import {lazy, Suspense, useState} from 'react';
import {meQuery, teamQuery} from '../api/queries.ts';
import type {Absence, Me} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {everyTeam, readTeamsFromUrl} from '../parts/every-team.ts';
import {PageHead} from '../parts/page-head.tsx';
import {useAskedPanel} from '../parts/palette/asked-panel.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {useNarrow} from '../parts/use-media.ts';
import {useNow} from '../parts/use-now.ts';
import {dateInZone} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {AbsenceFormContent} from './absence-form.ts';
import {Agenda} from './agenda.tsx';
import {AwayThisWeek} from './away.tsx';
import {buildDayOffBars} from './bars.ts';
import {listDaysOfMonth, formatMonth} from './dates.ts';
import {CalendarFilters} from './filters.tsx';
import {HolidayCalendars} from './holiday-calendars.tsx';
import {MonthLegend, Month} from './month.tsx';
import {MonthSwitch} from './month-switch.tsx';
import {absencesQuery, calendarsQuery, holidaysQuery, peopleQuery, type TeamSlugs} from './queries.ts';
import {mayEnterAbsencesFor} from './rights.ts';
import {sortViewerFirst, isFreeDay} from './shown.ts';

const AbsenceSheet = lazy(async () => ({default: (await import('./absence-sheet.tsx')).AbsenceSheet}));

const route = getRouteApi('/framed/calendar');

export function CalendarPage() {
  const {data: me, error} = useQuery(meQuery);
  if (me !== undefined) return <Calendar me={me} />;
  return (
    <>
      <PageHead title={texts.frame.pages.calendar} />
      {error === null ? <Skeleton height={320} /> : <ProblemNote problem={error} />}
    </>
  );
}

function Calendar({me}: {readonly me: Me}) {
  const t = texts.calendar;
  const search = route.useSearch();
  const isNarrow = useNarrow();
  const view = search.view ?? (isNarrow ? 'list' : 'month');
  const today = dateInZone(useNow(60_000), me.timezone ?? undefined);
  const month = search.month ?? today.slice(0, 7);
  const days = listDaysOfMonth(month);
  const isNowhere = search.team === undefined && (me.teams?.length ?? 0) === 0;
  const teams = readTeamsFromUrl(search.team, me);
  const people = useQuery({...peopleQuery(teams), enabled: !isNowhere});
  const absences = useQuery({
    ...absencesQuery(teams, days[0] ?? '', days.at(-1) ?? ''),
    enabled: !isNowhere,
    placeholderData: (before) => before,
  });
  const {data: calendars = []} = useQuery(calendarsQuery);
  const holidays = useQuery({
    ...holidaysQuery(teams, days[0] ?? '', days.at(-1) ?? ''),
    enabled: !isNowhere,
    placeholderData: (before) => before,
  });
  const isFree = useFreeDays(teams);
  const [opened, setOpened] = useState<AbsenceFormContent>();
  useAskedPanel('absence', () => setOpened({}));

  const sorted = sortViewerFirst(people.data?.rows ?? [], me);
  const shown = search.person === undefined ? sorted : sorted.filter(({id}) => id === search.person);
  const rows = buildDayOffBars(shown, absences.data?.rows ?? [], holidays.data ?? new Map(), days);
  const problem = people.error ?? absences.error ?? holidays.error;
  const hasMore = people.data?.hasMore === true || absences.data?.hasMore === true;
  const seen = {month, days, rows, today, me: me.principal.id};
  const open = (absence: Absence): void => setOpened({absence});
  return (
    <div className="grid gap-5 *:min-w-0 [&>header]:mb-0">
      <PageHead
        actions={
          <Button icon="plus" kind="first" onPress={() => setOpened({})}>
            {t.add}
          </Button>
        }
        title={texts.frame.pages.calendar}
      />
      <CalendarFilters me={me} people={sorted} search={search} view={view} />
      {isNowhere ? (
        <Empty
          action={
            <Link search={(now) => ({...now, team: everyTeam})} to="/calendar">
              {t.everyTeam}
            </Link>
          }
          icon="people"
          {...t.empty.noTeam}
        />
      ) : (
        <>
          {people.data !== undefined && (
            <AwayThisWeek me={me.principal.id} people={shown} teams={teams} today={today} />
          )}
          <MonthSwitch month={month} today={today} />
          {problem !== null && (
            <ProblemNote
              onRetry={() => {
                void people.refetch();
                void absences.refetch();
                void holidays.refetch();
              }}
              problem={problem}
            />
          )}
          {people.data === undefined || absences.data === undefined ? (
            problem === null && <Skeleton height={320} />
          ) : shown.length === 0 ? (
            <Empty icon="people" {...t.empty.noMembers} />
          ) : view === 'list' ? (
            <Agenda {...seen} onOpen={open} />
          ) : (
            <>
              <Month
                {...seen}
                isFree={isFree}
                key={month}
                mayEnter={(person) => mayEnterAbsencesFor(me, person)}
                onEnter={(person, from, until) => setOpened({person, from, until})}
                onOpen={open}
              />
              <MonthLegend hint={t.drag} />
            </>
          )}
          {hasMore && <p className="text-quiet">{t.tooMany}</p>}
        </>
      )}
      <HolidayCalendars calendars={calendars} me={me} people={sorted} today={today} />
      {opened !== undefined && (
        <Suspense>
          <AbsenceSheet
            me={me}
            onClose={() => setOpened(undefined)}
            opened={opened}
            people={sorted}
            team={teams?.length === 1 ? teams[0] : undefined}
            today={today}
          />
        </Suspense>
      )}
      <span className="sr-only" role="status">
        {formatMonth(month)}
      </span>
    </div>
  );
}

/** Tells which days have no standups: by the team's schedule if one team is shown, otherwise the weekend. */
function useFreeDays(teams: TeamSlugs): (date: string) => boolean {
  const [only = '', more] = teams ?? [];
  const isSingle = only !== '' && more === undefined;
  const {data} = useQuery({...teamQuery(only), enabled: isSingle});
  return (date) => isFreeDay(date, isSingle ? data?.schedule : undefined);
}
