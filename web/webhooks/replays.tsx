import {useInfiniteQuery, useQueryClient} from '@tanstack/react-query';
import {lazy, Suspense, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {formatWhen} from '../parts/deliveries/durations.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useNow} from '../parts/use-now.ts';
import {findText, texts} from '../texts/texts.ts';
import {
  aboutDeliveries,
  isReplayUnderWay,
  refetchStaleQueries,
  type Replay,
  replaysQuery,
} from './changes.ts';
import type {Webhook} from './queries.ts';
import {ReplayProgress} from './replay-progress.tsx';
import styles from './replays.module.css';

const NewReplay = lazy(() => import('./new-replay.tsx').then(({NewReplay}) => ({default: NewReplay})));

/** Sends past events to the webhook again, and shows the progress. */
export function Replays({webhook}: {readonly webhook: Webhook}) {
  const t = texts.webhookChanges.replay;
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const {data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage} = useInfiniteQuery({
    ...replaysQuery(webhook.id),
    // Loads the replays on each opening, since no event reports replays that other people start.
    refetchOnMount: 'always',
  });
  const replays = data?.pages.flatMap((page) => page.replays) ?? [];
  const running = replays.find(isReplayUnderWay);
  const past = replays.filter((one) => one !== running);
  const readLists = (): Promise<void> => refetchStaleQueries(client, ['listReplays', ...aboutDeliveries]);
  return (
    <div className={styles['replays']}>
      <p className={styles['hint']}>{t.text}</p>
      {running !== undefined && (
        <ReplayProgress
          isEnabled={webhook.enabled}
          key={running.id}
          onEnd={() => void readLists()}
          replay={running}
        />
      )}
      <div>
        <Button isDisabled={running !== undefined} onPress={() => setOpen(true)}>
          {t.open}
        </Button>
      </div>
      {running !== undefined && <p className={styles['hint']}>{t.runs}</p>}
      {isOpen && (
        <Suspense>
          <NewReplay
            onBegun={() => {
              setOpen(false);
              toast({text: t.begun});
              void readLists();
            }}
            onClose={() => setOpen(false)}
            webhook={webhook}
          />
        </Suspense>
      )}
      {error !== null && <ProblemNote onRetry={() => void refetch()} problem={error} />}
      {data === undefined && error === null && <Skeleton lines={2} />}
      {data !== undefined && past.length === 0 && running === undefined && !hasNextPage && (
        <p className={styles['hint']}>{t.none}</p>
      )}
      {past.length > 0 && (
        <>
          <h3>{t.past}</h3>
          <ul className={styles['past']}>
            {past.map((replay) => (
              <PastReplays key={replay.id} replay={replay} />
            ))}
          </ul>
        </>
      )}
      {hasNextPage && (
        <div>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()} size="small">
            {t.more}
          </Button>
        </div>
      )}
    </div>
  );
}

function PastReplays({replay}: {readonly replay: Replay}) {
  const t = texts.webhookChanges.replay;
  const {state, only, types, since, until, created_at: at, progress} = replay;
  const now = useNow(60_000);
  const kinds: Readonly<Record<string, {readonly name: string}>> = t.kinds;
  return (
    <li>
      <span className={styles['state']} data-state={state}>
        {findText(t.states, state) ?? state}
      </span>
      <div>
        <p>
          <time dateTime={at}>{formatWhen(at, now)}</time>
          {' · '}
          {kinds[only]?.name ?? only}
          {types !== null && <> · {types.join(', ')}</>}
        </p>
        <p className={styles['hint']}>
          {t.span({from: formatWhen(since, now), until: formatWhen(until, now)})}
        </p>
        <p className={styles['hint']}>
          {t.counts({matched: progress.matched, succeeded: progress.succeeded, failed: progress.failed})}
        </p>
      </div>
    </li>
  );
}
