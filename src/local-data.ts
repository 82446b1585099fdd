import {randomBytes} from 'node:crypto';
import {chmod, link, mkdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';

/**
 * The SECRET_KEY of an installation that was given none: 32 random bytes in `DATA_DIR/secret-key`, readable by
 * its owner alone, made at the first start. Processes that start together get the same one.
 */
export async function readOrCreateSecretKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret-key');
  await mkdir(dataDir, {recursive: true, mode: 0o700});
  // A folder of another user keeps its mode: then only the file is protected.
  await chmod(dataDir, 0o700).catch(() => undefined);
  const existing = await readIfThere(file);
  if (existing !== undefined) return checkKey(existing, file);
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, `${randomBytes(32).toString('base64url')}\n`, {mode: 0o600, flush: true});
  try {
    // A link fails when the name is taken, so a key that another process made first is never replaced.
    await link(fresh, file);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(fresh, {force: true});
  }
  return checkKey(await readFile(file, 'utf8'), file);
}

/** A start that runs on a data folder, and its Redis. */
interface RunningStart {
  readonly url: string;
  readonly pid: number;
}

/** The `npm start` that runs on this folder; one with the Redis that it embeds comes first. */
export async function findRunningStart(
  dataDir: string,
  isAlive: (pid: number) => boolean,
): Promise<RunningStart | undefined> {
  const embedded = await readStart(path.join(dataDir, 'redis.json'));
  if (embedded !== undefined) return embedded;
  const noted = await readStart(startRecordFile(dataDir));
  return noted !== undefined && isAlive(noted.pid) ? noted : undefined;
}

/** Records for the command which Redis this start uses; scripts/redis-server.mjs records an embedded one. */
export async function recordStart(dataDir: string, start: RunningStart): Promise<void> {
  const fresh = `${startRecordFile(dataDir)}.${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, `${JSON.stringify(start)}\n`, {mode: 0o600});
  await rename(fresh, startRecordFile(dataDir));
}

/** Another start may have recorded itself since. */
export async function removeStartRecord(dataDir: string, {pid}: Pick<RunningStart, 'pid'>): Promise<void> {
  if ((await readStart(startRecordFile(dataDir)))?.pid === pid)
    await rm(startRecordFile(dataDir), {force: true});
}

function startRecordFile(dataDir: string): string {
  return path.join(dataDir, 'running.json');
}

async function readStart(file: string): Promise<RunningStart | undefined> {
  const text = await readIfThere(file);
  return text === undefined ? undefined : (JSON.parse(text) as RunningStart);
}

/**
 * Compares the data set of this folder with the one recorded in `DATA_DIR/store`, or records it there. False
 * when the append-only file was lost or replaced, so that a start never takes an emptied store for a first
 * run.
 */
export async function isSameStore(dataDir: string, generation: string): Promise<boolean> {
  const file = storeMarkerFile(dataDir);
  const known = await readIfThere(file);
  if (known !== undefined) return known.trim() === generation;
  await writeFile(file, `${generation}\n`, {mode: 0o600, flush: true});
  return true;
}

/** The file in which the data folder records its data set. */
export function storeMarkerFile(dataDir: string): string {
  return path.join(dataDir, 'store');
}

function checkKey(text: string, file: string): string {
  const key = text.trim();
  if (key.length < 32)
    throw new Error(
      `${file} holds no usable key. Restore it from a backup, or remove it to start with a new one.`,
    );
  return key;
}

async function readIfThere(file: string): Promise<string | undefined> {
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
