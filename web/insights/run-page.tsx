import {useQuery} from '@tanstack/react-query';
import {getRouteApi, Link} from '@tanstack/react-router';
import {Problem} from '../api/problem.ts';
import {dayQuery, meQuery, teamQuery} from '../api/queries.ts';
import type {Run} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {Empty} from '../parts/empty.tsx';
import {Icon} from '../parts/icon.tsx';
import {isNotFound, NoSuchTeam} from '../parts/no-such-team.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {neighbourLink, TeamPages} from '../parts/team-pages.tsx';
import {formatDayLong, formatViewerAndTeamTime, formatZone} from '../texts/format.ts';
import {findText, texts} from '../texts/texts.ts';
import {addDays} from '../parts/days.ts';
import {listOutcomes} from './outcomes.ts';
import {neighbourQuery, runQuery} from './queries.ts';
import {RunPeople} from './run-people.tsx';
import {RunReminders} from './run-reminders.tsx';

const route = getRouteApi('/framed/t/$team/runs/$date');

export function RunPage() {
  const {team, date} = route.useParams();
  const {data: me} = useQuery(meQuery);
  const found = useQuery(teamQuery(team));
  const run = useQuery(runQuery(team, date));
  const isThere = run.data !== undefined;
  const day = useQuery({...dayQuery(team, date), enabled: isThere});
  const say = texts.insights.run;
  const name = found.data?.name ?? me?.teams?.find(({slug}) => slug === team)?.name ?? team;
  const isNone = isNotFound(run.error) && found.error === null;
  const isDate = !(run.error instanceof Problem && run.error.status === 400);
  if (isNotFound(found.error))
    return (
      <>
        <PageHead title={say.title({team: name, date: isDate ? formatDayLong(date) : date})} />
        <NoSuchTeam />
      </>
    );
  return (
    <>
      <PageHead
        actions={isDate && <NeighbourRuns date={date} team={team} />}
        sub={isThere && <RunFacts run={run.data} />}
        title={say.title({team: name, date: isDate ? formatDayLong(date) : date})}
      />
      <TeamPages team={team} />
      <div className="grid grid-cols-1 gap-6">
        {isNone ? (
          <NoRun date={date} team={team} />
        ) : (
          run.error !== null && <ProblemNote onRetry={() => void run.refetch()} problem={run.error} />
        )}
        {day.error !== null && <ProblemNote onRetry={() => void day.refetch()} problem={day.error} />}
        {isThere && (day.data !== undefined || day.error !== null) ? (
          <>
            <RunPeople
              date={date}
              me={me?.principal.id}
              outcomes={listOutcomes(run.data, day.data)}
              questions={found.data?.questions}
            />
            <RunReminders run={run.data} />
          </>
        ) : (
          run.error === null && day.error === null && <Skeleton height={320} />
        )}
      </div>
    </>
  );
}

function RunFacts({run}: {readonly run: Run}) {
  const say = texts.insights.run;
  const {state, kind, timezone, report} = run;
  const counts = report?.counts;
  const why = {missed: say.whyMissed, cancelled: say.whyCancelled}[state];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge>{findText(say.states, state) ?? state}</Badge>
      {kind === 'ad_hoc' && <span>{say.adHoc}</span>}
      <span>
        {say.times({
          opens: formatViewerAndTeamTime(run.opened_at ?? run.opens_at, timezone, run.date),
          closes: formatViewerAndTeamTime(run.closed_at ?? run.closes_at, timezone, run.date),
          zone: formatZone(timezone, run.opens_at),
        })}
      </span>
      {counts !== undefined && counts.expected > 0 && (
        <span>{say.sum({written: counts.posted + counts.late, expected: counts.expected})}</span>
      )}
      {counts !== undefined && counts.late > 0 && <span>{say.late({amount: counts.late})}</span>}
      {why !== undefined && <span>{why}</span>}
    </div>
  );
}

function NeighbourRuns({team, date}: {readonly team: string; readonly date: string}) {
  const say = texts.insights.run;
  const before = useQuery(neighbourQuery(team, {until: addDays(date, -1)}));
  const after = useQuery(neighbourQuery(team, {since: addDays(date, 1)}));
  const go = (to: string | null | undefined, icon: 'chevron-left' | 'chevron-right', label: string) => {
    const title = typeof to === 'string' ? `${label}: ${formatDayLong(to)}` : label;
    return (
      <Link
        aria-label={title}
        className={neighbourLink}
        disabled={typeof to !== 'string'}
        params={{team, date: to ?? date}}
        title={title}
        to="/t/$team/runs/$date"
      >
        <Icon name={icon} />
      </Link>
    );
  };
  return (
    <nav aria-label={say.neighbours} className="flex items-center gap-2">
      <Link params={{team}} to="/t/$team/insights">
        {say.back}
      </Link>
      {go(before.data, 'chevron-left', say.previous)}
      {go(after.data, 'chevron-right', say.next)}
    </nav>
  );
}

function NoRun({team, date}: {readonly team: string; readonly date: string}) {
  const {title, text, action} = texts.insights.run.none;
  const day = (
    <Link params={{team}} search={{date}} to="/t/$team">
      {action}
    </Link>
  );
  return <Empty action={day} icon="today" text={text} title={title} />;
}
