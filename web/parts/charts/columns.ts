/** A day, or a number of days, across a chart. */
export interface ChartColumn {
  readonly id: string;
  readonly label: string;
}

const neat = [1, 2, 4, 6, 8, 10];

/** Returns the end of an axis: a number that is easy to halve, and as far from zero as the value or farther. */
export function findAxisEnd(value: number): number {
  if (value === 0) return 0;
  const unit = 10 ** Math.floor(Math.log10(Math.abs(value)));
  const steps = neat.find((one) => one * unit >= Math.abs(value)) ?? 10;
  return Math.sign(value) * steps * unit;
}

/** Returns the columns whose labels fit below a chart: the first, the middle and the last. */
export function chooseAxisLabels(columns: readonly ChartColumn[]): readonly ChartColumn[] {
  const last = columns.length - 1;
  const chosen = last > 3 ? [0, Math.floor(last / 2), last] : [0, last];
  return [...new Set(chosen)].flatMap((i) => columns[i] ?? []);
}
