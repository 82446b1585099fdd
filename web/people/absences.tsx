import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {Badge} from '../parts/badge.tsx';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TeamName} from '../parts/standups/team-name.tsx';
import {StatusMark} from '../parts/status-mark.tsx';
import {meQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {mayUse} from '../parts/rights.ts';
import {dateInZone, formatSpan} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {PersonProfile} from './found-person.ts';
import {absencesQuery} from './queries.ts';
import {splitAbsences} from './split-absences.ts';
import {personRowClass, RowSection} from './row-section.tsx';

export function Absences({person}: {readonly person: PersonProfile}) {
  const {data: me} = useQuery(meQuery);
  if (me === undefined || mayUse(me, 'members:read')) return <AbsenceList person={person} />;
  const {hidden, hiddenText} = texts.people.absences;
  return <Empty icon="moon" text={hiddenText} title={hidden} />;
}

function AbsenceList({person}: {readonly person: PersonProfile}) {
  const {data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage} = useInfiniteQuery(
    absencesQuery(person.id),
  );
  const {absences: t} = texts.people;
  if (data === undefined) {
    return error === null ? <Skeleton lines={4} /> : <ProblemNote onRetry={refetch} problem={error} />;
  }
  const all = data.pages.flatMap((page) => page.data);
  const today = dateInZone(Date.now(), person.timezone);
  const {coming, past} = splitAbsences(all, today);
  const calendar = person.isMe && <Link to="/calendar">{t.change}</Link>;
  if (all.length === 0 && !hasNextPage) {
    return <Empty action={calendar} icon="moon" text={t.noneText} title={t.none} />;
  }
  return (
    <div className="grid justify-items-start gap-6">
      {calendar}
      <AbsenceGroup absences={coming} none={t.noneComing} title={t.coming} today={today} />
      {(past.length > 0 || hasNextPage) && (
        <AbsenceGroup absences={past} none={t.nonePast} title={t.past} today={today} />
      )}
      {error !== null && <ProblemNote onRetry={() => fetchNextPage()} problem={error} />}
      {hasNextPage && error === null && (
        <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {texts.history.more}
        </Button>
      )}
    </div>
  );
}

interface AbsenceGroupProps {
  readonly title: string;
  readonly none: string;
  readonly absences: readonly Schema<'Absence'>[];
  readonly today: string;
}

function AbsenceGroup({title, none, absences, today}: AbsenceGroupProps) {
  return (
    <RowSection title={title}>
      {absences.length === 0 ? (
        <p className="text-quiet">{none}</p>
      ) : (
        <Card as="div" padding="none">
          <ul className="divide-y divide-line">
            {absences.map((absence) => (
              <AbsenceRow absence={absence} key={absence.id} today={today} />
            ))}
          </ul>
        </Card>
      )}
    </RowSection>
  );
}

function AbsenceRow({absence, today}: {readonly absence: Schema<'Absence'>; readonly today: string}) {
  const {absences: t} = texts.people;
  const {kind, from, until, reason, team, member, created_by: by} = absence;
  const isNow = from <= today && (until === null || until >= today);
  return (
    <li className={personRowClass}>
      <StatusMark status={kind === 'skip' ? 'skipped' : kind} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap gap-x-2 gap-y-0.5">
          <span className="font-medium">{formatSpan(from, until)}</span>
          {isNow && <Badge tone="away">{t.now}</Badge>}
          {reason !== null && <bdi>{reason}</bdi>}
        </p>
        <p className="text-xs text-quiet">
          {kind === 'skip' ? t.skip : t.away}
          {team !== null && (
            <>
              {' · '}
              <TeamName team={team} />
            </>
          )}
          {by.id !== member.id && ` · ${t.by({name: by.name})}`}
        </p>
      </div>
    </li>
  );
}
