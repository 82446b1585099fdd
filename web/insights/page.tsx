import {useQuery} from '@tanstack/react-query';
import {getRouteApi, Link} from '@tanstack/react-router';
import {lazy, Suspense, useMemo, useState} from 'react';
import {meQuery, teamQuery} from '../api/queries.ts';
import type {RunCounts, Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {addDays, weekdayOf} from '../parts/days.ts';
import {Empty} from '../parts/empty.tsx';
import {isNotFound, NoSuchTeam} from '../parts/no-such-team.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {mayLeadTeam} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {StatusMark} from '../parts/status-mark.tsx';
import {TeamPages} from '../parts/team-pages.tsx';
import {useNow} from '../parts/use-now.ts';
import {dateInZone, formatNumber} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {Chart} from './chart.tsx';
import {findReasonForNoChart} from './counts.ts';
import {computeHeatMap, states} from './heat-map.ts';
import {NumberTables} from './numbers.tsx';
import {participationQuery} from './queries.ts';
import {SpanChoice} from './span-choice.tsx';
import {findChosenSpan, toSpanQuery} from './spans.ts';

const TrendsSection = lazy(async () => ({default: (await import('./trends.tsx')).TrendsSection}));
const ExportPanel = lazy(async () => ({default: (await import('./export-panel.tsx')).ExportPanel}));

const route = getRouteApi('/framed/t/$team/insights');

/** A chart of attendance by day with the reasons for absence, sorted by name to avoid a ranking. */
export function InsightsPage() {
  const {team} = route.useParams();
  const search = route.useSearch();
  const today = dateInZone(useNow(60_000));
  const span = toSpanQuery(search, today);
  const {data: me} = useQuery(meQuery);
  const found = useQuery(teamQuery(team));
  const participation = useQuery({
    ...participationQuery(team, span),
    placeholderData: (before) => (before?.team === team ? before : undefined),
  });
  const [isExporting, setExporting] = useState(false);
  const say = texts.insights;
  const name = found.data?.name ?? me?.teams?.find(({slug}) => slug === team)?.name ?? team;
  const {data, error} = participation;
  if (isNotFound(found.error))
    return (
      <>
        <PageHead title={say.titleOf({team: name})} />
        <NoSuchTeam />
      </>
    );
  return (
    <>
      <PageHead
        actions={
          data !== undefined && (
            <>
              <Link params={{team, monday: addDays(today, -weekdayOf(today))}} to="/t/$team/weeks/$monday">
                {say.week}
              </Link>
              <Button aria-expanded={isExporting} icon="download" onPress={() => setExporting(!isExporting)}>
                {say.export.open}
              </Button>
            </>
          )
        }
        title={say.titleOf({team: name})}
      />
      <TeamPages team={team} />
      <div className="grid grid-cols-1 gap-4">
        <SpanChoice search={search} span={span} today={today} />
        {isExporting && data !== undefined && (
          <Suspense fallback={<Skeleton height={160} />}>
            <ExportPanel since={data.since} team={data.team} until={data.until} />
          </Suspense>
        )}
        {error !== null && <ProblemNote onRetry={() => void participation.refetch()} problem={error} />}
        {data === undefined
          ? error === null && <Skeleton height={320} />
          : me !== undefined && (
              <ParticipationReport
                isLong={findChosenSpan(search) === 'quarter'}
                key={`${data.since} ${data.until}`}
                me={me}
                participation={data}
                team={found.data}
              />
            )}
        {data !== undefined && me !== undefined && (
          <Suspense fallback={<Skeleton height={320} />}>
            <TrendsSection
              by={search.by ?? 'week'}
              mayAsk={mayLeadTeam(me, data.team)}
              questions={found.data?.questions}
              span={{since: data.since, until: data.until}}
              team={data.team}
            />
          </Suspense>
        )}
      </div>
    </>
  );
}

function ParticipationReport({
  participation,
  team,
  me,
  isLong,
}: {
  readonly participation: Schema<'Participation'>;
  readonly team: Schema<'Team'> | undefined;
  readonly me: Schema<'Me'>;
  readonly isLong: boolean;
}) {
  const {team: slug, counts, by_date, by_member} = participation;
  const map = useMemo(() => computeHeatMap(participation), [participation]);
  const lack = findReasonForNoChart(by_date.length, by_member.length, team?.schedule);
  if (lack === 'no-members') return <NoMembers slug={slug} />;
  if (lack !== undefined) return <NoRun isLong={isLong} me={me} lack={lack} slug={slug} />;
  return (
    <>
      <TotalCounts counts={counts} runs={by_date.length} />
      <section aria-label={texts.insights.map.heading}>
        <Chart map={map} me={me.principal.id} team={slug} />
      </section>
      <ChartLegend counts={counts} />
      <NumberTables map={map} team={slug} />
    </>
  );
}

function TotalCounts({counts, runs}: {readonly counts: RunCounts; readonly runs: number}) {
  const say = texts.insights;
  const {expected, posted, late, participation} = counts;
  if (participation === null) return <p>{say.notAsked({runs})}</p>;
  return (
    <p>
      {say.sum({
        written: posted + late,
        expected,
        share: formatNumber(participation, {style: 'percent'}),
        runs,
      })}{' '}
      <span className="text-quiet">{say.daysOff}</span>
    </p>
  );
}

function ChartLegend({counts}: {readonly counts: RunCounts}) {
  const say = texts.insights.map;
  return (
    <ul
      aria-label={say.legend}
      className="flex flex-wrap gap-x-4 gap-y-1.5 text-xs/5 *:inline-flex *:items-center *:gap-1.5"
    >
      {states
        .filter((status) => counts[status] > 0)
        .map((status) => (
          <li key={status}>
            <StatusMark hasText status={status} />
          </li>
        ))}
      {counts.holiday > 0 && (
        <li>
          <span
            aria-hidden="true"
            className="size-5 rounded-sm bg-holiday/18 forced-colors:border-x-2 forced-colors:border-dotted"
          />
          {say.hasHoliday}
        </li>
      )}
    </ul>
  );
}

interface NoRunProps {
  readonly slug: string;
  readonly lack: 'no-schedule' | 'no-run';
  readonly me: Schema<'Me'>;
  readonly isLong: boolean;
}

function NoRun({slug, lack, me, isLong}: NoRunProps) {
  const say = texts.insights.empty;
  if (lack === 'no-schedule') {
    const {title, text, lead, member} = say.noSchedule;
    const action = mayLeadTeam(me, slug) ? (
      <Link params={{team: slug}} to="/t/$team/settings">
        {lead}
      </Link>
    ) : (
      <Link params={{team: slug}} to="/t/$team">
        {member}
      </Link>
    );
    return <Empty action={action} icon="today" text={text} title={title} />;
  }
  const longer = isLong ? undefined : (
    <Link params={{team: slug}} search={{span: 'quarter'}} to="/t/$team/insights">
      {say.longer}
    </Link>
  );
  return <Empty action={longer} icon="today" text={say.text} title={say.title} />;
}

function NoMembers({slug}: {readonly slug: string}) {
  const {title, text, action} = texts.insights.empty.noMembers;
  const settings = (
    <Link params={{team: slug}} to="/t/$team/settings">
      {action}
    </Link>
  );
  return <Empty action={settings} icon="people" text={text} title={title} />;
}
