import {type Closings, createClosings} from '../src/compose-core.js';
import {median} from './figures.js';

/** One measurement: each metric by its name. */
export type Sample = Readonly<Record<string, number>>;

/** With how many events it was measured. */
export type Counted = Sample & {readonly events: number};

/** One process that is measured, with a store of its own. */
export interface Subject {
  /** Does the work for about so many seconds. */
  measure(seconds: number): Promise<Counted>;
  /** Work that compiles the same code sooner; without it the work itself warms up. */
  warm?(seconds: number): Promise<Counted>;
}

/** One of the things that are compared. */
export interface Arm {
  readonly name: string;
  /** Starts one more process of it. */
  open(closings: Closings): Promise<Subject>;
}

export interface Method {
  readonly processes: number;
  readonly rounds: number;
  /** Of one measurement. */
  readonly seconds: number;
  /** Events that a process has seen at least before it counts: V8 compiles during its first thousands. */
  readonly warmUp: number;
}

/** Of each metric one value for each process: the median over its rounds. */
export interface Measured {
  readonly name: string;
  values(metric: string): readonly number[];
}

/**
 * Two identical processes differ by 10–25 %, for as long as they live. So each arm is several processes. All
 * are alive at once, each is warmed up, and then measured in every round, in an order that is drawn anew.
 */
export async function measureArms(
  arms: readonly Arm[],
  {processes, rounds, seconds, warmUp}: Method,
): Promise<Measured[]> {
  const closings = createClosings();
  try {
    const running: {readonly arm: Arm; readonly subject: Subject; readonly samples: Sample[]}[] = [];
    for (let i = 0; i < processes; i += 1) {
      for (const arm of arms) running.push({arm, subject: await arm.open(closings), samples: []});
    }
    for (const {arm, subject} of running) {
      process.stderr.write(`  ${arm.name}: ${await warmUntilSteady(subject, warmUp)} to warm up\n`);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const {subject, samples} of shuffled(running)) samples.push(await subject.measure(seconds));
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

const steadyWithin = 0.06;
/** On a busy machine nothing is ever steady. */
const patience = 1.5;

/** Until CPU per event no longer falls: three slices in a row that are about the same. */
async function warmUntilSteady({measure, warm = measure}: Subject, least: number): Promise<number> {
  const costs: number[] = [];
  let events = 0;
  while (events < least * patience) {
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
    .map((value) => ({value, place: Math.random()}))
    .sort((a, b) => a.place - b.place)
    .map(({value}) => value);
}
