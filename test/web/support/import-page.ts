import type {Page} from 'playwright-core';

/** A file as a person chooses it. */
export interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export function createCsv(rows: readonly (readonly string[])[], name = 'standups.csv'): TestFile {
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const text = rows.map((row) => `${row.map(quote).join(',')}\r\n`).join('');
  return {name, mimeType: 'text/csv', buffer: Buffer.from(text)};
}

const header = ['Report ID', 'Date', 'Team', 'Name', 'Email', 'What did you do yesterday?', 'Mood'];

/** Standups of Ada, who has an address, and of Charles, who has none; one a day from 4 March 2024 on. */
export function createStandupFile(count: number, name?: string): TestFile {
  const start = Date.UTC(2024, 2, 4);
  const rows = Array.from({length: count}, (_, i) => [
    `r${i}`,
    new Date(start + Math.floor(i / 2) * 24 * 3_600_000).toISOString().slice(0, 10),
    'Platform',
    ...(i % 2 === 0 ? ['Ada L.', 'ADA@example.com'] : ['Charles Babbage', '']),
    `Worked on engine ${i}.`,
    'good',
  ]);
  return createCsv([header, ...rows], name);
}

export async function chooseFile(page: Page, file: TestFile): Promise<void> {
  await page.getByLabel('Choose file').setInputFiles({...file});
}

/** Chooses a file of `createStandupFile`, keeps all guesses, and checks it. */
export async function checkFile(page: Page, file: TestFile): Promise<void> {
  await chooseFile(page, file);
  await page.getByRole('button', {name: 'Continue', exact: true}).click();
  await page.getByRole('button', {name: 'Check', exact: true}).click();
  await page.getByRole('heading', {name: 'This would happen'}).waitFor();
}
