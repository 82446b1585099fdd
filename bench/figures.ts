/** The spread of a measured value over the measured processes. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The aim of a figure: the value that it should reach. */
export interface Aim {
  readonly atLeast?: number;
  readonly atMost?: number;
  /**
   * A tolerance, as a factor. A value that misses the aim still passes if it is at most this many times the
   * value of the other implementation.
   */
  readonly orTimes?: number;
}

/** One line of the result table. */
export interface Figure {
  /** The name of the measured work. */
  readonly work: string;
  readonly unit: string;
  readonly ours: Spread;
  /** The implementation for comparison, measured in the same run. */
  readonly against?: {readonly name: string; readonly value: Spread};
  /** The value of the service, divided by the compared value. */
  readonly ratio?: Spread;
  readonly aim: string;
  /** True if the figure reaches its aim; undefined if it has no aim. */
  readonly reached?: boolean;
}

export function computeMedian(values: readonly number[]): number {
  return computePercentile(values, 0.5);
}

export function computePercentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (sorted.length - 1) * part;
  const [low = Number.NaN, high = low] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  return low + (high - low) * (rank - Math.floor(rank));
}

export function computeSpread(values: readonly number[]): Spread {
  return {median: computeMedian(values), min: Math.min(...values), max: Math.max(...values)};
}

/** Divides the value of each process of the service by the value of each process of the peer. */
export function compareAllPairs(ours: readonly number[], theirs: readonly number[]): Spread {
  return computeSpread(ours.flatMap((value) => theirs.map((other) => value / other)));
}

type FigureLine = Pick<Figure, 'work' | 'unit'> & {readonly aim?: Aim | undefined};

/** Creates a figure that is not compared with a peer. `values` has one value for each measured process. */
export function createFigureWithoutComparison(
  values: readonly number[],
  {work, unit, aim}: FigureLine,
): Figure {
  const ours = computeSpread(values);
  return {work, unit, ours, ...evaluateAim(aim, ours.median, {median: ours.median, unit: ` ${unit}`})};
}

/** Creates a figure with a comparison. The aim applies to the ratio, unless it has `orTimes`. */
export function createFigureWithComparison(
  ours: readonly number[],
  against: {readonly name: string; readonly values: readonly number[]},
  {work, unit, aim}: FigureLine,
): Figure {
  const ratio = compareAllPairs(ours, against.values);
  const own = computeSpread(ours);
  const judged =
    aim?.orTimes === undefined ? {median: ratio.median, unit: ' ×'} : {median: own.median, unit: ` ${unit}`};
  return {
    work,
    unit,
    ours: own,
    against: {name: against.name, value: computeSpread(against.values)},
    ratio,
    ...evaluateAim(aim, ratio.median, judged),
  };
}

function evaluateAim(
  aim: Aim | undefined,
  times: number,
  {median: value, unit}: {readonly median: number; readonly unit: string},
): Pick<Figure, 'aim' | 'reached'> {
  if (aim === undefined) return {aim: '–'};
  const {atLeast, atMost, orTimes} = aim;
  const bound = atLeast ?? atMost ?? Number.NaN;
  if (atLeast !== undefined) return {aim: `≥ ${bound}${unit}`, reached: value >= bound};
  if (orTimes === undefined) return {aim: `≤ ${bound}${unit}`, reached: value <= bound};
  return {aim: `≤ ${bound}${unit} or ${orTimes} ×`, reached: value <= bound || times <= orTimes};
}
