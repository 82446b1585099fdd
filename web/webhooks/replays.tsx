import {useInfiniteQuery} from '@tanstack/react-query';
import {lazy, Suspense, useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Replay, Webhook} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {formatWhen} from '../parts/deliveries/durations.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useNow} from '../parts/use-now.ts';
import {findText, texts} from '../texts/texts.ts';
import {Hint} from './hint.tsx';
import {isReplayUnderWay, replaysQuery} from './queries.ts';
import {ReplayProgress} from './replay-progress.tsx';

const NewReplay = lazy(() => import('./new-replay.tsx').then(({NewReplay}) => ({default: NewReplay})));

export function Replays({webhook}: {readonly webhook: Webhook}) {
  const t = texts.webhookChanges.replay;
  const [isOpen, setOpen] = useState(false);
  const {data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage} = useInfiniteQuery({
    ...replaysQuery(webhook.id),
    // Loads the replays on each opening, since no event reports replays that other people start.
    refetchOnMount: 'always',
  });
  const replays = data?.pages.flatMap((page) => page.replays) ?? [];
  const running = replays.find(isReplayUnderWay);
  const past = replays.filter((one) => one !== running);
  const readLists = (): Promise<void> => invalidate('webhook', 'delivery');
  return (
    <div className="grid min-w-0 gap-3">
      <Hint>{t.text}</Hint>
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
      {running !== undefined && <Hint>{t.runs}</Hint>}
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
        <Hint>{t.none}</Hint>
      )}
      {past.length > 0 && (
        <>
          <h3 className="font-bold">{t.past}</h3>
          <ul className="grid divide-y divide-line rounded-lg border border-line bg-card">
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
    <li className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-3 gap-y-1 px-4 py-2.5 max-[480px]:grid-cols-1">
      <span className="font-medium text-posted data-[state=cancelled]:text-late" data-state={state}>
        {findText(t.states, state) ?? state}
      </span>
      <div>
        <p>
          <time dateTime={at}>{formatWhen(at, now)}</time>
          {' · '}
          {kinds[only]?.name ?? only}
          {types !== null && <> · {types.join(', ')}</>}
        </p>
        <Hint>{t.span({from: formatWhen(since, now), until: formatWhen(until, now)})}</Hint>
        <Hint>
          {t.counts({matched: progress.matched, succeeded: progress.succeeded, failed: progress.failed})}
        </Hint>
      </div>
    </li>
  );
}
