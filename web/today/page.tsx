import {useQuery} from '@tanstack/react-query';
import {useParams, useSearch} from '@tanstack/react-router';
import {type ComponentType, lazy, Suspense, useEffect, useEffectEvent, useState} from 'react';
import {dayQuery, meQuery, teamQuery} from '../api/queries.ts';
import type {Schema, TeamDay} from '../api/schema.ts';
import {Card} from '../parts/card.tsx';
import {LazyInviteDialog} from '../parts/invites/invite-button.tsx';
import {isNotFound, NoSuchTeam} from '../parts/no-such-team.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {mayLeadTeam, managesWorkspace} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {TeamPages} from '../parts/team-pages.tsx';
import {useNow} from '../parts/use-now.ts';
import {useTitle} from '../parts/use-title.ts';
import {dateInZone, formatDayLong} from '../texts/format.ts';
import {type ExtraMessages, loadTexts, texts} from '../texts/texts.ts';
import {AbsentPeople} from './absent.tsx';
import {Blockers} from './blockers.tsx';
import {Board} from './board.tsx';
import {chooseTeam, forgetTeam, storeTeam} from './choose-team.ts';
import {removeStandups, type ShownDay, type When} from './day.ts';
import {TodayHead} from './head.tsx';
import {dismissProblem, usePendingStates} from './later.ts';
import {openBlockersQuery} from './queries.ts';
import {useGuide} from './setup/use-guide.ts';
import {DaySummary} from './summary.tsx';

const NoTeam = lazyWithTexts('more', async () => (await import('./no-team.tsx')).NoTeam);
const NoMembers = lazyWithTexts('more', async () => (await import('./no-team.tsx')).NoMembers);
const SetupGuide = lazyWithTexts('setup', async () => (await import('./setup/setup-guide.tsx')).SetupGuide);

function lazyWithTexts<Props>(further: ExtraMessages, load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const [component] = await Promise.all([load(), loadTexts(further)]);
    return {default: component};
  });
}

export function TodayPage() {
  const {team: asked} = useParams({strict: false});
  const {date} = useSearch({strict: false});
  const {data: me} = useQuery(meQuery);
  const [, forget] = useState<string>();
  const team = chooseTeam(asked, me);
  if (team !== undefined)
    return (
      <TeamToday
        date={date}
        key={team}
        me={me}
        onGone={() => {
          forgetTeam(team);
          // Renders the page again, without the stored team.
          forget(team);
        }}
        team={team}
      />
    );
  if (me === undefined) return <LoadingToday />;
  return (
    <Suspense fallback={<LoadingToday />}>
      <NoTeam me={me} />
    </Suspense>
  );
}

interface TeamTodayProps {
  readonly team: string;
  readonly onGone: () => void;
  readonly date: string | undefined;
  readonly me: Schema<'Me'> | undefined;
}

function TeamToday({team, onGone, date, me}: TeamTodayProps) {
  const notifyGone = useEffectEvent(onGone);
  const day = useQuery(dayQuery(team, date ?? 'today'));
  const found = useQuery(teamQuery(team));
  useQuery(openBlockersQuery(team));
  const isGone = isNotFound(day.error);
  useEffect(() => {
    if (day.data !== undefined) storeTeam(day.data.team);
    else if (isGone) notifyGone();
  }, [day.data, isGone]);
  const name = found.data?.name ?? me?.teams?.find(({slug}) => slug === team)?.name;
  const isToday = date === undefined;
  useTitle(
    name && (date === undefined ? texts.today.title({team: name}) : `${name}, ${formatDayLong(date)}`),
  );
  const problem = day.error ?? found.error;
  if (isNotFound(found.error))
    return (
      <>
        <TodayHead date={date} isToday={isToday} isUnknown name={team} team={team} zone={undefined} />
        <NoSuchTeam />
      </>
    );
  return (
    <>
      <TodayHead
        date={day.data?.date ?? date}
        isToday={isToday}
        isUnknown={problem !== null}
        name={name}
        team={team}
        zone={day.data?.timezone ?? found.data?.timezone}
      />
      <TeamPages team={team} />
      {problem !== null && (
        <ProblemNote
          onRetry={() => {
            void day.refetch();
            void found.refetch();
          }}
          problem={problem}
        />
      )}
      {day.data !== undefined && me !== undefined ? (
        <TeamDayContent day={day.data} isToday={isToday} key={day.data.date} me={me} team={found.data} />
      ) : (
        problem === null && <LoadingToday />
      )}
    </>
  );
}

