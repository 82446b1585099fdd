import {randomBytes} from 'node:crypto';
import {chmod, link, mkdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';

/**
 * Reads the SECRET_KEY of an installation that has none in its settings, or creates it at the first start. It
 * is 32 random bytes in `DATA_DIR/secret-key`, readable only by its owner. Processes that start together get
 * the same key.
 */
export async function readOrCreateSecretKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret-key');
  await mkdir(dataDir, {recursive: true, mode: 0o700});
  // A folder of another user keeps its permissions; then only the file is protected.
  await chmod(dataDir, 0o700).catch(() => undefined);
  const existing = await readFileIfPresent(file);
  if (existing !== undefined) return requireValidKey(existing, file);
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, `${randomBytes(32).toString('base64url')}\n`, {mode: 0o600, flush: true});
  try {
    // Creating the link fails if the name exists, so a key from another process is never replaced.
    await link(fresh, file);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(fresh, {force: true});
  }
  return requireValidKey(await readFile(file, 'utf8'), file);
}

/** A running service on a data folder, with the URL of its Redis. */
interface RunningStart {
  readonly url: string;
  readonly pid: number;
}

/** `isLocal`: it has an embedded Redis, as `npm start` without REDIS_URL. */
interface FoundStart extends RunningStart {
  readonly isLocal: boolean;
}

/** Finds the service that runs on this folder. One with an embedded Redis comes first. */
export async function findRunningStart(
  dataDir: string,
  isAlive: (pid: number) => boolean,
): Promise<FoundStart | undefined> {
  const embedded = await readStart(path.join(dataDir, 'redis.json'));
  if (embedded !== undefined) return {...embedded, isLocal: true};
  const noted = await readStart(findStartRecordFile(dataDir));
  return noted !== undefined && isAlive(noted.pid) ? {...noted, isLocal: false} : undefined;
}

/**
 * Records the Redis of this service for the `standup-admin` command. scripts/redis-server.mjs records an embedded
 * one.
 */
export async function recordStart(dataDir: string, start: RunningStart): Promise<void> {
  const fresh = `${findStartRecordFile(dataDir)}.${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, `${JSON.stringify(start)}\n`, {mode: 0o600});
  await rename(fresh, findStartRecordFile(dataDir));
}

/** Removes the record of this service, unless another service has replaced it. */
export async function removeStartRecord(dataDir: string, {pid}: Pick<RunningStart, 'pid'>): Promise<void> {
  if ((await readStart(findStartRecordFile(dataDir)))?.pid === pid)
    await rm(findStartRecordFile(dataDir), {force: true});
}

function findStartRecordFile(dataDir: string): string {
  return path.join(dataDir, 'running.json');
}

async function readStart(file: string): Promise<RunningStart | undefined> {
  const text = await readFileIfPresent(file);
  return text === undefined ? undefined : (JSON.parse(text) as RunningStart);
}

/**
 * Compares the data in Redis with the record in `DATA_DIR/store`, or writes this record. Returns false when
 * the append-only file was lost or replaced, so that an emptied store is not taken for a new one.
 */
export async function isSameStore(dataDir: string, generation: string): Promise<boolean> {
  const file = findStoreMarkerFile(dataDir);
  const known = await readFileIfPresent(file);
  if (known !== undefined) return known.trim() === generation;
  await writeFile(file, `${generation}\n`, {mode: 0o600, flush: true});
  return true;
}

/** Returns the path of the file that identifies the data of this folder. */
function findStoreMarkerFile(dataDir: string): string {
  return path.join(dataDir, 'store');
}

function requireValidKey(text: string, file: string): string {
  const key = text.trim();
  if (key.length < 32)
    throw new Error(
      `${file} holds no usable key. Restore it from a backup, or remove it to start with a new one.`,
    );
  return key;
}

async function readFileIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasErrorCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
