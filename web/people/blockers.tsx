import {useInfiniteQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import type {Schema} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TeamName} from '../parts/standups/team-name.tsx';
import {StandupText} from '../parts/standup-text.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {formatAge} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {PersonProfile} from './found-person.ts';
import {blockersQuery} from './queries.ts';
import {personRowClass, RowSection} from './row-section.tsx';

export function Blockers({person}: {readonly person: PersonProfile}) {
  const {blockers: t} = texts.people;
  return (
    <div className="grid justify-items-start gap-6">
      <BlockerGroup
        none={person.isMe ? t.noneOpenOwn : t.noneOpen}
        person={person}
        state="open"
        title={t.open}
      />
      <BlockerGroup none={t.noneResolved} person={person} state="resolved" title={t.resolved} />
    </div>
  );
}

interface BlockerGroupProps {
  readonly person: PersonProfile;
  readonly state: 'open' | 'resolved';
  readonly title: string;
  readonly none: string;
}

function BlockerGroup({person, state, title, none}: BlockerGroupProps) {
  const {data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage} = useInfiniteQuery(
    blockersQuery(person.id, state),
  );
  const blockers = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <RowSection title={title}>
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {data === undefined && error === null && <Skeleton lines={2} />}
      {data !== undefined && blockers.length === 0 && !hasNextPage && <p className="text-quiet">{none}</p>}
      {blockers.length > 0 && (
        <Card as="div" padding="none">
          <ul className="divide-y divide-line">
            {blockers.map((blocker) => (
              <BlockerRow blocker={blocker} key={blocker.id} />
            ))}
          </ul>
        </Card>
      )}
      {hasNextPage && error === null && (
        <div>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {texts.history.more}
          </Button>
        </div>
      )}
    </RowSection>
  );
}

function BlockerRow({blocker}: {readonly blocker: Schema<'Blocker'>}) {
  const {blockers: t} = texts.people;
  const {state, text, team, standup, created_at, resolved_at, acknowledged_by, resolved_by} = blocker;
  const took = resolved_at === null ? undefined : Date.parse(resolved_at) - Date.parse(created_at);
  return (
    <li className={personRowClass}>
      <div className="min-w-0 flex-1">
        <StandupText text={text} />
        <p className="text-xs text-quiet [&_a]:inline-block [&_a]:min-h-6 [&_a]:leading-6">
          {state === 'acknowledged' && (
            <>
              <Badge tone="expected">{t.acknowledged({name: acknowledged_by?.name ?? t.someone})}</Badge>{' '}
            </>
          )}
          <TeamName team={team} />
          {' · '}
          {took === undefined ? (
            <Stamp instant={created_at} relative />
          ) : (
            t.took({age: formatAge(took), name: resolved_by?.name ?? t.someone})
          )}
          {standup !== null && (
            <>
              {' · '}
              <Link search={{standup}} to="/history">
                {t.standup}
              </Link>
            </>
          )}
        </p>
      </div>
    </li>
  );
}
