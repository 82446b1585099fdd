import {readdirSync} from 'node:fs';
import os from 'node:os';
import {askPeer, type NodeProcess} from '../processes.js';
import type {BenchStage} from '../stage.js';
import type {ProbeAnswer, ProbeOrder} from './probe.js';

export const processNames = ['web', 'worker'] as const;
export type ProcessName = (typeof processNames)[number];

export interface ProcessSample extends ProbeAnswer {
  /** The number of open files and sockets. */
  readonly files: number;
}

/** The state of everything at one moment. */
export interface Sample {
  /** Minutes since the start of the load. */
  readonly minute: number;
  readonly load: number;
  readonly processes: Readonly<Record<ProcessName, ProcessSample>>;
  readonly store: {readonly memory: number; readonly keys: number; readonly clients: number};
}

export async function takeSample(
  {redis}: BenchStage,
  processes: Readonly<Record<ProcessName, NodeProcess>>,
  minute: number,
  order: ProbeOrder = {},
): Promise<Sample> {
  const info = await redis.info();
  const readNumber = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
  return {
    minute,
    load: os.loadavg()[0] ?? Number.NaN,
    processes: {
      web: await takeProcessSample('web', processes.web, order),
      worker: await takeProcessSample('worker', processes.worker, order),
    },
    store: {
      memory: readNumber('used_memory'),
      keys: Number(/keys=(\d+)/.exec(info)?.[1] ?? 0),
      clients: readNumber('connected_clients'),
    },
  };
}

async function takeProcessSample(
  name: ProcessName,
  process: NodeProcess,
  {snapshot, ...order}: ProbeOrder,
): Promise<ProcessSample> {
  const answer = await askPeer(process, {
    ...order,
    ...(snapshot !== undefined && {snapshot: `${snapshot}-${name}.heapsnapshot`}),
  });
  return {...(answer as ProbeAnswer), files: readdirSync(`/proc/${process.pid}/fd`).length};
}

/** Counts the keys of each kind: a key's name without ids, dates and numbers. */
export async function countKeysByKind({redis}: BenchStage): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for await (const keys of redis.scanIterator({COUNT: 500})) {
    for (const key of keys) {
      const kind = key
        .replaceAll(/\{ws_[^}]*\}/g, '{ws}')
        .replaceAll(/\d{4}-\d\d-\d\d/g, '<date>')
        .replaceAll(/(?<=:|_)[\da-zA-Z_-]{16,}/g, '<id>')
        .replaceAll(/(?<=:)\d+/g, '<n>');
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return counts;
}
