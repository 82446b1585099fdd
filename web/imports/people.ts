import type {ImportRow} from '../../packages/import-files/src/rows.js';
import type {Schema} from '../api/schema.ts';

export type ImportPerson = NonNullable<Schema<'NewImport'>['people']>[number];

/** How the service recognises an author: by the first of these that the rows have. */
type PersonKind = NonNullable<ImportPerson['by']>;

/** A person of the file. The rows of one person may show their address only in some of them. */
export interface FileAuthor {
  readonly key: string;
  readonly by: PersonKind;
  readonly person: string;
  readonly name: string;
  readonly email: string | undefined;
  readonly rows: number;
}

/** Ids of members, `former`, or null to leave the person out. */
export type PersonChoice = string | null;

/** Decisions of the importing person by the key of the author. The service decides about everyone else. */
export type PersonChoices = Readonly<Record<string, PersonChoice>>;

/** Returns the key of an author, as the service tells authors apart. */
export function findAuthorKey({external_id: id, email, name}: ImportRow['author']): string {
  if (id !== undefined) return `external_id:${id}`;
  return email === undefined ? `name:${name}` : `email:${foldEmail(email)}`;
}

export function foldEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Lists the authors of rows: those without an address first, since no one else decides who they are. */
export function listAuthors(rows: Iterable<Pick<ImportRow, 'author'>>): readonly FileAuthor[] {
  const found = new Map<string, FileAuthor>();
  for (const {author} of rows) {
    const key = findAuthorKey(author);
    const known = found.get(key);
    const by = key.slice(0, key.indexOf(':')) as PersonKind;
    const person = {external_id: author.external_id, email: author.email, name: author.name}[by];
    found.set(key, {
      ...(known ?? {key, by, person: person ?? author.name, name: author.name}),
      email: known?.email ?? author.email,
      rows: (known?.rows ?? 0) + 1,
    });
  }
  return [...found.values()].toSorted(
    (a, b) => Number(a.email !== undefined) - Number(b.email !== undefined) || b.rows - a.rows,
  );
}

/** The decisions for the API: only those about people of the file. */
export function toImportPeople(authors: readonly FileAuthor[], choices: PersonChoices): ImportPerson[] {
  return authors.flatMap(({key, by, person}) => {
    const member = choices[key];
    return member === undefined ? [] : [{person, by, member}];
  });
}