interface DayProps {
  readonly day: TeamDay;
  readonly team: Schema<'Team'> | undefined;
  readonly me: Schema<'Me'>;
  readonly isToday: boolean;
}

const columns =
  'grid grid-cols-[minmax(0,1fr)_300px] items-start gap-x-8 gap-y-6 has-[>:only-child]:grid-cols-1 max-[1100px]:grid-cols-1';

function TeamDayContent({day: answered, team, me, isToday}: DayProps) {
  const now = useNow(10_000);
  const {shownAs, problem} = usePendingStates();
  const {refetch} = useQuery(dayQuery(answered.team, isToday ? 'today' : answered.date));
  const {guide, offersZone, setup, isLoading} = useGuide(me, answered, isToday);
  const [isInviting, setInviting] = useState(false);
  const dateNow = dateInZone(now, answered.timezone);
  useEffect(() => {
    // After midnight, loads the day again: today is a new day, unless the run of the last day is still open.
    if (isToday && dateNow !== answered.date) void refetch();
  }, [isToday, dateNow, answered.date, refetch]);

  const day = removeStandups(answered, (id) => shownAs.get(id) === 'deleted', now);
  const isLead = mayLeadTeam(me, day.team);
  const when: When = isToday || day.date === dateNow ? 'today' : day.date < dateNow ? 'past' : 'ahead';
  if (day.people.length === 0) {
    const isManager = managesWorkspace(me);
    return (
      <Suspense>
        <NoMembers me={me} isManager={isManager} team={day.team} />
      </Suspense>
    );
  }
  if (isLoading) return <LoadingToday />;
  const shown: ShownDay = {day, team, me, isLead, when, now};
  const guided = {me, setup, team, onInvite: () => setInviting(true)};
  const isFirst = guide === 'checklist' || guide === 'welcome';
  return (
    <Suspense fallback={<LoadingToday />}>
      {isFirst && <SetupGuide {...guided} guide={guide} />}
      {offersZone && <SetupGuide {...guided} guide="zone" />}
      <DaySummary {...shown} />
      {problem !== undefined && <ProblemNote onRetry={dismissProblem} problem={problem} />}
      {guide === 'checklist' ? (
        day.people.length > 1 && <AbsentPeople {...shown} />
      ) : (
        <div className={columns}>
          <div className="grid grid-cols-1 gap-6">
            <Board {...shown} />
            <AbsentPeople {...shown} />
          </div>
          {when === 'today' && (
            <div className="grid grid-cols-1 gap-6">
              {guide === 'card' && <SetupGuide {...guided} guide={guide} />}
              <Blockers {...shown} />
            </div>
          )}
        </div>
      )}
      {isInviting && <LazyInviteDialog onClose={() => setInviting(false)} team={day.team} />}
    </Suspense>
  );
}

function LoadingToday() {
  return (
    <>
      <div className="mb-6">
        <Card as="div">
          <div className="mb-4 flex items-center gap-7">
            <div className="size-30 flex-none rounded-full border-12 border-inset max-sm:size-22" />
            <div className="shrink basis-60">
              <Skeleton lines={2} />
            </div>
          </div>
          <Skeleton height={112} />
        </Card>
      </div>
      <div className={columns}>
        <div className="grid grid-cols-1 gap-6">
          {[1, 2, 3].map((card) => (
            <Card as="div" key={card}>
              <Skeleton lines={4} />
            </Card>
          ))}
        </div>
      </div>
    </>
  );
}
