import type {FileTable} from './read-csv.js';

/** The meanings that a column may have. `question`: the header is a question, and the cells are the answers. */
export const columnFields = [
  'date',
  'posted_at',
  'timezone',
  'author_email',
  'author_name',
  'author_id',
  'team',
  'update',
  'question',
  'external_id',
] as const;

export type ColumnField = (typeof columnFields)[number];

/** The meaning of each column by position; null for one that is left out. */
export type Columns = readonly (ColumnField | null)[];

/** Names of columns, in lower case and without other characters than letters and digits between spaces. */
const names: Readonly<Record<Exclude<ColumnField, 'question'>, readonly string[]>> = {
  external_id: ['external id', 'id', 'report id', 'response id', 'uuid', 'entry id', 'response uuid'],
  date: ['date', 'day', 'standup date', 'report date', 'response date', 'check in date', 'datum', 'tag'],
  posted_at: [
    'posted at',
    'timestamp',
    'created at',
    'submitted at',
    'answered at',
    'completed at',
    'reported at',
    'posted',
    'submitted',
    'time',
    'created',
  ],
  timezone: ['timezone', 'time zone', 'tz', 'zeitzone'],
  author_email: ['author email', 'email', 'e mail', 'user email', 'member email', 'email address', 'mail'],
  author_name: [
    'author name',
    'author',
    'name',
    'user name',
    'username',
    'member name',
    'member',
    'full name',
    'real name',
    'realname',
    'user',
    'person',
    'participant',
    'reporter',
    'respondent',
  ],
  author_id: [
    'author id',
    'user id',
    'member id',
    'slack id',
    'user uuid',
    'author external id',
    'person id',
  ],
  team: [
    'team',
    'team name',
    'standup',
    'standup name',
    'check in',
    'check in name',
    'checkin',
    'checkin name',
    'channel',
    'channel name',
    'group',
  ],
  update: [
    'update',
    'text',
    'report',
    'message',
    'standup text',
    'summary',
    'content',
    'body',
    'answer',
    'note',
  ],
};

const askingWords =
  /^(?:what|how|which|who|when|where|why|any|anything|did|do|does|are|is|was|wie|welche|gibt|hast|bist)\s\S/;

/** Guesses what the columns of a file mean, by their names. A person confirms it. */
export function guessColumns({header}: Pick<FileTable, 'header'>): Columns {
  const plain = header.map(simplify);
  const guessed: (ColumnField | null)[] = header.map((name, index) =>
    readQuestion(name) !== undefined || name.endsWith('?') || askingWords.test(plain[index] ?? '')
      ? 'question'
      : null,
  );
  for (const [field, known] of Object.entries(names)) {
    const name = known.find((one) => plain.some((own, index) => own === one && guessed[index] === null));
    const index = plain.findIndex((own, at) => own === name && guessed[at] === null);
    if (name !== undefined) guessed[index] = field as ColumnField;
  }
  return guessed;
}

function simplify(name: string): string {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function readQuestion(name: string): string | undefined {
  return /^\s*question\s*:\s*(.+)$/is.exec(name)?.[1];
}

/** Returns the question in the header of a column: without the word `question:` before it. */
export function findQuestionLabel(name: string): string {
  return readQuestion(name) ?? name;
}

/** The things that are missing in a choice of columns, or that it has twice. */
export type ColumnsError =
  | {readonly missing: 'date' | 'author' | 'text' | 'team'}
  | {readonly twice: ColumnField};

/** Checks that rows can be made of the columns. `team`: the team of all rows, if no column has it. */
export function findColumnsErrors(columns: Columns, team?: string): ColumnsError[] {
  const has = (...fields: ColumnField[]) => fields.some((field) => columns.includes(field));
  const single = columnFields.filter((field) => field !== 'question' && field !== 'update');
  return [
    ...(has('date', 'posted_at') ? [] : [{missing: 'date'} as const]),
    ...(has('author_name', 'author_email', 'author_id') ? [] : [{missing: 'author'} as const]),
    ...(has('update', 'question') ? [] : [{missing: 'text'} as const]),
    ...(has('team') || team !== undefined ? [] : [{missing: 'team'} as const]),
    ...single
      .filter((field) => columns.filter((column) => column === field).length > 1)
      .map((twice) => ({twice})),
  ];
}
