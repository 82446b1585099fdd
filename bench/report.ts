import type {Figure, Spread} from './figures.js';
import type {Machine} from './machine.js';

/** One run of the bench. */
export interface Report {
  /** The day of the run. */
  readonly date: string;
  readonly machine: Machine;
  readonly figures: readonly Figure[];
}

const headings = ['work', 'ours', 'compared with', 'ratio', 'aim', 'reached'];

function listTableCells({work, unit, ours, against, ratio, aim, reached}: Figure): string[] {
  return [
    work,
    `${formatFigure(ours.median)} ${unit}${formatRange(ours)}`,
    against === undefined
      ? '–'
      : `${against.name}: ${formatFigure(against.value.median)} ${unit}${formatRange(against.value)}`,
    ratio === undefined ? '–' : `${formatFigure(ratio.median)}${formatRange(ratio)}`,
    aim,
    reached === undefined ? '' : reached ? 'yes' : 'no',
  ];
}

/** Renders the results as a table for a terminal. */
export function renderTable(figures: readonly Figure[]): string {
  const rows = [headings, ...figures.map(listTableCells)];
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Renders the results as a table for a Markdown page. */
export function renderMarkdown(figures: readonly Figure[]): string {
  const rows = [headings, headings.map(() => '---'), ...figures.map(listTableCells)];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function formatRange({min, max}: Spread): string {
  if (Number.isNaN(min)) return '';
  return ` (${formatFigure(min)}–${formatFigure(max)})`;
}

function formatFigure(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
