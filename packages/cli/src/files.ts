import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {CommandError} from './errors.js';
import type {Outside} from './outside.js';

/** The folders for settings and for what the command remembers, as the XDG Base Directory Specification says. */
export function findFolders({env, home}: Outside): {config: string; state: string} {
  const choose = (name: string, fallback: string) => {
    const given = env[name];
    const base = given !== undefined && path.isAbsolute(given) ? given : path.join(home, fallback);
    return path.join(base, 'standup');
  };
  return {config: choose('XDG_CONFIG_HOME', '.config'), state: choose('XDG_STATE_HOME', '.local/state')};
}

/** Returns the text of a file; undefined if there is none. */
export function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError('refused', `${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Reads a file that only its owner may read. Refuses one that others may read or change, with an advice for
 * the first case.
 */
export function readPrivate(file: string, {uid}: Outside, advice = 'Delete it.'): string | undefined {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError('refused', `${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const {mode, uid: owner} = fstatSync(handle);
    const folder = path.dirname(file);
    if (uid !== undefined) {
      if (owner !== uid)
        throw new CommandError('refused', `${file} belongs to another user, so it is not used.`);
      if ((mode & 0o077) !== 0) {
        throw new CommandError(
          'refused',
          `Others can read ${file} (mode ${(mode & 0o777).toString(8).padStart(4, '0')}). ${advice}`,
        );
      }
      if ((statSync(folder).mode & 0o022) !== 0) {
        throw new CommandError('refused', `Others can change ${folder}. Run: chmod 700 ${folder}`);
      }
    }
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** Writes a file for its owner alone. A reader finds the old text or the new one, also after a kill. */
export function writePrivate(file: string, text: string, {createId}: Outside): void {
  const part = `${file}.${createId()}.part`;
  try {
    mkdirSync(path.dirname(file), {recursive: true, mode: 0o700});
    writeFileSync(part, text, {mode: 0o600, flag: 'wx'});
    renameSync(part, file);
  } catch (error) {
    rmSync(part, {force: true});
    throw new CommandError('refused', `${file} cannot be written: ${(error as Error).message}`);
  }
}

/** Parses the JSON object in a file of the user. */
export function parseObject(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
  } catch {
    // The message below says it.
  }
  throw new CommandError('usage', `${file} does not contain a JSON object.`);
}
