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
  // Of somebody else's folder only the file is ours to close.
  await chmod(dataDir, 0o700).catch(() => undefined);
  const existing = await readIfThere(file);
  if (existing !== undefined) return checkKey(existing, file);
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, `${randomBytes(32).toString('base64url')}\n`, {mode: 0o600, flush: true});
  try {
    // A link fails when the name is taken, so a key that another process made first is never replaced.
    await link(fresh, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(fresh, {force: true});
  }
  return checkKey(await readFile(file, 'utf8'), file);
}

/** A running `npm start`: the Redis that it embeds and, once it serves, the address that people use. */
interface RunningStart {
  readonly url: string;
  readonly pid: number;
  readonly publicUrl?: string;
}

/** The `npm start` that runs on this folder, or undefined. */
export async function findRunningStart(dataDir: string): Promise<RunningStart | undefined> {
  const text = await readIfThere(addressFile(dataDir));
  return text === undefined ? undefined : (JSON.parse(text) as RunningStart);
}

/** Tells the command where this `npm start` is reached, which may not be where its own settings say. */
export async function notePublicUrl(dataDir: string, publicUrl: string): Promise<void> {
  const running = await findRunningStart(dataDir);
  if (running === undefined) return;
  const fresh = `${addressFile(dataDir)}.${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, `${JSON.stringify({...running, publicUrl})}\n`, {mode: 0o600});
  await rename(fresh, addressFile(dataDir));
}

/** scripts/redis-server.mjs makes it, and it goes with its Redis. */
function addressFile(dataDir: string): string {
  return path.join(dataDir, 'redis.json');
}

/**
 * Remembers in `DATA_DIR/store` which data set this folder holds, and tells whether it is still that one: false when the append-only file
 * was lost or replaced, so that a start never takes an emptied store for a first run.
 */
export async function isSameStore(dataDir: string, generation: string): Promise<boolean> {
  const file = storeMarkerFile(dataDir);
  const known = await readIfThere(file);
  if (known !== undefined) return known.trim() === generation;
  await writeFile(file, `${generation}\n`, {mode: 0o600, flush: true});
  return true;
}

/** Where the data folder remembers which data set it holds. */
export function storeMarkerFile(dataDir: string): string {
  return path.join(dataDir, 'store');
}

function checkKey(text: string, file: string): string {
  const key = text.trim();
  if (key.length < 32)
    throw new Error(`${file} holds no usable key. Restore it from a backup, or remove it to start anew.`);
  return key;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
