import {type Closings, createShutdownList} from '../src/compose-core.js';
import {median} from './figures.js';

/** One measurement: each metric by its name. */
export type Sample = Readonly<Record<string, number>>;

export type CountedSample = Sample & {readonly events: number};

/** One measured process, with a store of its own. */
export interface MeasuredProcess {
  /** Does the work for about this many seconds. */
  measure(seconds: number): Promise<CountedSample>;
  /** Other work that compiles the same code sooner; without it the measured work warms up. */
  warm?(seconds: number): Promise<CountedSample>;
}

/** One of the compared implementations. */
export interface Arm {
  readonly name: string;
  /** Starts one more process of it. */
  open(closings: Closings): Promise<MeasuredProcess>;
}

export interface Method {
  readonly processes: number;
  readonly rounds: number;
  /** The length of one measurement. */
  readonly seconds: number;
  /** The minimum number of events before a process counts: V8 compiles during its first thousands. */
  readonly warmUp: number;
}

/** For each metric one value for each process: the median over its rounds. */
export interface MeasuredValues {
  readonly name: string;
  values(metric: string): readonly number[];
}

/**
 * Measures several processes of each arm, since two identical processes differ by 10–25 %, for as long as
 * they live. All are alive at once, each is warmed up, and then measured in every round, in a new random
 * order.
 */
export async function measureArms(
  arms: readonly Arm[],
  {processes, rounds, seconds, warmUp}: Method,
): Promise<MeasuredValues[]> {
  const closings = createShutdownList();
  try {
    const running: {readonly arm: Arm; readonly measured: MeasuredProcess; readonly samples: Sample[]}[] = [];
    for (let i = 0; i < processes; i += 1) {
      for (const arm of arms) running.push({arm, measured: await arm.open(closings), samples: []});
    }
    for (const {arm, measured} of running) {
      process.stderr.write(`  ${arm.name}: ${await warmUntilSteady(measured, warmUp)} to warm up\n`);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const {measured, samples} of shuffled(running)) samples.push(await measured.measure(seconds));
    }
    return arms.map((arm) => {
      const own = running.filter((one) => one.arm === arm);
      return {
        name: arm.name,
        values: (metric) =>
          own.map(({samples}) => median(samples.map((sample) => sample[metric] ?? Number.NaN))),
      };
    });
  } finally {
    await closings.run();
  }
}

const steadyWithin = 0.1;
/** On a busy machine the figures never become steady. */
const margin = 1.5;

/** Runs until CPU per event no longer falls: three consecutive slices that are about the same. */
async function warmUntilSteady({measure, warm = measure}: MeasuredProcess, least: number): Promise<number> {
  const costs: number[] = [];
  let events = 0;
  while (events < least * margin) {
    const sample = await warm(1);
    events += sample.events;
    costs.push(sample['cpu'] ?? Number.NaN);
    const last = costs.slice(-3);
    const isSteady = last.length === 3 && Math.max(...last) / Math.min(...last) < 1 + steadyWithin;
    if (events >= least && (isSteady || last.some(Number.isNaN))) break;
  }
  return events;
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({value, sortKey: Math.random()}))
    .sort((a, b) => a.sortKey - b.sortKey)
    .map(({value}) => value);
}
