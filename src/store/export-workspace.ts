import {createHash, randomBytes} from 'node:crypto';
import {setTimeout as pause} from 'node:timers/promises';
import {AppError} from '../domain/core/errors.js';
import type {IdSuffix} from '../domain/core/ids.js';
import {deadlines} from '../domain/core/limits.js';
import type {Workspace} from '../domain/workspaces/workspace.js';
import {noteExportScript} from './core/compiled/lua.js';
import type {Cipher} from './core/cipher.js';
import type {RedisCommand, RedisConnection} from './core/connection.js';
import {knownFrozenMs} from './core/frozen.js';
import {dataFormat} from './core/installation.js';
import {type AnyKey, splitKey, workspaceKeys} from './core/keys.js';
import {listWorkspaceKeys} from './core/workspace-scan.js';
import {
  createFileCipher,
  createFileDigest,
  type FileHeader,
  type FilePart,
  fileForm,
  type KeyType,
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

/** The number of keys that are read together, most of which are small. */
const keysAtOnce = 50;
const membersAtOnce = 1_000;
/** The size (characters) at which a part ends, even if it has fewer members. */
const partSize = 1024 * 1024;
/** The time (ms) after which each process knows that the workspace is read-only, and its slices have ended. */
const graceMs = 2 * knownFrozenMs;
/** A mail's lease is the longest, and it is extended while the mail server works. */
const standardWaitMs = 120_000;
const lookEveryMs = 250;
const noteEveryMs = 5_000;

/** Names that are not exported: quotas, which last a minute, and the progress of an import. */
const skipped = /^(?:a:.*|import)$/;
/** Names whose values must be the same at the end, because they say what has been sent and what waits. */
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
  {workspace: {id, slug}, passphrase, write, note, waitMs = standardWaitMs}: ExportRequest,
): Promise<ExportedWorkspace> {
  const {call, run, clock} = connection;
  const keys = workspaceKeys(id);
  const newDeadline = (): number => performance.now() + deadlines.job;
  const since = await waitUntilIdle();
  const names = (await listWorkspaceKeys(connection, id)).filter((key) => !skipped.test(splitKey(key).name));
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
    sequence: Number(await call(newDeadline(), ['HGET', keys.head(), 'sequence'])),
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
    const some = ordered.slice(i, i + keysAtOnce);
    for (const part of (await Promise.all(some.map(readParts))).flat()) {
      if (part.n === 0) count += 1;
      await writeLine(part.t === 'string' ? reencryptPart(part) : part);
    }
  }
  const after = (await listWorkspaceKeys(connection, id)).filter((key) => !skipped.test(splitKey(key).name));
  if ((await computeFingerprint(after)) !== before) throw createChangedError();
  const {bytes, sha256} = digest.finish();
  if ((await run<number>(newDeadline(), noteExportScript, [head], [since, sha256])) !== 1)
    throw createChangedError();
  await write(`${JSON.stringify({end: true, keys: count, bytes, sha256})}\n`);
  return {keys: count, bytes, sha256};

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

  /** Waits until slices have ended and nothing is being sent. Returns since when the workspace is read-only. */
  async function waitUntilIdle(): Promise<string> {
    const readSince = () => call<string | null>(newDeadline(), ['HGET', keys.head(), 'frozen']);
    const frozen = await readSince();
    if (frozen === null) {
      throw new AppError(
        'validation_failed',
        `${slug} is not read-only. First: standup workspace freeze ${slug}`,
      );
    }
    const rest = graceMs - (clock.now() - Number(frozen));
    if (rest > 0) await pause(Math.min(rest, graceMs));
    // Nothing begins any more, so these are all keys that can show something in progress.
    const shown = (await listWorkspaceKeys(connection, id)).filter((key) =>
      /^(?:w:[^:]+:(?:inflight|replaying)|c:[^:]+:lease)$/.test(splitKey(key).name),
    );
    const givesUpAt = performance.now() + waitMs;
    let noteAt = performance.now() + noteEveryMs;
    for (;;) {
      const inProgress = await describeProgress(shown);
      if (inProgress === undefined) return frozen;
      if (performance.now() >= givesUpAt) {
        throw new AppError(
          'service_unavailable',
          `${slug} is read-only, but still in progress: ${inProgress}. Nothing was exported: run the command again, or stop the workers first.`,
        );
      }
      if (performance.now() >= noteAt) {
        note(`Waiting for the end of ${inProgress} …`);
        noteAt += noteEveryMs;
      }
      await pause(lookEveryMs);
    }
  }

  /** Describes what is being sent, as `2 deliveries, 1 mail`; undefined for nothing. */
  async function describeProgress(shown: readonly AnyKey[]): Promise<string | undefined> {
    const counts = {delivery: 0, mail: 0, 'Slack channel': 0};
    const now = String(clock.now());
    for (const key of shown) {
      if (key.endsWith(':lease')) {
        const holder = await call<string | null>(newDeadline(), ['GET', key]);
        if (holder !== null && holder !== 'paused') counts['Slack channel'] += 1;
      } else counts.delivery += await call<number>(newDeadline(), ['ZCOUNT', key, now, '+inf']);
    }
    const held = await call<IdSuffix<'mail'>[]>(newDeadline(), [
      'ZRANGE',
      keys.mailsDue(),
      now,
      '+inf',
      'BYSCORE',
    ]);
    for (const mail of held)
      counts.mail += await call<number>(newDeadline(), ['HEXISTS', keys.mail(mail), 'holder']);
    const parts = Object.entries(counts).flatMap(([what, count]) => {
      if (count === 0) return [];
      return [count === 1 ? `1 ${what}` : `${count} ${what === 'delivery' ? 'deliveries' : `${what}s`}`];
    });
    return parts.length === 0 ? undefined : parts.join(', ');
  }

  async function computeFingerprint(all: readonly AnyKey[]): Promise<string> {
    const hash = createHash('sha256');
    for (const key of all) {
      const {name} = splitKey(key);
      if (!watched.test(name)) continue;
      for await (const part of readKey(key)) {
        const v = name === 'head' ? omitUnwatched(part.v) : part.v;
        hash.update(JSON.stringify({...part, v}));
      }
    }
    return hash.digest('hex');
  }

  async function readParts(key: AnyKey): Promise<FilePart[]> {
    const parts: FilePart[] = [];
    for await (const part of readKey(key)) parts.push(part);
    return parts;
  }

  /** Reads a key in parts. It yields nothing if the key has expired. */
  async function* readKey(key: AnyKey): AsyncGenerator<FilePart> {
    const [type, expiry] = await Promise.all([
      call<KeyType | 'none'>(newDeadline(), ['TYPE', key]),
      call<number>(newDeadline(), ['PEXPIRETIME', key]),
    ]);
    if (type === 'none') return;
    const begin = {k: splitKey(key).name, t: type, ...(expiry > 0 && {x: expiry})};
    let n = 0;
    for await (const {v, members, s} of readMembers(key, type)) {
      yield {...begin, n, v, ...(s && {s})};
      n += members;
    }
  }

  interface Members {
    readonly v: readonly string[];
    readonly members: number;
    readonly s?: FilePart['s'];
  }

  async function* readMembers(key: AnyKey, type: KeyType): AsyncGenerator<Members> {
    switch (type) {
      case 'string': {
        const value = await call<string | null>(newDeadline(), ['GET', key]);
        if (value !== null) yield {v: [value], members: 1};
        return;
      }
      case 'hash':
        yield* splitMembers(sortPairs(await call<string[]>(newDeadline(), ['HGETALL', key])), 2);
        return;
      case 'set':
        yield* splitMembers((await call<string[]>(newDeadline(), ['SMEMBERS', key])).toSorted(), 1);
        return;
      case 'zset':
        yield* readRanges((range) => ['ZRANGE', key, ...range, 'WITHSCORES'], 2);
        return;
      case 'list':
        yield* readRanges((range) => ['LRANGE', key, ...range], 1);
        return;
      case 'stream':
        yield* readStream(key);
        return;
    }
  }

  async function* readRanges(
    read: (range: readonly [string, string]) => RedisCommand,
    width: number,
  ): AsyncGenerator<Members> {
    for (let from = 0; ; from += membersAtOnce) {
      const range = [String(from), String(from + membersAtOnce - 1)] as const;
      const flat = await call<string[]>(newDeadline(), read(range));
      yield* splitMembers(flat, width);
      if (flat.length < membersAtOnce * width) return;
    }
  }

  async function* readStream(key: AnyKey): AsyncGenerator<Members> {
    const info = await call<(string | number)[]>(newDeadline(), ['XINFO', 'STREAM', key]);
    const find = (name: string) => String(info[info.indexOf(name) + 1]);
    const s = [find('last-generated-id'), find('entries-added'), find('max-deleted-entry-id')] as const;
    let from = '-';
    for (;;) {
      const entries = await call<[string, string[]][]>(newDeadline(), [
        'XRANGE',
        key,
        from,
        '+',
        'COUNT',
        String(membersAtOnce),
      ]);
      const isLast = entries.length < membersAtOnce;
      const v = entries.flatMap(([entry, fields]) => [entry, JSON.stringify(fields)]);
      yield {v, members: entries.length, ...(isLast && {s})};
      if (isLast) return;
      from = `(${entries.at(-1)?.[0]}`;
    }
  }
}

/** Splits a flat list of members into parts of a limited number and size. */
function* splitMembers(flat: readonly string[], width: number) {
  let [v, size]: [string[], number] = [[], 0];
  for (let i = 0; i < flat.length; i += width) {
    const member = flat.slice(i, i + width);
    v.push(...member);
    size += member.reduce((sum, text) => sum + text.length, 0);
    if (v.length < membersAtOnce * width && size < partSize) continue;
    yield {v, members: v.length / width};
    [v, size] = [[], 0];
  }
  if (v.length > 0) yield {v, members: v.length / width};
}

function sortPairs(flat: readonly string[]): string[] {
  const pairs = flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ''] as const] : []));
  return pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)).flat();
}

function omitUnwatched(flat: readonly string[]): string[] {
  return flat.filter((_, i) => !unwatched.test(flat[i - (i % 2)] ?? ''));
}
