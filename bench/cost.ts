import {readCpuMicros} from './machine.js';
import type {Server, BenchStage} from './stage.js';

/** The CPU (µs) that a process and its Redis use for each event. */
export interface Cost {
  readonly cpu: number;
  readonly redisCpu: number;
}

/**
 * Measures the CPU that some work takes, and returns the work's result. `count` returns the number of events.
 */
export async function measureCost<T>(
  {pid}: Pick<Server['process'], 'pid'>,
  {redisPid}: Pick<BenchStage, 'redisPid'>,
  work: () => Promise<T>,
  count: (result: T) => number,
): Promise<{readonly result: T; readonly cost: Cost}> {
  const before = [readCpuMicros(pid), readCpuMicros(redisPid)] as const;
  const result = await work();
  const [cpu, redisCpu] = [readCpuMicros(pid) - before[0], readCpuMicros(redisPid) - before[1]];
  const events = count(result);
  return {result, cost: {cpu: cpu / events, redisCpu: redisCpu / events}};
}
