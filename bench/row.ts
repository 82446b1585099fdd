import {figureWithComparison, type Figure, figureWithoutComparison, type Aim} from './figures.js';
import {type Arm, measureArms, type MeasuredValues, type Method} from './method.js';
import type {Bench, Build} from './stage.js';

/** A workload of the service, with its peers, and its lines of the table. */
export interface BenchRow {
  /** A process of a build of the service with this workload. */
  service(bench: Bench, build: Build): Arm;
  peers?(bench: Bench): readonly Arm[];
  readonly figures: readonly RowFigure[];
  readonly method?: Partial<Method>;
}

/** A line of the table: a metric of the service, and the peer for comparison. */
export interface RowFigure {
  readonly metric: string;
  readonly work: string;
  readonly unit: string;
  /** The name of a peer. */
  readonly against?: string;
  readonly aim?: Aim;
}

const whole: Method = {processes: 3, rounds: 3, seconds: 1, warmUp: 15_000};

/** The service and its peers, as the page shows them. */
export async function measureRow(bench: Bench, row: BenchRow, chosen: Partial<Method>): Promise<Figure[]> {
  const arms = [row.service(bench, bench.build), ...(row.peers?.(bench) ?? [])];
  const [ours, ...theirs] = await measureArms(arms, {...whole, ...row.method, ...chosen});
  if (ours === undefined) return [];
  return row.figures.map((line) =>
    toFigure(
      ours,
      theirs.find(({name}) => name === line.against),
      line,
    ),
  );
}

/** Compares two builds: each metric of the row once. */
export async function compareBuilds(
  bench: Bench,
  row: BenchRow,
  other: Build,
  chosen: Partial<Method>,
): Promise<Figure[]> {
  const arms = [row.service(bench, bench.build), row.service(bench, other)];
  const [ours, theirs] = await measureArms(arms, {...whole, ...row.method, ...chosen});
  if (ours === undefined || theirs === undefined) return [];
  const once = [...new Map(row.figures.map((line) => [line.metric, line])).values()];
  return once.map(({metric, work, unit}) => toFigure(ours, theirs, {metric, work, unit}));
}

function toFigure(
  ours: MeasuredValues,
  theirs: MeasuredValues | undefined,
  {metric, work, unit, aim}: RowFigure,
): Figure {
  if (theirs === undefined) return figureWithoutComparison(ours.values(metric), {work, unit, aim});
  return figureWithComparison(
    ours.values(metric),
    {name: theirs.name, values: theirs.values(metric)},
    {work, unit, aim},
  );
}
