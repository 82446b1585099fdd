import {AppError} from '../domain/core/errors.js';
import {type Id, storedId, suffixOf} from '../domain/core/ids.js';
import {checkWorkspaceFile, createFileError, parseLine, reencryptPart} from './check-workspace-file.js';
import {finishImportScript, importPartScript, releaseSlugScript} from './core/compiled/lua.js';
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
 * that was interrupted goes on when it is repeated with the same file. Errors: `validation_failed` for a file
 * that cannot be used, `slug_taken` if its slug or its Slack workspace belongs to another workspace here.
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
  const recordName = splitKey(keys.record(suffixOf(workspace))).name;
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

  /** Finds what an interrupted import has noted: its file, the lines that are written, and the claimed slug. */
  async function findProgress() {
    const fields = ['file', 'lines', 'slug'];
    const command = ['HMGET', keys.importProgress(), ...fields] as const;
    const [begunFile, lines, begunSlug] = await call<(string | null)[]>(newJobDeadline(), command);
    return {file: begunFile ?? undefined, lines: Number(lines ?? 0), slug: begunSlug ?? undefined};
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
    const done = begun.file === sha256 ? begun.lines : 0;
    await call(newJobDeadline(), ['HSETNX', keys.importProgress(), 'file', sha256]);
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
      if (number <= done) continue;
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
      await deleteWritten();
      throw createFileError('The file changed while it was read. Nothing was kept: run the command again.');
    }
    await requireAllWritten(expected);
    await takeSlug();
    if (record !== undefined) await writePart({...record, v: [withSlug(record.v[0] ?? '')]});
    const isOwn = (name: string | undefined) => name === 'frozen' || name === 'exported';
    const fields = head.filter((_, i) => !isOwn(head[i - (i % 2)]));
    await run(newJobDeadline(), finishImportScript, [keys.head(), keys.ready(), keys.slackReady()], fields);
  }

  function deleteWritten(): Promise<void> {
    return listWorkspaceKeys(connection, workspace).then((all) => deleteKeys(connection, all));
  }

  /** Writes lines together, then notes them as done. A repeat may write them again. */
  async function writeBatch(parts: readonly FilePart[], lines: number): Promise<void> {
    await Promise.all(parts.map(writePart));
    await call(newJobDeadline(), ['HSET', keys.importProgress(), 'lines', String(lines)]);
  }

  async function writePart(part: FilePart): Promise<void> {
    const {k, t, n, x, v, s = ['', '', '']} = part;
    const members = t === 'string' ? [reencryptPart(part, workspace, fileCipher, cipher, 0)] : v;
    const args = [t, String(n), x === undefined ? '' : String(x), ...s, ...members];
    const named = [`{${workspace}}:${k}`, keys.head()];
    if ((await run<number>(newJobDeadline(), importPartScript, named, args)) === 1) return;
    throw createTakenError(`The workspace ${workspace} is here already. Nothing was written.`);
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
    await deleteWritten();
    throw new AppError(
      'service_unavailable',
      'The store does not have what was written. Nothing was kept: run the command again.',
    );
  }

  /** Reserves the slug, so that no new workspace gets it, and releases the one of an earlier try. */
  async function takeSlug(): Promise<void> {
    if (begun.slug !== undefined && begun.slug !== slug) {
      const indexes = [globalKeys.workspaceSlugs(), globalKeys.workspaces()];
      await run(newJobDeadline(), releaseSlugScript, indexes, [begun.slug, workspace]);
    }
    await call(newJobDeadline(), ['HSET', keys.importProgress(), 'slug', slug]);
    await claimSlug();
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

function createTakenError(sentence: string): AppError {
  return new AppError('slug_taken', sentence);
}
