import {formatNumber} from '../texts/format.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a number of bytes, such as `2.3 MB`. */
export function formatSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1_000 ** power;
  const options = {
    style: 'unit',
    unit: units[power] ?? 'byte',
    maximumFractionDigits: value < 10 ? 1 : 0,
  } as const;
  return formatNumber(value, options);
}
