import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import type {Member, Schema, Team} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {InviteButton} from '../parts/invites/invite-button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {mayInvite} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {useNow} from '../parts/use-now.ts';
import {texts} from '../texts/texts.ts';
import {AddPeople} from './add-people.tsx';
import {listClockLines, type ClockLine} from './clocks.ts';
import {MemberRow} from './member-row.tsx';
import {type Membership, membershipsQuery, previewQuery, profilesQuery} from './queries.ts';
import {SectionCard} from './section.tsx';

interface MembersProps {
  readonly team: Team;
  readonly me: Schema<'Me'>;
  readonly isReadOnly: boolean;
}

export function MembersSection({team, me, isReadOnly}: MembersProps) {
  const t = texts.team.members;
  const memberships = useInfiniteQuery(membershipsQuery(team.slug));
  const profiles = useInfiniteQuery({...profilesQuery(team.slug), enabled: memberships.isSuccess});
  const {data: preview} = useQuery({...previewQuery(team.slug, undefined), enabled: team.schedule !== null});
  const now = useNow(30_000);
  const [said, setSaid] = useState('');
  const rows = (memberships.data?.pages ?? []).flatMap(({data}) => data).toSorted(compareByRoleAndName);
  const people = new Map((profiles.data?.pages ?? []).flatMap(({data}) => data.map((one) => [one.id, one])));
  const windows = findWindowsByMember(preview);
  const observers = rows.filter(({role}) => role === 'observer').length;
  const isWhole = !memberships.hasNextPage;

  function loadMoreMembers(): void {
    void memberships.fetchNextPage();
    void profiles.fetchNextPage();
  }

  return (
    <SectionCard
      hint={isWhole && rows.length > 0 ? t.sub({people: rows.length - observers, observers}) : undefined}
      title={t.title}
    >
      {memberships.error !== null && (
        <ProblemNote onRetry={memberships.refetch} problem={memberships.error} />
      )}
      {memberships.isPending && memberships.error === null && <Skeleton lines={3} />}
      {memberships.isSuccess && rows.length === 0 && (
        <Empty icon="people" text={t.none.text} title={t.none.title} />
      )}
      {isWhole && rows.length > 0 && !rows.some(({role}) => role === 'lead') && (
        <p className="text-xs text-quiet">{t.noLeads}</p>
      )}
      {rows.length > 0 && (
        <ul aria-label={t.list} className="grid">
          {rows.map((membership) => (
            <MemberRow
              isReadOnly={isReadOnly}
              isYou={membership.member.id === me.principal.id}
              key={membership.id}
              now={now}
              onSaid={setSaid}
              membership={membership}
              team={team}
              window={membership.role === 'observer' ? undefined : windows.get(membership.member.id ?? '')}
              zone={findMemberZone(people.get(membership.member.id ?? ''), team)}
            />
          ))}
        </ul>
      )}
      {memberships.hasNextPage && (
        <div>
          <Button isPending={memberships.isFetchingNextPage} onPress={loadMoreMembers} size="small">
            {t.more}
          </Button>
        </div>
      )}
      <span className="sr-only" role="status">
        {said}
      </span>
      {!isReadOnly && memberships.isSuccess && (
        <>
          <AddPeople onSaid={setSaid} memberships={rows} team={team} />
          {mayInvite(me, team.slug) && (
            <div>
              <InviteButton team={team.slug} />
            </div>
          )}
        </>
      )}
    </SectionCard>
  );
}

const ranks: readonly string[] = ['lead', 'member', 'observer'];

function compareByRoleAndName(a: Membership, b: Membership): number {
  return (
    ranks.indexOf(a.role) - ranks.indexOf(b.role) || (a.member.name ?? '').localeCompare(b.member.name ?? '')
  );
}

function findMemberZone(person: Member | undefined, team: Team): string | undefined {
  return person === undefined ? undefined : (person.timezone ?? team.timezone);
}

/** Returns the times of the next run by each member's clock, by member id. */
function findWindowsByMember(preview: Schema<'SchedulePreview'> | undefined): ReadonlyMap<string, ClockLine> {
  const run = preview?.runs[0];
  if (preview === undefined || run === undefined) return new Map();
  const lines = new Map(listClockLines(run, preview.timezone).map((line) => [line.zone, line]));
  return new Map(
    run.members.flatMap(({id, timezone}) => {
      const line = lines.get(timezone);
      return line === undefined ? [] : [[id, line] as const];
    }),
  );
}
