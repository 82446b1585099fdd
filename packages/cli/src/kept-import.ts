import {readdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import type {ImportRow} from '../../import-files/src/rows.js';
import type {Schema} from '../../client-ts/src/schema.js';
import {CommandError} from './errors.js';
import {findFolders, parseObject, readPrivate, writePrivate} from './files.js';
import type {Outside} from './outside.js';
import type {Session} from './session.js';
import {readSubject} from './token.js';

/** An import that is being sent. It is written down before the first request, so that a kill loses nothing. */
export interface KeptImport {
  /** The idempotency key of the import; those of its requests begin with it. */
  readonly ref: string;
  readonly url: string;
  /** The holder of the token. */
  readonly subject: string | null;
  readonly body: Schema<'NewImport'>;
  /** The id of the import, once the service has answered. */
  readonly id: string | null;
  readonly rows: number;
  readonly requests: number;
  /** The number of requests that were answered. */
  readonly sent: number;
  readonly sentRows: number;
}

const fileOf = (outside: Outside) => path.join(findFolders(outside).state, 'import.json');
/** The requests, one in each line. Their name has the key, so that they never belong to another import. */
const rowsFileOf = (outside: Outside, ref: string) =>
  path.join(findFolders(outside).state, `import-${ref}.ndjson`);

/** Removes rows of imports that ended: a kill may leave them, and they have texts of people. */
function removeRows(outside: Outside, except?: string): void {
  const {state} = findFolders(outside);
  const names = readdirSync(state).filter((name) => /^import[-.].*\.(?:ndjson|part)$/.test(name));
  for (const name of names) if (name !== except) rmSync(path.join(state, name), {force: true});
}

export function keepRows(outside: Outside, ref: string, requests: readonly (readonly ImportRow[])[]): void {
  const file = rowsFileOf(outside, ref);
  writePrivate(file, requests.map((rows) => `${JSON.stringify(rows)}\n`).join(''), outside);
  removeRows(outside, path.basename(file));
}

export function keepImport(outside: Outside, kept: KeptImport): void {
  writePrivate(fileOf(outside), `${JSON.stringify(kept)}\n`, outside);
}

/** Returns the import that was interrupted, also one of another service or user. */
export function readKeptImport(outside: Outside): KeptImport | undefined {
  const file = fileOf(outside);
  const text = readPrivate(file, outside);
  if (text === undefined) return undefined;
  const kept = parseObject(text, file) as unknown as KeptImport;
  if (typeof kept.ref === 'string' && /^[\w-]+$/.test(kept.ref)) return kept;
  throw new CommandError('refused', `${file} is damaged. Delete it.`);
}

export const isOwnImport = ({url, token}: Session, kept: KeptImport): boolean =>
  kept.url === url && kept.subject === readSubject(token);

/** Reads the requests that were not answered. */
export function* readRequests(outside: Outside, {ref, sent}: KeptImport): Generator<ImportRow[]> {
  const file = rowsFileOf(outside, ref);
  const text = readPrivate(file, outside);
  if (text === undefined) throw new CommandError('refused', `${file} is gone. Begin again: standup import`);
  for (const request of text.split('\n').slice(sent))
    if (request !== '') yield JSON.parse(request) as ImportRow[];
}

export function forgetImport(outside: Outside): void {
  rmSync(fileOf(outside), {force: true});
  removeRows(outside);
}
