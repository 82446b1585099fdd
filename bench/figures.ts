/** A figure over the rounds of a run. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** One line of the table. */
export interface Figure {
  /** What was done, and in which unit it was counted. */
  readonly work: string;
  readonly unit: string;
  readonly ours: Spread;
  /** What it is compared with, measured in the same run. */
  readonly against?: {readonly name: string; readonly value: Spread};
  /** Ours to theirs, round by round. */
  readonly ratio?: Spread;
  readonly goal: string;
  /** Undefined where there is no goal. */
  readonly reached?: boolean;
  /** The run fails: a ratio this low means that something has broken. */
  readonly failed?: boolean;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const [low = Number.NaN, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

export function spread(values: readonly number[]): Spread {
  return {median: median(values), min: Math.min(...values), max: Math.max(...values)};
}

/** Median, smallest and largest of the ratios of each round: what drifts between rounds cancels out. */
export function ratios(ours: readonly number[], theirs: readonly number[]): Spread {
  return spread(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

/** A figure that is a ratio between two arms, taken from what each measured in each round. */
export function compare<Sample>(
  [ours, theirs]: readonly [readonly Sample[], readonly Sample[]],
  read: (sample: Sample) => number,
  line: Pick<Figure, 'work' | 'unit'> & {
    readonly against: string;
    readonly goal?: {readonly atLeast?: number; readonly atMost?: number; readonly failBelow?: number};
  },
): Figure {
  const {work, unit, against, goal = {}} = line;
  const ratio = ratios(ours.map(read), theirs.map(read));
  const {atLeast, atMost, failBelow} = goal;
  return {
    work,
    unit,
    ours: spread(ours.map(read)),
    against: {name: against, value: spread(theirs.map(read))},
    ratio,
    ...describeGoal(ratio.median, {atLeast, atMost}, ' ×'),
    ...(failBelow !== undefined && {failed: ratio.median < failBelow}),
  };
}

/** A figure that stands by itself. */
export function single(
  values: readonly number[],
  line: Pick<Figure, 'work' | 'unit'> & {readonly atMost?: number},
): Figure {
  const {work, unit, atMost} = line;
  const ours = spread(values);
  return {work, unit, ours, ...describeGoal(ours.median, {atLeast: undefined, atMost}, ` ${unit}`)};
}

function describeGoal(
  value: number,
  {atLeast, atMost}: {atLeast: number | undefined; atMost: number | undefined},
  unit: string,
): Pick<Figure, 'goal' | 'reached'> {
  if (atLeast !== undefined) return {goal: `≥ ${atLeast}${unit}`, reached: value >= atLeast};
  if (atMost !== undefined) return {goal: `≤ ${atMost}${unit}`, reached: value <= atMost};
  return {goal: '–'};
}

/** Runs the arms in turn, A B A B: one round to warm up, which does not count, then the others. */
export async function interleave<Sample>(
  rounds: number,
  arms: readonly ((round: number) => Promise<Sample>)[],
): Promise<Sample[][]> {
  const samples: Sample[][] = arms.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [arm, measure] of arms.entries()) {
      const sample = await measure(round);
      if (round > 0) samples[arm]?.push(sample);
    }
  }
  return samples;
}
