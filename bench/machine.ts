import {spawnSync} from 'node:child_process';
import {closeSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {computeMedian} from './figures.js';

/** Two cores: one for the measured implementation, and one for Redis and the load generator. */
export interface Cores {
  readonly arm: number;
  readonly rest: number;
}

/** Chooses two cores. Returns undefined without `taskset` or a second core; the report then says so. */
export function chooseCores(): Cores | undefined {
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined;
  const [arm, rest] = listAllowedCores();
  return arm === undefined || rest === undefined ? undefined : {arm, rest};
}

/** Pins this process and all its threads to a core. Processes that it starts later inherit the pinning. */
export function pinThisProcess({rest}: Cores): void {
  spawnSync('taskset', ['-a', '-c', '-p', String(rest), String(process.pid)]);
}

function listAllowedCores(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readText('/proc/self/status'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return Number.isNaN(first) ? [] : Array.from({length: last - first + 1}, (_, i) => first + i);
  });
}

/** The CPU time (µs) that a process and its threads have used so far; NaN on systems without /proc. */
export function readCpuMicros(pid: number): number {
  const tasks = listFileNames(`/proc/${pid}/task`);
  if (tasks.length === 0) return Number.NaN;
  const nanos = tasks.map((task) => Number(readText(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0]));
  return nanos.reduce((sum, one) => sum + one, 0) / 1_000;
}

/** Resident memory of a process in MB. */
export function readResidentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s*(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? Number.NaN) / 1_000;
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly redis: string;
  /**
   * The median time (ms) of one small write with fsync. With `appendfsync always`, each commit waits for one.
   */
  readonly fsyncMs: number;
  readonly pinned: boolean;
  /**
   * The load average of the minute before the run. A value above about 0.5 means that another process was
   * busy.
   */
  readonly loadBefore: number;
}

/** Describes the machine that the figures depend on, without paths or names. */
export function describeMachine(folder: string, redis: string, pinned: boolean): Machine {
  return {
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.cpus().length,
    memoryGb: Math.round(os.totalmem() / 1e9),
    system: `${os.type()} ${/^\d+\.\d+/.exec(os.release())?.[0] ?? ''}, ${os.arch()}`,
    node: process.versions.node,
    redis,
    fsyncMs: measureFsync(path.join(folder, 'fsync')),
    pinned,
    loadBefore: Math.round((os.loadavg()[0] ?? 0) * 10) / 10,
  };
}

function measureFsync(file: string): number {
  const descriptor = openSync(file, 'w');
  const times = Array.from({length: 50}, () => {
    const from = performance.now();
    writeSync(descriptor, 'x'.repeat(1_000));
    fsyncSync(descriptor);
    return performance.now() - from;
  });
  closeSync(descriptor);
  rmSync(file);
  return Math.round(computeMedian(times) * 100) / 100;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function listFileNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
