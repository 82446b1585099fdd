import {createFigureWithComparison, type Figure, createFigureWithoutComparison, type Aim} from './figures.js';
import {type Arm, measureContenders, type MeasuredValues, type Method} from './method.js';
import type {Bench, Build} from './stage.js';

/**
 * A measured workload: the service, the peers that it is compared with, and the lines of the result table.
 */
export interface BenchRow {
  /** Creates the measured process: a build of the service under this workload. */
  service(bench: Bench, build: Build): Arm;
  peers?(bench: Bench): readonly Arm[];
  readonly figures: readonly RowFigure[];
  readonly method?: Partial<Method>;
}

/** A line of the result table: a metric of the service, and the peer for comparison. */
export interface RowFigure {
  readonly metric: string;
  readonly work: string;
  readonly unit: string;
  /** The name of the peer for comparison. */
  readonly against?: string;
  readonly aim?: Aim;
}

const whole: Method = {processes: 3, rounds: 3, seconds: 1, warmUp: 15_000};

/** Measures the service and its peers for the page of results. */
export async function measureRow(bench: Bench, row: BenchRow, chosen: Partial<Method>): Promise<Figure[]> {
  const arms = [row.service(bench, bench.build), ...(row.peers?.(bench) ?? [])];
  const [ours, ...theirs] = await measureContenders(arms, {...whole, ...row.method, ...chosen});
  if (ours === undefined) return [];
  return row.figures.map((line) =>
    createFigureOfLine(
      ours,
      theirs.find(({name}) => name === line.against),
      line,
    ),
  );
}

/** Compares two builds of the service. Each metric of the workload appears once. */
export async function compareBuilds(
  bench: Bench,
  row: BenchRow,
  other: Build,
  chosen: Partial<Method>,
): Promise<Figure[]> {
  const arms = [row.service(bench, bench.build), row.service(bench, other)];
  const [ours, theirs] = await measureContenders(arms, {...whole, ...row.method, ...chosen});
  if (ours === undefined || theirs === undefined) return [];
  const once = [...new Map(row.figures.map((line) => [line.metric, line])).values()];
  return once.map(({metric, work, unit}) => createFigureOfLine(ours, theirs, {metric, work, unit}));
}

function createFigureOfLine(
  ours: MeasuredValues,
  theirs: MeasuredValues | undefined,
  {metric, work, unit, aim}: RowFigure,
): Figure {
  if (theirs === undefined) return createFigureWithoutComparison(ours.values(metric), {work, unit, aim});
  return createFigureWithComparison(
    ours.values(metric),
    {name: theirs.name, values: theirs.values(metric)},
    {work, unit, aim},
  );
}
