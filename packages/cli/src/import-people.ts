import {decodeFile, FileError, readCsv} from '../../import-files/src/read-csv.js';
import {type ImportRow, rowLimits} from '../../import-files/src/rows.js';
import {createEmailComparisonKey} from '../../../src/domain/core/text.js';
import type {Schema} from '../../client-ts/src/schema.js';
import {need} from './connection.js';
import {CommandError} from './errors.js';
import {readBytes} from './import-file.js';
import type {Outside} from './outside.js';
import type {Session} from './session.js';

type People = NonNullable<Schema<'NewImport'>['people']>;
type Author = ImportRow['author'];

/** The name by which the API recognises an author, and the field that it is. */
export function nameAuthor({external_id: id, email, name}: Author): {
  by: 'external_id' | 'email' | 'name';
  person: string;
} {
  if (id !== undefined) return {by: 'external_id', person: id};
  return email === undefined ? {by: 'name', person: name} : {by: 'email', person: email};
}

/**
 * Reads who is who from a CSV file: a person of the source (id, address or name), and a member here (address
 * or id), `former` or `leave out`.
 */
export async function readPeople(
  session: Session,
  file: string,
  rows: readonly ImportRow[],
): Promise<People> {
  const lines = readLines(session.outside, file);
  const find = createPersonFinder(rows);
  const members = lines.some(({member}) => member.includes('@')) ? await listMembers(session) : new Map();
  const people = new Map<string, People[number]>();
  for (const {person, member, line} of lines) {
    const where = `Line ${line} of ${file}`;
    const found = find(person);
    if (typeof found === 'string') throw new CommandError('usage', `${where}: ${found}`);
    const chosen = parseMember(member, members);
    if (chosen === undefined) {
      throw new CommandError(
        'usage',
        `${where}: ${member} is not the address or the id of a member here, nor \`former\` or \`leave out\`.`,
      );
    }
    people.set(JSON.stringify(found), {...found, member: chosen});
  }
  if (people.size > rowLimits.people)
    throw new CommandError('usage', `${file} names more than ${rowLimits.people} people.`);
  return [...people.values()];
}

function readLines(outside: Outside, file: string) {
  try {
    const {header, records} = readCsv(decodeFile(readBytes(outside, file)));
    const isHeader = header[0]?.toLowerCase() === 'person';
    const all = isHeader ? records : [{line: 1, cells: header}, ...records];
    return all.map(({line, cells}) => ({
      line,
      person: (cells[0] ?? '').trim(),
      member: (cells[1] ?? '').trim(),
    }));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const why =
      error.reason === 'open_quote' ? `A quote in line ${error.line} is not closed.` : 'It has no people.';
    throw new CommandError('usage', `${file} cannot be used. ${why}`);
  }
}

/** Returns a function that finds a person of the source, or says why it finds none. */
function createPersonFinder(rows: readonly ImportRow[]) {
  const authors = rows.map(({author}) => author);
  const ids = new Set(authors.map(({external_id: id}) => id));
  const emails = new Set(authors.map(({email}) => email && createEmailComparisonKey(email)));
  const byName = Map.groupBy(authors, ({name}) => name);
  return (person: string): ReturnType<typeof nameAuthor> | string => {
    if (person === '') return 'the person is missing.';
    if (ids.has(person)) return {by: 'external_id', person};
    if (emails.has(createEmailComparisonKey(person))) return {by: 'email', person};
    const named = new Map(
      (byName.get(person) ?? []).map((author) => [JSON.stringify(nameAuthor(author)), author]),
    );
    const [only] = named.values();
    if (only === undefined) return `${person} is no person of the source.`;
    return named.size === 1
      ? nameAuthor(only)
      : `${named.size} people are named ${person}: give an address or id.`;
  };
}

function parseMember(given: string, members: ReadonlyMap<string, string>): string | null | undefined {
  if (given.toLowerCase() === 'former') return 'former';
  if (/^(?:leave[ _-]?out|skip)$/i.test(given)) return null;
  if (/^mem_[0-9a-z]+$/.test(given)) return given;
  return members.get(createEmailComparisonKey(given));
}

/** Lists members here: their ids by the comparison key of their address. */
export async function listMembers({client}: Session): Promise<Map<string, string>> {
  const members = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const query = {limit: 100, ...(cursor !== undefined && {cursor})};
    const page = need(await client.GET('/v1/members', {params: {query}}));
    for (const {id, email} of page.data) if (email) members.set(createEmailComparisonKey(email), id);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return members;
}
