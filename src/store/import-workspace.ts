import {AppError} from '../domain/core/errors.js';
import {type Id, isId, storedId} from '../domain/core/ids.js';
import {newJobDeadline} from './core/deadlines.js';
import {finishImportScript, importPartScript} from './core/compiled/lua.js';
import type {Cipher} from './core/cipher.js';
import {callWhenFull, type RedisConnection} from './core/connection.js';
import {dataFormat} from './core/installation.js';
import {type AnyKey, globalKeys, splitKey, workspaceKeys} from './core/keys.js';
import {listWorkspaceKeys} from './core/workspace-scan.js';
import {deleteKeys} from './remove-workspace.js';
import {
  createFileCipher,
  createFileDigest,
  type FileHeader,
  type FileLine,
  type FilePart,
  fileForm,
  decryptsCheck,
  reencryptValue,
} from './workspace-file.js';

export interface ImportRequest {
  /** Reads the file from its beginning, line by line without line breaks. */
  readonly readLines: () => AsyncIterable<string>;
  readonly passphrase: string;
}

/** The result of an import. `present`: the workspace is here already, and nothing was written. */
export type ImportResult =
  | ({readonly kind: 'imported'} & ImportedWorkspace)
  | {readonly kind: 'present'; readonly workspace: Id<'workspace'>};

interface ImportedWorkspace {
  readonly workspace: Id<'workspace'>;
  readonly slug: string;
  readonly keys: number;
  readonly sha256: string;
  /** The number of valid access tokens. The other installation has signed them, so this one rejects them. */
  readonly tokens: number;
}

/** The facts of a complete file, after all of it was read once. */
interface CheckedFile {
  readonly header: FileHeader;
  readonly fileCipher: Cipher;
  readonly sha256: string;
  readonly keys: number;
  readonly tokens: number;
  readonly slackId: string | undefined;
}

interface ImportParts {
  readonly connection: RedisConnection;
  readonly cipher: Cipher;
}

/** The number and size (characters) of lines that are written together before the progress is noted. */
const linesAtOnce = 100;
const sizeAtOnce = 4 * 1024 * 1024;

/**
 * Creates a workspace from a file. The whole file is checked before anything is written. The head is written
 * last, so until then nothing else in the service sees the workspace. An import that was interrupted goes on
 * when it is repeated with the same file. Errors: `validation_failed` for a file that cannot be used,
 * `slug_taken` if its slug or its Slack workspace belongs to another workspace here.
 */
