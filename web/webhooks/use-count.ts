import {useEffect, useRef, useState} from 'react';
import type {Problem} from '../api/problem.ts';
import {read} from '../api/read.ts';
import type {NewReplay, Replay, Webhook} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {wrapAsProblem} from '../parts/as-problem.ts';

interface ReplayCount {
  readonly count?: Replay | undefined;
  readonly isCounting: boolean;
  readonly problem?: Problem | undefined;
}

/** Counts a replay's events by a dry run. A webhook has one at a time, so a new count stops the last. */
export function useReplayCount(webhook: Webhook) {
  const [counted, setCounted] = useState<ReplayCount>({isCounting: false});
  const aborter = useRef(new AbortController());
  const lastCount = useRef<Promise<void>>(Promise.resolve());

  async function countReplayedEvents(body: NewReplay, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const answer = await countEvents(webhook.id, body, signal).then(
      (replay) => ({count: replay}),
      (error: unknown) => ({problem: wrapAsProblem(error)}),
    );
    if (!signal.aborted) setCounted({...answer, isCounting: false});
  }

  /** Stops the current count and starts another. Without a body, only stops the current count. */
  function recount(body: NewReplay | undefined): void {
    aborter.current.abort();
    const {signal} = (aborter.current = new AbortController());
    setCounted({isCounting: body !== undefined});
    if (body !== undefined)
      lastCount.current = lastCount.current.then(() => countReplayedEvents(body, signal));
  }

  useEffect(() => () => aborter.current.abort(), []);

  return {...counted, recount};
}

const pause = 300;

async function countEvents(webhook: string, body: NewReplay, signal: AbortSignal): Promise<Replay> {
  let replay = await send('post', '/v1/webhooks/{webhook}/replay', {webhook, body: {...body, dry_run: true}});
  const path = '/v1/webhooks/{webhook}/replays/{replay}';
  while (replay.state === 'running' && !signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    replay = await read(path, {webhook, replay: replay.id});
  }
  if (replay.state === 'running') await send('delete', path, {webhook, replay: replay.id});
  return replay;
}
