import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {root} from '../../support/service-process.js';

/** The folder of pictures and tables of a run, for review; the next run overwrites them. */
export const evidenceFolder = path.join(root, '.cache/pictures/dashboard');

export function keepTable(
  name: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;
  mkdirSync(evidenceFolder, {recursive: true});
  const text = [head, head.map(() => '---'), ...rows].map(line).join('');
  writeFileSync(path.join(evidenceFolder, `${name}.md`), text);
}
