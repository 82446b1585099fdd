import {useRef, useState} from 'react';
import type {Blocker, Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {texts} from '../texts/texts.ts';
import {useBlockerChanges} from './changes.ts';
import type {BlockerListFilter} from './lists.ts';
import {findBlockerRights} from './rights.ts';
import {BlockerRow} from './row.tsx';

export const blockerPageClass = 'grid gap-4 *:min-w-0 [&>header]:mb-0';

export interface BlockerListProps {
  readonly filter: BlockerListFilter;
  /** The blockers in display order, as a query that may have further pages. */
  readonly query: {
    readonly data: readonly Blocker[] | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
    readonly hasNextPage?: boolean;
    readonly isFetchingNextPage?: boolean;
    readonly fetchNextPage?: () => unknown;
  };
  readonly me: Schema<'Me'>;
  readonly now: number;
}

export function BlockerList({filter, query, me, now}: BlockerListProps) {
  const t = texts.blockers;
  const {become, change, refused} = useBlockerChanges(me);
  const [editing, setEditing] = useState<string>();
  const {data: rows, error, refetch} = query;
  const names = new Map(me.teams?.map(({slug, name}) => [slug, name]));
  const container = useRef<HTMLDivElement>(null);
  if (rows === undefined) {
    return error === null ? <Skeleton height={240} /> : <ProblemNote onRetry={refetch} problem={error} />;
  }
  return (
    <div ref={container}>
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
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
      {query.hasNextPage === true && (
        <div className="flex justify-center pt-3">
          <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage?.()}>
            {t.older}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Keeps the focus on the row when its button disappears. If the row goes too, focuses the next row. */
function keepRowFocus(container: HTMLElement | null, {id}: Blocker, leaves: boolean): void {
  const rows = [...(container?.querySelectorAll<HTMLElement>('[data-blocker]') ?? [])];
  const at = rows.findIndex((row) => row.dataset['blocker'] === id);
  const row = leaves ? (rows[at + 1] ?? rows[at - 1]) : rows[at];
  row?.focus({preventScroll: true});
}
