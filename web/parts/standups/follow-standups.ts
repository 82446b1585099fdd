import {useQuery} from '@tanstack/react-query';
import {useEffect, useState} from 'react';
import {onChanges} from '../../api/changes.ts';
import {Problem} from '../../api/problem.ts';
import {meQuery, queryClient} from '../../api/queries.ts';
import type {ShownStandup} from '../../api/schema.ts';
import {matchesFilter, type StandupListFilter} from './standup-filter.ts';
import {putStandup, type StandupListPages, removeStandup} from './put-standup.ts';
import {standupPagesQuery, standupQuery} from './standup-pages.ts';

/** Maximum number of changed standups loaded one by one; beyond it, the list is loaded again. */
const mostAtOnce = 20;
/** Maximum number of standups that wait to be shown. */
const mostWaiting = 200;

export interface Arrivals {
  readonly count: number;
  readonly show: () => void;
}

/** Keeps a list of standups up to date. New ones wait for `show`, unless `isAtStart` returns true. */
export function useStandupArrivals(filter: StandupListFilter, isAtStart: () => boolean): Arrivals {
  const me = useQuery(meQuery).data?.principal.id ?? '';
  const [waiting, setWaiting] = useState<readonly ShownStandup[]>([]);
  const {queryKey} = standupPagesQuery(filter);
  const order = filter.order ?? 'desc';
  const key = JSON.stringify(filter);

  useEffect(() => {
    let isOver = false;
    const change = (next: (pages: StandupListPages) => StandupListPages): void => {
      queryClient.setQueryData<StandupListPages>(queryKey, (pages) => pages && next(pages));
    };
    const isLoaded = (id: string): boolean =>
      queryClient
        .getQueryData<StandupListPages>(queryKey)
        ?.pages.some(({data}) => data.some((one) => one.id === id)) ?? false;
    const readAgain = async (id: string): Promise<void> => {
      const standup = await queryClient
        .fetchQuery({...standupQuery(id), staleTime: 0})
        .catch((error: unknown) => {
          if (error instanceof Problem && error.status === 404) return undefined;
          throw error;
        });
      if (isOver) return;
      if (standup === undefined || !matchesFilter(standup, filter, me)) {
        change((pages) => removeStandup(pages, id));
        setWaiting((others) => others.filter((one) => one.id !== id));
      } else if (isLoaded(id) || isAtStart()) change((pages) => putStandup(pages, standup, order));
      else setWaiting((others) => [...others.filter((one) => one.id !== id), standup].slice(-mostWaiting));
    };
    const forget = onChanges({
      onChanges: (changes) => {
        const ids = new Set(
          changes.flatMap(({object, id}) => (object === 'standup' && id !== null ? [id] : [])),
        );
        if (ids.size > mostAtOnce) {
          setWaiting([]);
          void queryClient.invalidateQueries({queryKey, exact: true});
        } else
          for (const id of ids)
            readAgain(id).catch(() => queryClient.invalidateQueries({queryKey, exact: true}));
      },
      onMissed: () => setWaiting([]),
    });
    return () => {
      isOver = true;
      forget();
      setWaiting([]);
    };
    // The key changes exactly when the filter changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, me]);

  const show = (): void => {
    queryClient.setQueryData<StandupListPages>(queryKey, (pages) =>
      waiting.reduce((all, standup) => all && putStandup(all, standup, order), pages),
    );
    setWaiting([]);
  };
  return {count: waiting.length, show};
}
