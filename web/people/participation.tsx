import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {Problem} from '../api/problem.ts';
import type {Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {findStatusColour} from '../parts/status-colour.ts';
import {StatusMark} from '../parts/status-mark.tsx';
import {dateInZone, formatNumber} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {PersonProfile} from './found-person.ts';
import {participationQuery} from './queries.ts';

const spans = [30, 90, 366] as const;
const states = ['posted', 'late', 'missed', 'unreachable', 'away', 'holiday', 'skipped'] as const;

/** Counts a member's statuses in the closed runs of each team, without comparison to others. */
export function Participation({person}: {readonly person: PersonProfile}) {
  const [days, setDays] = useState<number>(spans[0]);
  const {participation: t} = texts.people;
  const since = dateInZone(Date.now() - (days - 1) * 86_400_000);
  const {data, error, refetch} = useQuery(participationQuery(person.id, since));
  // A removed person is no longer in any team.
  const isGone = error instanceof Problem && error.status === 404;
  if (isGone || data?.by_team.length === 0)
    return <Empty icon="people" text={t.noTeamText} title={t.noTeam} />;
  return (
    <div className="grid gap-4">
      <div aria-label={t.span} className="flex flex-wrap gap-2" role="group">
        {spans.map((span) => (
          <Button aria-pressed={span === days} key={span} onPress={() => setDays(span)} size="small">
            {span > 360 ? t.year : t.days({days: span})}
          </Button>
        ))}
      </div>
      {error !== null && <ProblemNote onRetry={() => void refetch()} problem={error} />}
      {data === undefined && error === null && <Skeleton lines={2} />}
      {data?.by_team.map(({team_id: id, team_name: name, counts}) => (
        <Card key={id} labelledBy={`of-${id}`}>
          <h2 id={`of-${id}`}>{name}</h2>
          <TeamCounts counts={counts} team={name} />
        </Card>
      ))}
    </div>
  );
}

interface CountsProps {
  readonly counts: Schema<'RunCounts'>;
  readonly team: string;
}

function TeamCounts({counts, team}: CountsProps) {
  const {participation: t} = texts.people;
  const total = states.reduce((sum, state) => sum + counts[state], 0);
  if (total === 0) return <p className="mt-1 text-quiet">{t.none}</p>;
  const written = counts.posted + counts.late;
  return (
    <>
      <p className="mt-1 mb-3 text-quiet">
        {counts.participation === null
          ? t.notAsked
          : t.sum({
              written,
              expected: counts.expected,
              share: formatNumber(counts.participation, {style: 'percent'}),
            })}
      </p>
      <div aria-hidden="true" className="mb-4 flex h-3 gap-0.5 overflow-hidden rounded-md">
        {states
          .filter((state) => counts[state] > 0)
          .map((state) => (
            <span
              className="min-w-1 basis-0 forced-color-adjust-none"
              key={state}
              style={{flexGrow: counts[state], background: findStatusColour(state)}}
            />
          ))}
      </div>
      <dl
        aria-label={t.counts({team})}
        className="grid grid-cols-[repeat(auto-fill,minmax(160px,1fr))] gap-x-6 gap-y-2"
      >
        {states.map((state) => (
          <div className="flex justify-between gap-2 border-b border-line py-1" key={state}>
            <dt className="inline-flex items-center gap-2">
              <StatusMark hasText status={state} />
            </dt>
            <dd className={`font-semibold ${counts[state] === 0 ? 'text-quiet' : ''}`}>
              {formatNumber(counts[state])}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
