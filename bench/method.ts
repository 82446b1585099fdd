import {type Closings, createShutdownList} from '../src/compose-core.js';
import {computeMedian} from './figures.js';

/** The result of one measurement: the value of each metric by its name. */
export type Sample = Readonly<Record<string, number>>;

export type CountedSample = Sample & {readonly events: number};

/** One measured process of an implementation, with a store of its own. */
export interface MeasuredProcess {
  /** Runs the measured work for about this many seconds. */
  measure(seconds: number): Promise<CountedSample>;
  /** Runs other work to warm up the same code faster. Without this function, the measured work warms up. */
  warm?(seconds: number): Promise<CountedSample>;
}

/** One of the compared implementations. */
export interface Arm {
  readonly name: string;
  /** Starts one more process of this implementation. */
  open(closings: Closings): Promise<MeasuredProcess>;
}

export interface Method {
  readonly processes: number;
  readonly rounds: number;
  /** The length of one measurement. */
  readonly seconds: number;
  /**
   * The minimum number of events before a measurement counts: V8 compiles code during the first thousands.
   */
  readonly warmUp: number;
}

/** The values of a metric: for each process, the median over the rounds in which it was measured. */
export interface MeasuredValues {
  readonly name: string;
  values(metric: string): readonly number[];
}

/**
 * Measures several processes of each implementation, because two identical processes differ by 10–25 %. All
 * processes are alive at once and warmed up. Each one is measured in every round, in a new random order.
 */
export async function measureContenders(
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
      process.stderr.write(`  ${arm.name}: ${await warmUpUntilSteady(measured, warmUp)} to warm up\n`);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const {measured, samples} of shuffleList(running)) samples.push(await measured.measure(seconds));
    }
    return arms.map((arm) => {
      const own = running.filter((one) => one.arm === arm);
      return {
        name: arm.name,
        values: (metric) =>
          own.map(({samples}) => computeMedian(samples.map((sample) => sample[metric] ?? Number.NaN))),
      };
    });
  } finally {
    await closings.run();
  }
}

const steadyWithin = 0.1;
/** A limit for the warm-up, since the values never become steady on a busy machine. */
const margin = 1.5;

/** Runs work until the CPU per event no longer falls: three consecutive slices cost about the same. */
async function warmUpUntilSteady({measure, warm = measure}: MeasuredProcess, least: number): Promise<number> {
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

function shuffleList<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({value, sortKey: Math.random()}))
    .sort((a, b) => a.sortKey - b.sortKey)
    .map(({value}) => value);
}
