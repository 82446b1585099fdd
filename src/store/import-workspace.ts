import {randomBytes} from 'node:crypto';
import {AppError} from '../domain/core/errors.js';
import {type Id, storedId, suffixOf} from '../domain/core/ids.js';
import {checkWorkspaceFile, createFileError, parseLine, reencryptPart} from './check-workspace-file.js';
import {
  beginImportScript,
  finishImportScript,
  importPartScript,
  noteImportScript,
  releaseSlugScript,
} from './core/compiled/lua.js';
import type {Cipher} from './core/cipher.js';
import {callWhenFull, type RedisConnection} from './core/connection.js';
import {newJobDeadline} from './core/deadlines.js';
import {globalKeys, splitKey, workspaceKeys} from './core/keys.js';
import {listWorkspaceKeys} from './core/workspace-scan.js';
import {deleteKeys} from './remove-workspace.js';
import {createFileDigest, type FileHeader, type FileLine, type FilePart} from './workspace-file.js';

export interface ImportRequest {
  /** Reads the file from its beginning, line by line without line breaks. */
  readonly readLines: () => AsyncIterable<string>;
  readonly passphrase: string;
  /** Another slug than that of the file, whose slug another workspace here may have. */
  readonly slug?: string | undefined;
}

/** The result of an import. `present`: the workspace is here already, and nothing was written. */
export type ImportResult =
  | ({readonly kind: 'imported'} & ImportedWorkspace)
  | {readonly kind: 'present'; readonly workspace: Id<'workspace'>};

interface ImportedWorkspace {
  readonly workspace: Id<'workspace'>;
  readonly slug: string;
  /** The slug in the installation that the file comes from. */
  readonly slugBefore: string;
  readonly keys: number;
  readonly sha256: string;
  /** The number of valid access tokens. The other installation has signed them, so this one rejects them. */
  readonly tokens: number;
}

interface ImportParts {
  readonly connection: RedisConnection;
  readonly cipher: Cipher;
}

/** The number and size (characters) of lines that are written together before the progress is noted. */
const linesAtOnce = 100;
const sizeAtOnce = 4 * 1024 * 1024;

/**
 * Creates a workspace from a file. The whole file is checked before anything is written. The record with the
 * slug and the head are written last, so until then nothing else in the service sees the workspace. An import
 * that was interrupted goes on when it is repeated with the same file; one that still runs is stopped by the
 * repeat. Errors: `validation_failed` for a file that cannot be used, `slug_taken` if its slug or its Slack
 * workspace belongs to another workspace here, or if another import has taken over.
 */
