import {type ImportRow, splitIntoRequests} from '../../import-files/src/rows.js';
import type {Schema} from '../../client-ts/src/schema.js';
import {connect, need} from './connection.js';
import {CommandError} from './errors.js';
import {nameAuthor} from './import-people.js';
import {forgetImport, keepImport, type KeptImport, readKeptImport, readRequests} from './kept-import.js';
import type {Session} from './session.js';

type Import = Schema<'Import'>;

/** A person of the source, as the service has recognised them. */
export interface FoundAuthor {
  readonly author: ImportRow['author'];
  readonly rows: number;
  /** Null: the rows of this person are left out. */
  readonly member: string | null;
  readonly isFormer: boolean;
}

export interface DryRun {
  readonly summary: Import;
  /** The rows that would become standups. */
  readonly wanted: readonly ImportRow[];
  readonly authors: readonly FoundAuthor[];
  /** Some rows with errors. */
  readonly invalid: readonly {readonly row: ImportRow; readonly details: readonly string[]}[];
}

const invalidShown = 5;

/** Returns a session that waits for the quota, however long that takes. */
export function makePatient(session: Session): Session {
  const {outside, url, token} = session;
  const onQuota = (seconds: number) =>
    outside.showProgress(`The quota of the service is used up: ${seconds} seconds to wait …`);
  return {...session, ...connect(outside, {url, token, onQuota})};
}

/** Asks the service what would become of the rows. Nothing is created. */
export async function dryRun(
  session: Session,
  rows: readonly ImportRow[],
  body: Schema<'NewImport'>,
): Promise<DryRun> {
  const {client, outside} = session;
  const header = {'Idempotency-Key': outside.createId()};
  const started = need(await client.POST('/v1/imports', {params: {header}, body: {...body, dry_run: true}}));
  const path = {import: started.id};
  const refused = new Set<ImportRow>();
  const invalid: {row: ImportRow; details: string[]}[] = [];
  const found = new Map<string, {member: string | null; isFormer: boolean}>();
  let sent = 0;
  for (const request of splitIntoRequests(rows)) {
    outside.showProgress(`Checking ${sent} of ${rows.length} standups …`);
    const params = {path, header: {'Idempotency-Key': outside.createId()}};
    const {not_created: others, authors} = need(
      await client.POST('/v1/imports/{import}/rows', {params, body: {rows: request}}),
    );
    for (const {index, outcome, errors} of others) {
      const row = request[index];
      if (row === undefined) continue;
      refused.add(row);
      if (outcome === 'invalid' && invalid.length < invalidShown) {
        invalid.push({row, details: errors.map(({pointer, detail}) => `${pointer.slice(2)}: ${detail}`)});
      }
    }
    for (const {index, member, former} of authors) {
      const row = request[index];
      if (row !== undefined) found.set(JSON.stringify(nameAuthor(row.author)), {member, isFormer: former});
    }
    sent += request.length;
  }
  const params = {path, header: {'Idempotency-Key': outside.createId()}};
  const summary = need(await client.POST('/v1/imports/{import}/finish', {params}));
  outside.showProgress('');
  const authors = Map.groupBy(rows, ({author}) => JSON.stringify(nameAuthor(author)));
  return {
    summary,
    wanted: rows.filter((row) => !refused.has(row)),
    authors: Array.from(authors).flatMap(([name, own]) => {
      const [first] = own;
      const who = found.get(name);
      return first === undefined || who === undefined
        ? []
        : [{...who, author: first.author, rows: own.length}];
    }),
    invalid,
  };
}

const howToGoOn = 'To go on: standup import resume\nTo take it back: standup import undo';

/** Sends what is left of an import, and finishes it. A repeat of a request creates nothing twice. */
export async function sendKept(session: Session, given: KeptImport): Promise<Import> {
  const {client, outside} = session;
  let kept = given;
  const progress = () => `${kept.sentRows} of ${kept.rows} standups`;
  const remember = (more: Partial<KeptImport>) => {
    kept = {...kept, ...more};
    keepImport(outside, kept);
    outside.sayIfInterrupted(`Interrupted after ${progress()}.\n${howToGoOn}`);
    outside.showProgress(`Sending: ${progress()} …`);
  };
  try {
    if (kept.id === null) {
      const params = {header: {'Idempotency-Key': kept.ref}};
      remember({id: need(await client.POST('/v1/imports', {params, body: kept.body})).id});
    }
    const path = {import: kept.id ?? ''};
    for (const rows of readRequests(outside, kept)) {
      const params = {path, header: {'Idempotency-Key': `${kept.ref}-${kept.sent}`}};
      const answer = await client.POST('/v1/imports/{import}/rows', {params, body: {rows}});
      if (answer.error?.code === 'import_closed') throw createClosedError(session, answer.error.detail);
      need(answer);
      remember({sent: kept.sent + 1, sentRows: kept.sentRows + rows.length});
    }
    const params = {path, header: {'Idempotency-Key': `${kept.ref}-finish`}};
    const finished = need(await client.POST('/v1/imports/{import}/finish', {params}));
    forgetImport(outside);
    return finished;
  } catch (error) {
    if (!(error instanceof CommandError) || readKeptImport(outside) === undefined) throw error;
    throw new CommandError(error.reason, `${error.message}\nSent were ${progress()}.\n${howToGoOn}`);
  } finally {
    outside.showProgress('');
    outside.sayIfInterrupted('');
  }
}

/** An import may have been finished, cancelled or abandoned elsewhere since it was interrupted. */
function createClosedError({outside}: Session, why: string): CommandError {
  forgetImport(outside);
  return new CommandError('refused', `${why} Begin again: what is here already is not created twice.`);
}
