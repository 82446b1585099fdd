import {useQuery} from '@tanstack/react-query';
import {useEffect, useId, useRef} from 'react';
import type {Replay} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';
import {Hint} from './hint.tsx';
import {isReplayUnderWay, replayQuery} from './queries.ts';

export function ReplayProgress({
  replay: begun,
  isEnabled,
  onEnd,
}: {
  readonly replay: Replay;
  readonly isEnabled: boolean;
  readonly onEnd: () => void;
}) {
  const t = texts.webhookChanges.replay;
  const title = useId();
  const {data: replay, error, refetch} = useQuery(replayQuery(begun));
  const {scanned, total, matched, succeeded, failed} = replay.progress;
  const stop = useAction(() => {
    const {id, webhook_id: webhook} = replay;
    return send('delete', '/v1/webhooks/{webhook}/replays/{replay}', {webhook, replay: id});
  });
  const hasEnded = !isReplayUnderWay(replay);
  const hasNotified = useRef(false);
  useEffect(() => {
    if (!hasEnded || hasNotified.current) return;
    hasNotified.current = true;
    onEnd();
  });

  async function cancel(): Promise<void> {
    if (stop.isPending || (await stop.run()) === undefined) return;
    toast({text: t.stopped});
    await refetch();
  }

  return (
    <div
      aria-labelledby={title}
      className="grid gap-1.5 rounded-lg border border-line bg-card px-4 py-3"
      role="group"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-bold" id={title}>
          {t.running}
        </h3>
        <Button isPending={stop.isPending} onPress={() => void cancel()} size="small">
          {t.stop}
        </Button>
      </div>
      <div
        aria-labelledby={title}
        aria-valuemax={100}
        aria-valuemin={0}
        aria-valuenow={Math.round(computeProgressShare(replay) * 100)}
        aria-valuetext={t.progress({scanned, total})}
        className="h-2 overflow-hidden rounded-sm bg-inset outline outline-edge"
        role="progressbar"
      >
        <span
          className="block h-full bg-accent transition-[inline-size] duration-200 motion-reduce:transition-none forced-colors:bg-[Highlight] forced-colors:forced-color-adjust-none"
          style={{inlineSize: `${computeProgressShare(replay) * 100}%`}}
        />
      </div>
      <p>{t.progress({scanned, total})}</p>
      <Hint>{t.counts({matched, succeeded, failed})}</Hint>
      {!isEnabled && <Hint>{t.waits}</Hint>}
      {isEnabled && replay.state === 'waiting' && <Hint>{t.full}</Hint>}
      {stop.problem !== undefined && <ProblemNote onRetry={() => void cancel()} problem={stop.problem} />}
      {error !== null && <ProblemNote onRetry={() => void refetch()} problem={error} />}
    </div>
  );
}

/** The share that is done: of scanned events, times that of matched events whose delivery has ended. */
function computeProgressShare({progress: {scanned, total, matched, succeeded, failed}}: Replay): number {
  return (total === 0 ? 1 : scanned / total) * (matched === 0 ? 1 : (succeeded + failed) / matched);
}
