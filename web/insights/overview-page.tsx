import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {getRouteApi, Link} from '@tanstack/react-router';
import {meQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {buttonClass} from '../parts/button-class.ts';
import {computeTrendLine, toSvgPath} from '../parts/charts/paths.ts';
import {Empty} from '../parts/empty.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {PrivateMark} from '../parts/private-mark.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {mayCreateTeams} from '../parts/rights.ts';
import {Segments} from '../parts/segments.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {useNow} from '../parts/use-now.ts';
import {dateInZone} from '../texts/format.ts';
import {locale, texts} from '../texts/texts.ts';
import {daysBetween} from '../parts/days.ts';
import {CountsTable} from './numbers.tsx';
import {teamsQuery} from './queries.ts';
import {SpanChoice} from './span-choice.tsx';
import {toSpanQuery} from './spans.ts';

const route = getRouteApi('/framed/insights');

export function OverviewPage() {
  const {data: me, error} = useQuery(meQuery);
  if (me !== undefined) return <Overview me={me} />;
  return (
    <>
      <PageHead title={texts.insights.overview.title} />
      {error === null ? <Skeleton height={320} /> : <ProblemNote problem={error} />}
    </>
  );
}

function Overview({me}: {readonly me: Schema<'Me'>}) {
  const search = route.useSearch();
  const today = dateInZone(useNow(60_000));
  const span = toSpanQuery(search, today);
  const isAll = search.teams === 'all';
  const {data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage} = useInfiniteQuery(
    teamsQuery(isAll ? undefined : me.principal.id, span),
  );
  const say = texts.insights.overview;
  const teams = (data?.pages ?? [])
    .flatMap((page) => page.data)
    .toSorted((a, b) => a.team_name.localeCompare(b.team_name, locale, {numeric: true}));
  return (
    <>
      <PageHead title={say.title} />
      <div className="grid grid-cols-1 gap-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Segments label={say.which}>
            {(['mine', 'all'] as const).map((which) => (
              <Link
                activeOptions={{explicitUndefined: true}}
                aria-current={isAll === (which === 'all') ? 'page' : undefined}
                from="/insights"
                key={which}
                replace
                search={(now) => ({...now, teams: which === 'all' ? 'all' : undefined})}
                to="/insights"
              >
                {say[which]}
              </Link>
            ))}
          </Segments>
          <SpanChoice search={search} span={span} today={today} />
        </div>
        {error !== null && <ProblemNote onRetry={() => void refetch()} problem={error} />}
        {data === undefined ? (
          error === null && <Skeleton height={320} />
        ) : teams.length === 0 ? (
          <NoTeams isAll={isAll} mayMake={mayCreateTeams(me)} />
        ) : (
          <CountsTable
            chart={say.trend}
            first={say.team}
            isLabelHidden
            label={texts.insights.title}
            rows={teams.map((team) => ({
              id: team.team_id,
              counts: team.counts,
              head: (
                <Link
                  from="/insights"
                  params={{team: team.team}}
                  search={({span: usual, from, until}) => ({span: usual, from, until})}
                  to="/t/$team/insights"
                >
                  <bdi>{team.team_name}</bdi> {team.visibility === 'private' && <PrivateMark />}
                </Link>
              ),
              chart: <TeamSparkline team={team} />,
            }))}
          />
        )}
        {hasNextPage && (
          <div>
            <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
              {say.more}
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

const size = {width: 160, height: 32, edge: 3};

/** Draws the team's runs on a time axis, so that rows can be compared. */
function TeamSparkline({team}: {readonly team: Schema<'TeamParticipation'>}) {
  const {team_name: name, since, until, by_date: dates = []} = team;
  const say = texts.insights.overview;
  if (dates.length === 0) return <span className="text-quiet">{say.noRun}</span>;
  const days = Math.max(1, daysBetween(since, until));
  const pieces = computeTrendLine(dates.map(({counts}) => counts.participation)).map((piece) =>
    piece.map(({x, y}) => ({
      x: roundToTenths(
        size.edge + (daysBetween(since, dates[x - 0.5]?.date ?? since) / days) * (size.width - 2 * size.edge),
      ),
      y: roundToTenths(size.edge + y * (size.height - 2 * size.edge)),
    })),
  );
  return (
    <svg
      aria-label={say.trendOf({team: name, runs: dates.length})}
      className="block h-8 w-40 overflow-visible fill-none stroke-accent stroke-[1.5px] rtl:-scale-x-100"
      role="img"
      strokeLinecap="round"
      strokeLinejoin="round"
      viewBox={`0 0 ${size.width} ${size.height}`}
    >
      <path d={toSvgPath(pieces)} />
      {pieces.flat().map(({x, y}) => (
        <circle className="fill-accent stroke-none" cx={x} cy={y} key={x} r={1.8} />
      ))}
    </svg>
  );
}

function roundToTenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function NoTeams({isAll, mayMake}: {readonly isAll: boolean; readonly mayMake: boolean}) {
  const {none, noTeams} = texts.insights.overview;
  if (isAll) {
    const make = (
      <Link className={buttonClass({kind: 'first'})} to="/teams/new">
        {texts.frame.newTeam}
      </Link>
    );
    return <Empty action={mayMake && make} icon="people" {...noTeams} />;
  }
  const {title, text, action} = none;
  const all = (
    <Link from="/insights" search={(now) => ({...now, teams: 'all'})} to="/insights">
      {action}
    </Link>
  );
  return <Empty action={all} icon="people" text={text} title={title} />;
}
