import {computeMedian} from '../figures.js';
import {type ProcessName, processNames, type Sample} from './samples.js';

export const cpuUsers = [...processNames, 'redis'] as const;
export type CpuUser = (typeof cpuUsers)[number];

/** The measurements of one window of the load. Times are in ms. */
export interface Window {
  /** Minutes since the start of the load, at the end of the window. */
  readonly minute: number;
  readonly requests: number;
  /** Answers that are neither a success nor a 304, and requests without an answer. */
  readonly failed: number;
  /** Acts that did not begin, because too many waited for their answers. */
  readonly leftOut: number;
  readonly writes: number;
  readonly service: {readonly p50: number; readonly p99: number};
  readonly control: {readonly p50: number; readonly p99: number};
  /** CPU time (µs) for each request, in which background work is included. */
  readonly cpu: Readonly<Record<CpuUser, number>>;
  readonly samples: readonly Sample[];
  /** The state at the end of the window, after a collection of all garbage. */
  readonly collected: Sample;
}

export interface Verdict {
  readonly promise: string;
  readonly measured: string;
  readonly kept: boolean;
}

const mostGrowth = 0.05;
const mostChange = 0.1;

/** Judges the windows after the warm-up: memory, the growth of the store, and the time of requests. */
export function judge(windows: readonly Window[]): Verdict[] {
  return [
    ...processNames.flatMap((name) => [
      judgeGrowth(`heap of ${name} after a collection`, windows, ({collected}) => readHeap(collected, name)),
      judgeGrowth(`resident memory of ${name}, medians`, windows, ({samples}) =>
        computeMedian(samples.map(({processes}) => processes[name].rss)),
      ),
      judgeGrowth(`open files of ${name}, medians`, windows, ({samples}) =>
        computeMedian(samples.map(({processes}) => processes[name].files)),
      ),
    ]),
    judgeStore(windows),
    // CPU time leaves out the time in which other programs had the core, so it shows more than the times do.
    ...cpuUsers.map((name) =>
      judgeGrowth(`CPU time of ${name} for each request`, windows, ({cpu}) => cpu[name], mostChange),
    ),
    judgeTimes(windows),
    judgeFailures(windows),
  ];
}

export function readHeap({processes}: Sample, name: ProcessName): number {
  return processes[name].heapUsed + processes[name].external;
}

function judgeGrowth(
  what: string,
  windows: readonly Window[],
  read: (window: Window) => number,
  most = mostGrowth,
): Verdict {
  const points = windows.map((window) => ({x: window.minute / 60, y: read(window)}));
  const anHour = fitSlope(points) / (points[0]?.y ?? Number.NaN);
  return {
    promise: `${what}: grows by less than ${formatPercent(most)} an hour`,
    measured: `${formatPercent(anHour)} an hour`,
    kept: anHour < most,
  };
}

/** The store grows with what is written. It must not grow faster in the second half than in the first. */
function judgeStore(windows: readonly Window[]): Verdict {
  const middle = Math.floor(windows.length / 2);
  const bytesAWrite = (part: readonly Window[]): number => {
    const [first, last] = [part[0], part.at(-1)];
    if (first === undefined || last === undefined) return Number.NaN;
    const writes = part.slice(1).reduce((sum, window) => sum + window.writes, 0);
    return (last.collected.store.memory - first.collected.store.memory) / writes;
  };
  const [before, after] = [bytesAWrite(windows.slice(0, middle + 1)), bytesAWrite(windows.slice(middle))];
  const times = after / before;
  return {
    promise: 'memory of Redis for each write, second half against the first: at most 1.1 times',
    measured: `${before.toFixed(0)} B, then ${after.toFixed(0)} B`,
    kept: times <= 1 + mostChange,
  };
}

/** The machine is shared, so the times are judged as ratios to those of a bare server beside it. */
function judgeTimes(windows: readonly Window[]): Verdict {
  const controls = windows.map(({control}) => control.p99);
  const noise = Math.max(...controls) / Math.min(...controls) - 1;
  const points = windows.map(({minute, service, control}) => ({
    x: minute / 60,
    y: service.p99 / control.p99,
  }));
  const trend = fitSlope(points) / computeMedian(points.map(({y}) => y));
  return {
    promise: `p99 against the control: grows by less than ${formatPercent(mostChange)} an hour`,
    measured: `${formatPercent(trend)} an hour; the control's own p99 varied by ${formatPercent(noise)}`,
    kept: trend < mostChange,
  };
}

function judgeFailures(windows: readonly Window[]): Verdict {
  const [failed, requests] = [windows.map((one) => one.failed), windows.map((one) => one.requests)].map(
    (counts) => counts.reduce((sum, count) => sum + count, 0),
  );
  return {
    promise: 'requests that failed: none',
    measured: `${failed} of ${requests?.toLocaleString('en')}`,
    kept: failed === 0,
  };
}

/** The median of the slopes between all pairs of points (Theil and Sen). Single outliers do not move it. */
function fitSlope(points: readonly {readonly x: number; readonly y: number}[]): number {
  return computeMedian(
    points.flatMap((one, i) => points.slice(i + 1).map((other) => (other.y - one.y) / (other.x - one.x))),
  );
}

function formatPercent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}
