import {Link} from '@tanstack/react-router';
import {useRef, useState} from 'react';
import type {Blocker, Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {texts} from '../texts/texts.ts';
import {useBlockerChanges} from './changes.ts';
import type {BlockerListFilter} from './queries.ts';
import {findBlockerRights} from './rights.ts';
import {BlockerRow} from './row.tsx';
import type {ShownBlockers} from './use-blockers.ts';

export const blockerPageClass = 'grid max-w-250 gap-4 *:min-w-0 [&>header]:mb-0';

export interface BlockerListProps {
  readonly filter: BlockerListFilter;
  readonly list: ShownBlockers;
  readonly me: Schema<'Me'>;
  readonly now: number;
  readonly isNowhere?: boolean;
}

export function BlockerList({filter, list, me, now, isNowhere = false}: BlockerListProps) {
  const t = texts.blockers;
  const {become, change, refused} = useBlockerChanges(me);
  const [editing, setEditing] = useState<string>();
  const {rows, error, isRead} = list;
  const names = new Map(me.teams?.map(({slug, name}) => [slug, name]));
  const container = useRef<HTMLDivElement>(null);
  if (isNowhere) {
    const today = <Link to="/">{texts.frame.notFound.cure}</Link>;
    return <Empty action={today} icon="people" {...t.empty.noTeam} />;
  }
  if (error !== null && !isRead) return <ProblemNote onRetry={list.readAgain} problem={error} />;
  if (!isRead) return <Skeleton height={240} />;
  return (
    <div ref={container}>
      {error !== null && <ProblemNote onRetry={list.readAgain} problem={error} />}
      {rows.length === 0 ? (
        <Empty icon="check" {...t.empty[filter.state]} />
      ) : (
        <Card as="div" padding="none">
          <ol aria-label={t.list}>
            {rows.map((blocker) => (
              <BlockerRow
                blocker={blocker}
                isEditing={editing === blocker.id}
                key={blocker.id}
                me={me}
                now={now}
                onBecome={(state) => {
                  keepRowFocus(
                    container.current,
                    blocker,
                    state !== 'acknowledged' || filter.state === 'acknowledged',
                  );
                  void become(blocker, state);
                }}
                onEdit={(isEditing) => setEditing(isEditing ? blocker.id : undefined)}
                onRetry={() => {
                  const asked = refused.get(blocker.id);
                  if (asked !== undefined) void change(blocker, asked.change);
                }}
                onText={async (text) => (await change(blocker, {text})) !== undefined}
                refused={refused.get(blocker.id)}
                rights={findBlockerRights(me, blocker)}
                teamName={filter.teams?.length === 1 ? undefined : (names.get(blocker.team) ?? blocker.team)}
              />
            ))}
          </ol>
        </Card>
      )}
      {list.hasMore && (
        <div className="flex justify-center pt-3">
          <Button isPending={list.isReadingMore} onPress={list.readMore}>
            {t.older}
          </Button>
        </div>
      )}
    </div>
  );
}

/**
 * Keeps the focus on the row when the row's button disappears. If the row disappears too, focuses the next
 * row.
 */
function keepRowFocus(container: HTMLElement | null, {id}: Blocker, leaves: boolean): void {
  const rows = [...(container?.querySelectorAll<HTMLElement>('[data-blocker]') ?? [])];
  const at = rows.findIndex((row) => row.dataset['blocker'] === id);
  const row = leaves ? (rows[at + 1] ?? rows[at - 1]) : rows[at];
  row?.focus({preventScroll: true});
}