export async function importWorkspace(
  {connection, cipher}: ImportParts,
  {readLines, passphrase}: ImportRequest,
): Promise<ImportResult> {
  const {call, run, clock} = connection;
  const file = await checkFile();
  const {header, sha256, tokens, slackId} = file;
  const {workspace, slug} = header;
  const keys = workspaceKeys(workspace);
  const isNew = !(await isVisible());
  if (!isNew && !(await isBegun())) return {kind: 'present', workspace};
  await requireFree();
  if (isNew) await writeAll();
  await addToIndexes();
  await callWhenFull({run}, newJobDeadline(), ['DEL', keys.importProgress()]);
  return {kind: 'imported', workspace, slug, keys: file.keys, sha256, tokens};

  async function isVisible(): Promise<boolean> {
    return (await call<number>(newJobDeadline(), ['EXISTS', keys.head()])) === 1;
  }

  /** Reads the file once, and opens every secret in it. */
  async function checkFile(): Promise<CheckedFile> {
    const digest = createFileDigest();
    let [header, fileCipher, sha256]: [FileHeader?, Cipher?, string?] = [];
    let [number, count, tokens, hasHead] = [0, 0, 0, false];
    let slackId: string | undefined;
    for await (const text of readLines()) {
      number += 1;
      if (sha256 !== undefined) throw createDamagedError(number);
      const line = parseLine(text, number);
      if (header === undefined || fileCipher === undefined) {
        header = requireHeader(line);
        fileCipher = await createFileCipher(passphrase, header.salt);
        if (!decryptsCheck(fileCipher, header.check))
          throw createFileError('The passphrase does not open this file. Nothing was written.');
        digest.add(text);
        continue;
      }
      const part = line as FileLine;
      if ('end' in part) {
        const found = digest.finish();
        if (part.sha256 !== found.sha256 || part.bytes !== found.bytes || part.keys !== count)
          throw createFileError('The file was changed or damaged. Nothing was written: export again.');
        ({sha256} = found);
        continue;
      }
      digest.add(text);
      if (part.n === 0) count += 1;
      hasHead ||= part.k === 'head';
      if (part.t === 'string') decryptPart(fileCipher, header.workspace, part, number);
      if (part.k.startsWith('t:') && part.v[0] === '1' && !isOver(part.x)) tokens += 1;
      if (part.k === 'slack') slackId = part.v.find((_, i) => i % 2 === 1 && part.v[i - 1] === 'id');
    }
    if (header === undefined || fileCipher === undefined)
      throw createFileError('The file is empty. Nothing was written.');
    if (sha256 === undefined || !hasHead) {
      throw createFileError(
        'The end of the file is missing, so its export was interrupted. Nothing was written: export again.',
      );
    }
    return {header, fileCipher, sha256, keys: count, tokens, slackId};
  }

  function requireHeader(line: unknown): FileHeader {
    const header = line as Partial<FileHeader>;
    if (header.form !== fileForm || !isId('workspace', String(header.workspace)))
      throw createFileError('This is no file of `standup workspace export`. Nothing was written.');
    if (header.data_format !== dataFormat) {
      throw createFileError(
        `The file has data format ${header.data_format}, and this version knows only ${dataFormat}: export and import with the same version. Nothing was written.`,
      );
    }
    return header as FileHeader;
  }

  function decryptPart(fileCipher: Cipher, id: string, part: FilePart, number: number): string {
    try {
      return reencryptValue({workspace: id, name: part.k, value: part.v[0] ?? ''}, fileCipher, cipher);
    } catch {
      throw createDamagedError(number);
    }
  }

  /** True for a key that has expired since the export. */
  function isOver(expiry: number | undefined): boolean {
    return expiry !== undefined && expiry <= clock.now();
  }

  /** True if an interrupted import of this file has made the workspace visible. */
  async function isBegun(): Promise<boolean> {
    return (await call<string | null>(newJobDeadline(), ['HGET', keys.importProgress(), 'file'])) === sha256;
  }

  /** Refuses a slug or a Slack workspace of another workspace here. */
  async function requireFree(): Promise<void> {
    const [begun, holder, slackHolder] = await Promise.all([
      call<string | null>(newJobDeadline(), ['HGET', keys.importProgress(), 'file']),
      call<string | null>(newJobDeadline(), ['HGET', globalKeys.workspaceSlugs(), slug]),
      slackId === undefined
        ? null
        : call<string | null>(newJobDeadline(), ['HGET', globalKeys.slackWorkspaces(), slackId]),
    ]);
    if (holder !== null && holder !== workspace)
      throw createTakenError(`There is another workspace "${slug}" here.`);
    if (slackHolder !== null && slackHolder !== workspace)
      throw createTakenError(`The Slack workspace ${slackId} belongs to another workspace here.`);
    // Parts of another file would mix with this one.
    if (begun !== null && begun !== sha256)
      await deleteKeys(connection, await listWorkspaceKeys(connection, workspace));
  }

  async function writeAll(): Promise<void> {
    await call(newJobDeadline(), ['HSETNX', keys.importProgress(), 'file', sha256]);
    const done = Number(
      await call<string | null>(newJobDeadline(), ['HGET', keys.importProgress(), 'lines']),
    );
    const digest = createFileDigest();
    /** The keys of the file, with the instants (ms) at which they expire. */
    const expected = new Map<string, number | undefined>();
    const head: string[] = [];
    let batch: FilePart[] = [];
    let [number, size] = [0, 0];
    for await (const text of readLines()) {
      number += 1;
      const line = parseLine(text, number) as FileLine | FileHeader;
      if ('end' in line) break;
      digest.add(text);
      if ('form' in line) continue;
      if (line.k === 'head') {
        head.push(...line.v);
        continue;
      }
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
      await deleteKeys(connection, await listWorkspaceKeys(connection, workspace));
      throw createFileError('The file changed while it was read. Nothing was kept: run the command again.');
    }
    await requireAllWritten(expected);
    // From now on no new workspace gets the slug.
    await claimSlug().catch(async (error: unknown) => {
      await deleteKeys(connection, await listWorkspaceKeys(connection, workspace));
      throw error;
    });
    const isOwn = (name: string | undefined) => name === 'frozen' || name === 'exported';
    const fields = head.filter((_, i) => !isOwn(head[i - (i % 2)]));
    await run(newJobDeadline(), finishImportScript, [keys.head(), keys.ready(), keys.slackReady()], fields);
  }

  /** Writes lines together, then notes them as done. A repeat may write them again. */
  async function writeBatch(parts: readonly FilePart[], lines: number): Promise<void> {
    const written = await Promise.all(parts.map(writePart));
    if (written.includes(0)) throw createTakenError(`The workspace ${workspace} is here already.`);
    await call(newJobDeadline(), ['HSET', keys.importProgress(), 'lines', String(lines)]);
  }

  function writePart(part: FilePart): Promise<number> {
    const {k, t, n, x, v, s = ['', '', '']} = part;
    const members = t === 'string' ? [decryptPart(file.fileCipher, workspace, part, 0)] : v;
    const args = [t, String(n), x === undefined ? '' : String(x), ...s, ...members];
    return run<number>(newJobDeadline(), importPartScript, [`{${workspace}}:${k}`, keys.head()], args);
  }

  /** Checks that each key is in the store, unless it has expired. */
  async function requireAllWritten(expected: ReadonlyMap<string, number | undefined>): Promise<void> {
    const found = await listWorkspaceKeys(connection, workspace);
    const names = new Set(found.map((key: AnyKey) => splitKey(key).name));
    const missing = [...expected].filter(([name, expiry]) => !names.has(name) && !isOver(expiry));
    if (missing.length === 0 && found.length <= expected.size + 1) return;
    await deleteKeys(connection, found);
    throw new AppError(
      'service_unavailable',
      'The store does not have what was written. Nothing was kept: run the command again.',
    );
  }

  async function claimSlug(): Promise<void> {
    await callWhenFull({run}, newJobDeadline(), ['HSETNX', globalKeys.workspaceSlugs(), slug, workspace]);
    const holder = await call<string | null>(newJobDeadline(), ['HGET', globalKeys.workspaceSlugs(), slug]);
    if (holder !== null && holder !== workspace)
      throw createTakenError(`There is another workspace "${slug}" here.`);
  }

  async function addToIndexes(): Promise<void> {
    await claimSlug();
    await callWhenFull({run}, newJobDeadline(), ['SADD', globalKeys.workspaces(), workspace]);
    if (slackId === undefined) return;
    const pointers = globalKeys.slackWorkspaces();
    await callWhenFull({run}, newJobDeadline(), ['HSETNX', pointers, slackId, storedId(workspace)]);
  }
}

function parseLine(text: string, number: number): unknown {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === 'object' && line !== null) return line;
  } catch {
    // Falls through.
  }
  if (number === 1)
    throw createFileError('This is no file of `standup workspace export`. Nothing was written.');
  throw createDamagedError(number);
}

function createFileError(sentence: string): AppError {
  return new AppError('validation_failed', sentence);
}

function createDamagedError(line: number): AppError {
  return createFileError(
    `Line ${line} of the file was changed or damaged. Nothing was written: copy the file or export again.`,
  );
}

function createTakenError(reason: string): AppError {
  return new AppError('slug_taken', `${reason} Nothing was written.`);
}
