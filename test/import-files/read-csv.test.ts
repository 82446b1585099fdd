import {expect, it} from '@jest/globals';
import fc from 'fast-check';
import {decodeFile, FileError, readCsv} from '../../packages/import-files/src/read-csv.js';

const cellsOf = (text: string) => readCsv(text).records.map(({cells}) => cells);

it.each([',', ';', '\t'] as const)(
  'a file with the delimiter %j is recognised by its header',
  (delimiter) => {
    const text = [
      `Date${delimiter}Author${delimiter}Text`,
      `2024-03-14${delimiter}Ada${delimiter}"a, b; c\t d"`,
    ];
    expect(readCsv(text.join('\n'))).toEqual({
      header: ['Date', 'Author', 'Text'],
      records: [{line: 2, cells: ['2024-03-14', 'Ada', 'a, b; c\t d']}],
    });
  },
);

it('a byte order mark, a line that names the delimiter, and every kind of line end are no content', () => {
  expect(readCsv('\uFEFFsep=;\r\nDate;Text\r\n1;a,b\r2;"c\r\nd"\n\n;;\n3;e')).toEqual({
    header: ['Date', 'Text'],
    records: [
      {line: 3, cells: ['1', 'a,b']},
      {line: 4, cells: ['2', 'c\r\nd']},
      {line: 8, cells: ['3', 'e']},
    ],
  });
});

it('doubled quotes are one, and a quote within a cell without quotes is a character', () => {
  expect(cellsOf('a,b\n"she said ""hi""",5" pipe\n"",x\n"tail" more,')).toEqual([
    ['she said "hi"', '5" pipe'],
    ['', 'x'],
    ['tail more', ''],
  ]);
});

it('a file that ends within quotes is refused with the line of the record', () => {
  expect(() => readCsv('a,b\n1,2\n3,"open\nand on')).toThrow(new FileError('open_quote', 3));
});

it.each([
  ['', 'empty'],
  ['\n \n', 'empty'],
  ['Date,Text\n', 'no_rows'],
])('a file %j without records is refused', (text, reason) => {
  expect(() => readCsv(text)).toThrow(expect.objectContaining({reason}));
});

it('whatever cells a file has, they are read as they were written', () => {
  const cell = fc.string({unit: fc.constantFrom('a', ' ', '"', ',', ';', '\t', '\n', '\r', 'ß', '😀')});
  const records = fc.array(fc.tuple(cell, cell), {minLength: 1, maxLength: 8});
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(records, fc.constantFrom('\n', '\r\n', '\r'), (written, end) => {
      const lines = [['x', 'y'], ...written].map((cells) => cells.map(quote).join(','));
      const kept = written.filter((cells) => cells.some((text) => text.trim() !== ''));
      fc.pre(kept.length > 0);
      expect(cellsOf(lines.join(end))).toEqual(kept);
    }),
  );
  expect.hasAssertions();
});

it('a file of UTF-8, UTF-16 or Windows-1252 is decoded', () => {
  const text = 'Größe';
  const little = Uint8Array.from([0xff, 0xfe, ...Buffer.from(text, 'utf16le')]);
  const big = Uint8Array.from([0xfe, 0xff, ...Buffer.from(text, 'utf16le').swap16()]);
  for (const bytes of [Buffer.from(text), little, big, Buffer.from(text, 'latin1')]) {
    expect(decodeFile(bytes)).toBe(text);
  }
});