export async function importWorkspace(
  {connection, cipher}: ImportParts,
  {readLines, passphrase, slug: wanted}: ImportRequest,
): Promise<ImportResult> {
  const {call, run, clock} = connection;
  const file = await checkWorkspaceFile(readLines(), passphrase, clock.now);
  const {header, fileCipher, sha256, tokens, slackId} = file;
  const {workspace} = header;
  const keys = workspaceKeys(workspace);
  const recordKey = keys.record(suffixOf(workspace));
  const recordName = splitKey(recordKey).name;
  const importer = randomBytes(12).toString('base64url');
  const begun = await findProgress();
  const isNew = (await call<number>(newJobDeadline(), ['EXISTS', keys.head()])) === 0;
  if (!isNew && begun.file !== sha256) return {kind: 'present', workspace};
  // A workspace that is visible keeps its slug.
  const slug = (isNew ? wanted : begun.slug) ?? header.slug;
  await requireFree();
  if (isNew) await writeAll();
  await addToIndexes();
  await callWhenFull({run}, newJobDeadline(), ['DEL', keys.importProgress()]);
  return {kind: 'imported', workspace, slug, slugBefore: header.slug, keys: file.keys, sha256, tokens};

  /** Finds what another import has noted: its file, and the slug that it has claimed. */
  async function findProgress() {
    const command = ['HMGET', keys.importProgress(), 'file', 'slug'] as const;
    const [begunFile, begunSlug] = await call<(string | null)[]>(newJobDeadline(), command);
    return {file: begunFile ?? undefined, slug: begunSlug ?? undefined};
  }

  /** Takes over from an import before, which writes nothing from now on. Returns what it has done. */
  async function takeOver() {
    const named = [keys.importProgress(), keys.head()];
    const args = [importer, sha256];
    const noted = await run<(string | null)[] | null>(newJobDeadline(), beginImportScript, named, args);
    if (noted === null) throw createTakenOverError();
    const [lines, begunSlug] = noted;
    return {lines: Number(lines ?? 0), slug: begunSlug ?? undefined};
  }

  async function note(field: 'lines' | 'slug', value: string): Promise<void> {
    const args = [importer, field, value];
    if ((await run<number>(newJobDeadline(), noteImportScript, [keys.importProgress()], args)) === 1) return;
    throw createTakenOverError();
  }

  /** Refuses a slug or a Slack workspace of another workspace here. */
  async function requireFree(): Promise<void> {
    const [holder, slackHolder] = await Promise.all([
      findSlugHolder(),
      slackId === undefined
        ? null
        : call<string | null>(newJobDeadline(), ['HGET', globalKeys.slackWorkspaces(), slackId]),
    ]);
    if (holder !== null && holder !== workspace) {
      throw createTakenError(
        `There is another workspace "${slug}" here. Nothing was written. Import under another slug: --slug NEW.`,
      );
    }
    if (slackHolder !== null && slackHolder !== workspace) {
      throw createTakenError(
        `The Slack workspace ${slackId} belongs to another workspace here. Nothing was written.`,
      );
    }
    // Parts of another file would mix with this one.
    if (isNew && begun.file !== undefined && begun.file !== sha256) await deleteWritten();
  }

  async function writeAll(): Promise<void> {
    const before = await takeOver();
    const digest = createFileDigest();
    /** The keys of the file, with the instants (ms) at which they expire. */
    const expected = new Map<string, number | undefined>();
    const head: string[] = [];
    let record: FilePart | undefined;
    let batch: FilePart[] = [];
    let [number, size] = [0, 0];
    for await (const text of readLines()) {
      number += 1;
      const line = parseLine(text, number) as FileLine | FileHeader;
      if ('end' in line) break;
      digest.add(text);
      if ('form' in line) continue;
      if (line.k === 'head') head.push(...line.v);
      if (line.k === recordName) record = line;
      if (line.k === 'head' || line.k === recordName) continue;
      expected.set(line.k, line.x);
      if (number <= before.lines) continue;
      // A part must follow the parts before it, and the writes of a batch run in any order.
      if (line.n > 0) {
        await writeBatch(batch, number - 1);
        [batch, size] = [[], 0];
      }
      batch.push(line);
      size += text.length;
      if (batch.length < linesAtOnce && size < sizeAtOnce) continue;
      await writeBatch(batch, number);
      [batch, size] = [[], 0];
    }
    await writeBatch(batch, number);
    if (digest.finish().sha256 !== sha256) {
      await note('lines', '0');
      await deleteWritten();
      throw createFileError('The file changed while it was read. Nothing was kept: run the command again.');
    }
    await requireAllWritten(expected);
    await takeSlug(before.slug);
    const isOwn = (name: string | undefined) => name === 'frozen' || name === 'exported';
    const fields = head.filter((_, i) => !isOwn(head[i - (i % 2)]));
    const named = [keys.head(), keys.importProgress(), recordKey, keys.ready(), keys.slackReady()];
    const args = [importer, record === undefined ? '' : withSlug(record.v[0] ?? ''), ...fields];
    if ((await run<number>(newJobDeadline(), finishImportScript, named, args)) === 1) return;
    await releaseUnusedSlug();
    throw createTakenOverError();
  }

  function deleteWritten(): Promise<void> {
    return listWorkspaceKeys(connection, workspace).then((all) => deleteKeys(connection, all));
  }

  /** Writes lines together, then notes them as done. A repeat may write them again. */
  async function writeBatch(parts: readonly FilePart[], lines: number): Promise<void> {
    await Promise.all(parts.map(writePart));
    await note('lines', String(lines));
  }

  async function writePart(part: FilePart): Promise<void> {
    const {k, t, n, x, v, s = ['', '', '']} = part;
    const members = t === 'string' ? [reencryptPart(part, workspace, fileCipher, cipher, 0)] : v;
    const args = [importer, t, String(n), x === undefined ? '' : String(x), ...s, ...members];
    const named = [`{${workspace}}:${k}`, keys.importProgress()];
    if ((await run<number>(newJobDeadline(), importPartScript, named, args)) === 1) return;
    throw createTakenOverError();
  }

  /** Checks that exactly the keys of the file are in the store, except those that have expired. */
  async function requireAllWritten(expected: ReadonlyMap<string, number | undefined>): Promise<void> {
    const all = await listWorkspaceKeys(connection, workspace);
    const found = new Set(all.map((key) => splitKey(key).name));
    const isMissing = [...expected].some(
      ([name, expiry]) => !found.has(name) && (expiry ?? Infinity) > clock.now(),
    );
    const isForeign = [...found].some(
      (name) => !expected.has(name) && name !== 'import' && name !== recordName,
    );
    if (!isMissing && !isForeign) return;
    await note('lines', '0');
    await deleteWritten();
    throw new AppError(
      'service_unavailable',
      'The store does not have what was written. Nothing was kept: run the command again.',
    );
  }

  /** Reserves the slug, so that no new workspace gets it, and releases the one of an earlier try. */
  async function takeSlug(slugBefore: string | undefined): Promise<void> {
    if (slugBefore !== undefined && slugBefore !== slug) await releaseSlug(slugBefore);
    await note('slug', slug);
    await claimSlug();
  }

  async function releaseSlug(claimed: string): Promise<void> {
    await run(newJobDeadline(), releaseSlugScript, [globalKeys.workspaceSlugs()], [claimed, workspace]);
  }

  /** Releases the claimed slug, unless the import that took over, or the workspace that it has made, uses it. */
  async function releaseUnusedSlug(): Promise<void> {
    const [noted, record] = await Promise.all([
      findProgress(),
      call<string | null>(newJobDeadline(), ['GET', recordKey]),
    ]);
    const used = (record === null ? {} : JSON.parse(record)) as {readonly slug?: string};
    if (noted.slug !== slug && used.slug !== slug) await releaseSlug(slug);
  }

  async function claimSlug(): Promise<void> {
    await callWhenFull({run}, newJobDeadline(), ['HSETNX', globalKeys.workspaceSlugs(), slug, workspace]);
    if ((await findSlugHolder()) === workspace) return;
    throw createTakenError(
      `Another workspace has taken the slug "${slug}" in the meantime. Continue under another slug: --slug NEW.`,
    );
  }

  function findSlugHolder(): Promise<string | null> {
    return call<string | null>(newJobDeadline(), ['HGET', globalKeys.workspaceSlugs(), slug]);
  }

  function withSlug(record: string): string {
    return slug === header.slug ? record : JSON.stringify({...(JSON.parse(record) as object), slug});
  }

  async function addToIndexes(): Promise<void> {
    await claimSlug();
    await callWhenFull({run}, newJobDeadline(), ['SADD', globalKeys.workspaces(), workspace]);
    if (slackId === undefined) return;
    const pointers = globalKeys.slackWorkspaces();
    await callWhenFull({run}, newJobDeadline(), ['HSETNX', pointers, slackId, storedId(workspace)]);
  }
}

function createTakenOverError(): AppError {
  return createTakenError(
    'Another import of this workspace has taken over, so this one has stopped. See when it has ended: standup-admin workspace list',
  );
}

function createTakenError(sentence: string): AppError {
  return new AppError('slug_taken', sentence);
}
