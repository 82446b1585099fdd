import type {Browser} from 'playwright-core';
import type {Json} from '../../support/service.js';

/** A task of the page's main thread, in ms. */
export interface PageTask {
  /** CPU time of its thread, which excludes other work of the machine. */
  readonly cpu: number;
  /** Start and duration on the clock of the browser. */
  readonly at: number;
  readonly took: number;
}

export interface MainThread {
  readonly tasks: readonly PageTask[];
  readonly longest: number;
  /** Returns the browser's time (ms) at which the page called `performance.mark` with this name. */
  readonly timeOf: (mark: string) => number;
}

/** Records the tasks of the page's main thread during `act`. Times in tests are CPU time: machines are shared. */
export async function recordMainThread(browser: Browser, act: () => Promise<unknown>): Promise<MainThread> {
  const session = await browser.newBrowserCDPSession();
  const events: Json[] = [];
  session.on('Tracing.dataCollected', ({value}) => events.push(...value));
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  const categories = 'disabled-by-default-devtools.timeline,blink.user_timing,__metadata';
  await session.send('Tracing.start', {categories, transferMode: 'ReportEvents'});
  await act();
  await session.send('Tracing.end');
  await ended;
  await session.detach();
  const named = events.filter(({name, args}) => name === 'thread_name' && args.name === 'CrRendererMain');
  const isMain = ({pid, tid}: Json): boolean => named.some((one) => one.pid === pid && one.tid === tid);
  const tasks = events
    .filter((one) => one.name === 'RunTask' && isMain(one) && one.tdur !== undefined)
    .map(({ts, dur, tdur}) => ({cpu: tdur / 1_000, at: ts / 1_000, took: dur / 1_000}));
  if (tasks.length <= 10) throw new Error('The trace of the page is empty.');
  return {
    tasks,
    longest: Math.max(...tasks.map(({cpu}) => cpu)),
    timeOf(mark) {
      const found = events.find(({name, cat}) => name === mark && cat === 'blink.user_timing');
      if (found === undefined) throw new Error(`The page has not marked ${mark}.`);
      return found.ts / 1_000;
    },
  };
}
