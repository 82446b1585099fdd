export const delimiters = [',', ';', '\t'] as const;

export type Delimiter = (typeof delimiters)[number];

/** A file with one record for each standup. */
export interface FileTable {
  readonly header: readonly string[];
  readonly records: readonly FileRecord[];
}

export interface FileRecord {
  /** The number of its first line in the file. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file that cannot be read at all, with the line where reading ended. */
export class FileError extends Error {
  readonly reason: 'empty' | 'no_rows' | 'open_quote';
  readonly line: number;

  constructor(reason: FileError['reason'], line: number) {
    super(`${reason} in line ${line}`);
    this.reason = reason;
    this.line = line;
  }
}

/** Decodes a file: UTF-8 and UTF-16 by their marks, else UTF-8, else Windows-1252 as Excel writes it. */
export function decodeFile(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Reads a CSV file (RFC 4180). The delimiter is the one that the header has most of. A quote within a cell
 * without quotes is a character, as in the files of many programs.
 */
export function readCsv(text: string, given?: Delimiter): FileTable {
  let body = text.replace(/^\uFEFF/, '');
  let firstLine = 1;
  // Excel names the delimiter in a first line of its own.
  const named = /^sep=([,;\t])(?:\r\n?|\n)/i.exec(body);
  if (named !== null) {
    body = body.slice(named[0].length);
    firstLine = 2;
  }
  const delimiter = given ?? (named?.[1] as Delimiter | undefined) ?? guessDelimiter(body);
  const [header, ...records] = Array.from(readRecords(body, delimiter, firstLine));
  if (header === undefined) throw new FileError('empty', 1);
  if (records.length === 0) throw new FileError('no_rows', header.line);
  return {header: header.cells.map((cell) => cell.trim()), records};
}

function guessDelimiter(text: string): Delimiter {
  const counts = delimiters.map((delimiter) => {
    const first = readRecords(text, delimiter, 1).next();
    return first.done === true ? 0 : first.value.cells.length;
  });
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Reads records; lines without a cell are passed over. */
function* readRecords(text: string, delimiter: Delimiter, firstLine: number): Generator<FileRecord> {
  let line = firstLine;
  let at = 0;
  while (at < text.length) {
    const record = {line, cells: [] as string[]};
    let isLast = false;
    while (!isLast) {
      let cell: string;
      if (text[at] === '"') {
        let end = at + 1;
        for (;;) {
          end = text.indexOf('"', end);
          if (end < 0) throw new FileError('open_quote', record.line);
          if (text[end + 1] !== '"') break;
          end += 2;
        }
        cell = text.slice(at + 1, end).replaceAll('""', '"');
        line += countLines(cell);
        at = end + 1;
      } else cell = '';
      const end = findCellEnd(text, at, delimiter);
      cell += text.slice(at, end);
      record.cells.push(cell);
      isLast = text[end] !== delimiter;
      at = end + (text.startsWith('\r\n', end) ? 2 : 1);
      // A delimiter at the end of the file is followed by an empty cell.
      if (!isLast && at >= text.length) {
        record.cells.push('');
        isLast = true;
      }
    }
    line += 1;
    if (record.cells.some((cell) => cell.trim() !== '')) yield record;
  }
}

function findCellEnd(text: string, from: number, delimiter: Delimiter): number {
  for (let at = from; at < text.length; at++) {
    const unit = text[at];
    if (unit === delimiter || unit === '\n' || unit === '\r') return at;
  }
  return text.length;
}

function countLines(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}
