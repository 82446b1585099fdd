import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import type {Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {useNow} from '../parts/use-now.ts';
import {words} from '../words/words.ts';
import {AddPeople} from './add-people.tsx';
import {clocksOf, type ClockLine} from './clocks.ts';
import {MemberRow} from './member-row.tsx';
import styles from './members.module.css';
import {type Member, type Place, placesQuery, previewQuery, profilesQuery, type Team} from './queries.ts';
import {SectionCard} from './section.tsx';

interface MembersProps {
  readonly team: Team;
  readonly me: Schema<'Me'>;
  readonly isReadOnly: boolean;
}

/** The members of the team, their roles, and the team's times by their clocks. */
export function MembersSection({team, me, isReadOnly}: MembersProps) {
  const t = words.team.members;
  const places = useInfiniteQuery(placesQuery(team.slug));
  const profiles = useInfiniteQuery({...profilesQuery(team.slug), enabled: places.isSuccess});
  const {data: preview} = useQuery({...previewQuery(team.slug, undefined), enabled: team.schedule !== null});
  const now = useNow(30_000);
  const [said, setSaid] = useState('');
  const rows = (places.data?.pages ?? []).flatMap(({data}) => data).toSorted(byRoleAndName);
  const people = new Map((profiles.data?.pages ?? []).flatMap(({data}) => data.map((one) => [one.id, one])));
  const windows = windowsOf(preview);
  const observers = rows.filter(({role}) => role === 'observer').length;
  const isWhole = !places.hasNextPage;

  function readMore(): void {
    void places.fetchNextPage();
    void profiles.fetchNextPage();
  }

  return (
    <SectionCard
      hint={isWhole && rows.length > 0 ? t.sub(rows.length - observers, observers) : undefined}
      title={t.title}
    >
      {places.error !== null && <ProblemNote onRetry={places.refetch} problem={places.error} />}
      {places.isPending && places.error === null && <Skeleton lines={3} />}
      {places.isSuccess && rows.length === 0 && (
        <Empty icon="people" text={t.none.text} title={t.none.title} />
      )}
      {isWhole && rows.length > 0 && !rows.some(({role}) => role === 'lead') && (
        <p className={styles['note']}>{t.noLeads}</p>
      )}
      {rows.length > 0 && (
        <ul aria-label={t.list} className={styles['list']}>
          {rows.map((place) => (
            <MemberRow
              isReadOnly={isReadOnly}
              isYou={place.member.id === me.principal.id}
              key={place.id}
              now={now}
              onSaid={setSaid}
              place={place}
              team={team}
              window={place.role === 'observer' ? undefined : windows.get(place.member.id ?? '')}
              zone={zoneOf(people.get(place.member.id ?? ''), team)}
            />
          ))}
        </ul>
      )}
      {places.hasNextPage && (
        <div>
          <Button isPending={places.isFetchingNextPage} onPress={readMore} size="small">
            {t.more}
          </Button>
        </div>
      )}
      <span className={styles['said']} role="status">
        {said}
      </span>
      {!isReadOnly && places.isSuccess && <AddPeople onSaid={setSaid} places={rows} team={team} />}
    </SectionCard>
  );
}

const ranks: readonly string[] = ['lead', 'member', 'observer'];

function byRoleAndName(a: Place, b: Place): number {
  return (
    ranks.indexOf(a.role) - ranks.indexOf(b.role) || (a.member.name ?? '').localeCompare(b.member.name ?? '')
  );
}

function zoneOf(person: Member | undefined, team: Team): string | undefined {
  return person === undefined ? undefined : (person.timezone ?? team.timezone);
}

/** The next run's times by each member's clock, by member id. */
function windowsOf(preview: Schema<'SchedulePreview'> | undefined): ReadonlyMap<string, ClockLine> {
  const run = preview?.runs[0];
  if (preview === undefined || run === undefined) return new Map();
  const lines = new Map(clocksOf(run, preview.timezone).map((line) => [line.zone, line]));
  return new Map(
    run.members.flatMap(({id, timezone}) => {
      const line = lines.get(timezone);
      return line === undefined ? [] : [[id, line] as const];
    }),
  );
}
