import {monitorEventLoopDelay} from 'node:perf_hooks';
import {writeHeapSnapshot} from 'node:v8';

/** The state of a process, as it sees it itself. Sizes are in bytes, times in ms. */
export interface ProbeAnswer {
  readonly rss: number;
  readonly heapUsed: number;
  /** Memory of buffers and other objects outside the heap. */
  readonly external: number;
  /** The number of timers, sockets and other things that keep the process alive. */
  readonly resources: number;
  readonly delayP99: number;
  readonly delayMax: number;
}

export interface ProbeOrder {
  /** True to collect all garbage first, which stops the process for some 50 ms. */
  readonly collect?: boolean;
  /** The file for a heap snapshot, which stops the process for seconds. */
  readonly snapshot?: string;
}

// Loaded into a measured process before its own code (`node --import`), so that the service needs no such door.
const delay = monitorEventLoopDelay({resolution: 20});
delay.enable();

process.on('message', ({collect = false, snapshot}: ProbeOrder) => {
  if (collect) globalThis.gc?.();
  if (snapshot !== undefined) writeHeapSnapshot(snapshot);
  const {rss, heapUsed, external} = process.memoryUsage();
  const answer: ProbeAnswer = {
    rss,
    heapUsed,
    external,
    resources: process.getActiveResourcesInfo().length,
    delayP99: delay.percentile(99) / 1e6,
    delayMax: delay.max / 1e6,
  };
  delay.reset();
  process.send?.(answer);
});
process.channel?.unref();
