import {type InfiniteData, useMutation} from '@tanstack/react-query';
import {useRef, useState} from 'react';
import type {Problem} from '../api/problem.ts';
import {invalidate, queryClient} from '../api/queries.ts';
import type {Blocker, Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {wrapAsProblem} from '../parts/as-problem.ts';
import {toast} from '../parts/toast.ts';
import {texts} from '../texts/texts.ts';
import {
  type BlockerListFilter,
  type BlockerPage,
  predictChangedBlocker,
  putBlocker,
  planBlockerRestoration,
} from './lists.ts';
import {blockerQuery} from './queries.ts';

type BlockerChange = Schema<'BlockerChange'>;
type BlockerChangeState = NonNullable<BlockerChange['state']>;

interface BlockerChangeRequest {
  readonly blocker: Blocker;
  readonly change: BlockerChange;
  /** The pending change of the same blocker. The new change waits for it and uses its result. */
  readonly earlier?: Promise<Blocker | undefined> | undefined;
}

export interface RejectedBlockerChange extends BlockerChangeRequest {
  readonly problem: Problem;
}

/** Shows changes of blockers at once, and reverts rejected ones. `changeState` offers *Undo*. */
export function useBlockerChanges(me: Schema<'Me'>) {
  const [refused, setRefused] = useState<ReadonlyMap<string, RejectedBlockerChange>>(new Map());
  const latest = useRef(
    new Map<string, {asked: BlockerChangeRequest; answer: Promise<Blocker | undefined>}>(),
  );
  const forget = (id: string): void => {
    setRefused((known) => new Map([...known].filter(([one]) => one !== id)));
  };
  const {mutateAsync} = useMutation({
    mutationFn: async ({blocker, change, earlier}: BlockerChangeRequest) => {
      const {id, revision} = (await earlier) ?? blocker;
      return send('patch', '/v1/blockers/{blocker}', {blocker: id, revision, body: change});
    },
    onMutate: async ({blocker, change}) => {
      forget(blocker.id);
      await queryClient.cancelQueries({queryKey: ['listBlockers']});
      await queryClient.cancelQueries({queryKey: blockerQuery(blocker.id).queryKey});
      updateCachedBlocker(predictChangedBlocker(blocker, change, me));
    },
    onSuccess: (changed, asked) => {
      // A later change of the same blocker stays visible.
      if (latest.current.get(changed.id)?.asked === asked) updateCachedBlocker(changed);
    },
    onError: (problem, {blocker, change}) => {
      updateCachedBlocker(blocker);
      void invalidate('blocker');
      setRefused((known) =>
        new Map(known).set(blocker.id, {blocker, change, problem: wrapAsProblem(problem)}),
      );
    },
  });

  /** Resolves to undefined if the service has rejected the change. The row then shows the problem. */
  async function changeBlocker(blocker: Blocker, to: BlockerChange): Promise<Blocker | undefined> {
    const asked = {blocker, change: to, earlier: latest.current.get(blocker.id)?.answer};
    const answer = mutateAsync(asked).catch(() => undefined);
    latest.current.set(blocker.id, {asked, answer});
    const changed = await answer;
    if (latest.current.get(blocker.id)?.asked === asked) latest.current.delete(blocker.id);
    return changed;
  }

  async function changeState(blocker: Blocker, state: BlockerChangeState): Promise<void> {
    const changed = await changeBlocker(blocker, {state});
    if (changed === undefined) return;
    toast({text: texts.blockers.done[state], undo: () => void undoChange(blocker, changed)});
  }

  async function undoChange(before: Blocker, now: Blocker): Promise<void> {
    let last: Blocker | undefined = now;
    for (const state of planBlockerRestoration(before, now, me))
      last = last && (await changeBlocker(last, {state}));
  }

  return {become: changeState, change: changeBlocker, refused, forget};
}

/** Updates a cached blocker, and each cached list that contains the blocker or should contain it. */
export function updateCachedBlocker(blocker: Blocker): void {
  queryClient.setQueryData(blockerQuery(blocker.id).queryKey, (known) => known && blocker);
  const lists = queryClient.getQueryCache().findAll({queryKey: ['listBlockers']});
  for (const {queryKey} of lists) {
    const filter = queryKey[1] as BlockerListFilter;
    queryClient.setQueryData<InfiniteData<BlockerPage>>(queryKey, (data) =>
      // The cached list of the Today page is not divided into pages. Leave it unchanged here.
      data !== undefined && 'pages' in data ? putBlocker(data, filter, blocker) : undefined,
    );
  }
}
