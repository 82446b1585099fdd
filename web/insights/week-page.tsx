import {useQuery} from '@tanstack/react-query';
import {getRouteApi, Link} from '@tanstack/react-router';
import {lazy, Suspense, useState} from 'react';
import {meQuery, teamQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {addDays, isValidDate} from '../parts/days.ts';
import {Icon} from '../parts/icon.tsx';
import {isNotFound, NoSuchTeam} from '../parts/no-such-team.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {managesWorkspace, mayLeadTeam} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {neighbourLink, TeamPages} from '../parts/team-pages.tsx';
import {useNow} from '../parts/use-now.ts';
import {dateInZone, formatDay, formatNumber, formatSpan} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {CountsTable} from './numbers.tsx';
import './print.css';
import {weekQuery} from './queries.ts';
import {BlockerTrends, QuestionTrends} from './trend-charts.tsx';
import {listAnswerColumns, listBlockerColumns} from './trend-columns.ts';

const SharePanel = lazy(async () => ({default: (await import('./share-panel.tsx')).SharePanel}));

const route = getRouteApi('/framed/t/$team/weeks/$monday');

/** A team's week to read, print and save as PDF. */
export function WeekPage() {
  const {team, monday} = route.useParams();
  const {data: me} = useQuery(meQuery);
  const found = useQuery(teamQuery(team));
  const {data, error, refetch} = useQuery(weekQuery(team, monday));
  const [isSharing, setSharing] = useState(false);
  const say = texts.trends.weekPage;
  const name = found.data?.name ?? me?.teams?.find(({slug}) => slug === team)?.name ?? team;
  const isDate = isValidDate(monday);
  const title = say.title({team: name, days: isDate ? formatSpan(monday, addDays(monday, 6)) : monday});
  if (isNotFound(found.error))
    return (
      <>
        <PageHead title={title} />
        <NoSuchTeam />
      </>
    );
  return (
    <>
      <PageHead
        actions={
          isDate && (
            <>
              <WeekActions monday={monday} team={team} />
              {mayShare(me, found.data) && (
                <Button aria-expanded={isSharing} icon="link" onPress={() => setSharing(!isSharing)}>
                  {say.share}
                </Button>
              )}
            </>
          )
        }
        title={title}
      />
      <TeamPages team={team} />
      {isSharing && found.data !== undefined && (
        <div className="mb-4 print:hidden">
          <Suspense fallback={<Skeleton height={160} />}>
            <SharePanel mayName={found.data.names_missing} monday={monday} team={team} />
          </Suspense>
        </div>
      )}
      {error !== null && <ProblemNote onRetry={() => void refetch()} problem={error} />}
      {data === undefined ? error === null && <Skeleton height={320} /> : <WeekReport week={data} />}
    </>
  );
}

/** Leads share the weeks of an open team; only owners and admins those of a private one. */
function mayShare(me: Schema<'Me'> | undefined, team: Schema<'Team'> | undefined): boolean {
  if (me === undefined || team === undefined) return false;
  return team.visibility === 'private' ? managesWorkspace(me) : mayLeadTeam(me, team.slug);
}

function WeekActions({team, monday}: {readonly team: string; readonly monday: string}) {
  const say = texts.trends.weekPage;
  const next = addDays(monday, 7);
  const isLast = next > dateInZone(useNow(60_000));
  const go = (to: string, icon: 'chevron-left' | 'chevron-right', label: string, isOff = false) => (
    <Link
      aria-label={label}
      className={neighbourLink}
      disabled={isOff}
      params={{team, monday: to}}
      title={label}
      to="/t/$team/weeks/$monday"
    >
      <Icon name={icon} />
    </Link>
  );
  return (
    <>
      <nav aria-label={say.neighbours} className="flex items-center gap-2">
        <Link params={{team}} to="/t/$team/insights">
          {texts.insights.run.back}
        </Link>
        {go(addDays(monday, -7), 'chevron-left', say.previous)}
        {go(next, 'chevron-right', say.next, isLast)}
      </nav>
      <Button onPress={() => print()}>{say.print}</Button>
    </>
  );
}

function WeekReport({week}: {readonly week: Schema<'TeamWeek'>}) {
  const {team, participation, trends} = week;
  const {counts, by_date: dates, by_member: members} = participation;
  const say = texts.trends.weekPage;
  const {sum, notAsked, numbers, map} = texts.insights;
  return (
    <div className="grid grid-cols-1 gap-4">
      <p>
        {dates.length === 0
          ? say.noRun
          : counts.participation === null
            ? notAsked({runs: dates.length})
            : sum({
                written: counts.posted + counts.late,
                expected: counts.expected,
                share: formatNumber(counts.participation, {style: 'percent'}),
                runs: dates.length,
              })}
      </p>
      {dates.length > 0 && (
        <>
          <CountsTable
            first={numbers.member}
            label={numbers.byMember}
            rows={members.map(({member: {id, name}, counts: own}) => ({
              id,
              counts: own,
              head: (
                <Link params={{member: id}} to="/people/$member">
                  <bdi>{name ?? map.gone}</bdi>
                </Link>
              ),
            }))}
          />
          <CountsTable
            first={numbers.date}
            label={numbers.byDate}
            rows={dates.map(({date, counts: own}) => ({
              id: date,
              counts: own,
              head: (
                <Link params={{team, date}} to="/t/$team/runs/$date">
                  {formatDay(date, {weekday: true})}
                </Link>
              ),
            }))}
          />
        </>
      )}
      <WeekBlockers blockers={week.blockers} />
      {trends !== null && (
        <section aria-labelledby="trends" className="grid grid-cols-1 gap-4">
          <h2 id="trends">{say.trends}</h2>
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
            <QuestionTrends columns={listAnswerColumns(trends)} trends={trends} />
            <BlockerTrends columns={listBlockerColumns(trends)} trends={trends} />
          </div>
        </section>
      )}
    </div>
  );
}

function WeekBlockers({blockers}: {readonly blockers: Schema<'TeamWeek'>['blockers']}) {
  const {raised, resolved, open} = blockers;
  const say = texts.trends.weekPage;
  return (
    <Card labelledBy="blockers">
      <h2 id="blockers">{say.blockers}</h2>
      <p>{say.blockerCounts({raised, resolved, open: open.length})}</p>
      {open.length > 0 && (
        <ul className="mt-1 grid gap-1">
          {open.map(({id, author, text, since}) => (
            <li key={id}>
              <bdi className="font-semibold">{author.name}</bdi> <bdi>{text}</bdi>{' '}
              <span className="text-quiet">{say.since({day: formatDay(since)})}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
