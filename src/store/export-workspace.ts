import {createHash, randomBytes} from 'node:crypto';
import {AppError} from '../domain/core/errors.js';
import type {Workspace} from '../domain/workspaces/workspace.js';
import {noteExportScript} from './core/compiled/lua.js';
import type {Cipher} from './core/cipher.js';
import type {RedisConnection} from './core/connection.js';
import {newJobDeadline} from './core/deadlines.js';
import {dataFormat} from './core/installation.js';
import {type AnyKey, splitKey, workspaceKeys} from './core/keys.js';
import {listWorkspaceKeys} from './core/workspace-scan.js';
import {readKey} from './read-key.js';
import {waitUntilIdle} from './wait-until-idle.js';
import {
  createFileCipher,
  createFileDigest,
  type FileHeader,
  type FilePart,
  fileForm,
  reencryptValue,
  encryptCheck,
} from './workspace-file.js';

export interface ExportRequest {
  readonly workspace: Pick<Workspace, 'id' | 'slug'>;
  readonly passphrase: string;
  /** Writes a part of the file. */
  readonly write: (text: string) => Promise<void>;
  /** Tells the operator why it takes long. */
  readonly note: (sentence: string) => void;
  /** The longest wait for work in progress (ms). */
  readonly waitMs?: number;
}

export interface ExportedWorkspace {
  readonly keys: number;
  readonly bytes: number;
  readonly sha256: string;
}

interface ExportParts {
  readonly connection: RedisConnection;
  readonly cipher: Cipher;
  readonly installation: string;
  readonly engine: string;
}

/** The number of keys whose first parts are read together, because most keys are small. */
const keysAtOnce = 50;

/** Names that are not exported: quotas, which last a minute, and the progress of an import. */
const skipped = /^(?:a:.*|import)$/;
/** The sorted sets and hashes that must be the same at the end: they say what has been sent and what waits. */
const watched =
  /^(?:head|ready|ready:slack|mails:due|z:pending|c:[^:]+:pending|w:[^:]+:(?:pending|inflight|replays|replaying|tries|waiting|heads|state|replayed))$/;
/** Fields of the head that may change while the workspace is read-only. */
const unwatched = /^(?:run:.*|bytes|exported)$/;

/**
 * Writes a read-only workspace to a file, from which another installation can import it. First it waits until
 * nothing is in progress. Errors: `validation_failed` if the workspace is not read-only, `service_unavailable`
 * if work does not end or something changes meanwhile. Without its last line, a file is not complete.
 */
export async function exportWorkspace(
  {connection, cipher, installation, engine}: ExportParts,
  {workspace: {id, slug}, passphrase, write, note, waitMs}: ExportRequest,
): Promise<ExportedWorkspace> {
  const {call, run, clock} = connection;
  const keys = workspaceKeys(id);
  const since = await waitUntilIdle(connection, {id, slug}, note, waitMs);
  const names = await listExportedKeys();
  const before = await computeFingerprint(names);

  const salt = randomBytes(16).toString('base64url');
  const fileCipher = await createFileCipher(passphrase, salt);
  const digest = createFileDigest();
  let count = 0;
  async function writeLine(line: object): Promise<void> {
    const text = JSON.stringify(line);
    digest.add(text);
    await write(`${text}\n`);
  }

  const header: FileHeader = {
    form: fileForm,
    workspace: id,
    slug,
    data_format: dataFormat,
    sequence: Number(await call(newJobDeadline(), ['HGET', keys.head(), 'sequence'])),
    installation,
    engine,
    made_at: new Date(clock.now()).toISOString(),
    salt,
    check: encryptCheck(fileCipher),
  };
  await writeLine(header);
  const head: AnyKey = keys.head();
  const ordered = [...names.filter((name) => name !== head), head];
  for (let i = 0; i < ordered.length; i += keysAtOnce) {
    const readers = ordered.slice(i, i + keysAtOnce).map((key) => readKey(connection, key));
    const firstParts = await Promise.all(readers.map((reader) => reader.next()));
    for (const [at, reader] of readers.entries()) {
      if (firstParts[at]?.done === false) await writeKey(firstParts[at].value, reader);
    }
  }
  if ((await computeFingerprint(await listExportedKeys())) !== before) throw createChangedError();
  const {bytes, sha256} = digest.finish();
  if ((await run<number>(newJobDeadline(), noteExportScript, [head], [since, sha256])) !== 1)
    throw createChangedError();
  await write(`${JSON.stringify({end: true, keys: count, bytes, sha256})}\n`);
  return {keys: count, bytes, sha256};

  async function listExportedKeys(): Promise<AnyKey[]> {
    return (await listWorkspaceKeys(connection, id)).filter((key) => !skipped.test(splitKey(key).name));
  }

  async function writeKey(first: FilePart, others: AsyncIterable<FilePart>): Promise<void> {
    count += 1;
    await writeLine(first.t === 'string' ? reencryptPart(first) : first);
    for await (const part of others) await writeLine(part);
  }

  function createChangedError(): AppError {
    return new AppError(
      'service_unavailable',
      `${slug} has changed while it was exported, so the file is not complete: run the command again.`,
    );
  }

  function reencryptPart(part: FilePart): FilePart {
    const [value = ''] = part.v;
    try {
      return {...part, v: [reencryptValue({workspace: id, name: part.k, value}, cipher, fileCipher)]};
    } catch (error) {
      throw new AppError(
        'store_lost',
        `A secret (${part.k}) opens neither with SECRET_KEY nor with SECRET_KEY_PREVIOUS: find its key first.`,
        {cause: error},
      );
    }
  }

  /** Computes a digest for which the order of members does not matter, because a hash has none. */
  async function computeFingerprint(all: readonly AnyKey[]): Promise<string> {
    let sum = 0n;
    for (const key of all.filter((one) => watched.test(splitKey(one).name))) {
      for await (const {k, v} of readKey(connection, key)) {
        for (let i = 0; i < v.length; i += 2) {
          if (k === 'head' && unwatched.test(v[i] ?? '')) continue;
          const member = JSON.stringify([k, v[i], v[i + 1]]);
          sum ^= BigInt(`0x${createHash('sha256').update(member).digest('hex')}`);
        }
      }
    }
    return sum.toString(16);
  }
}
