import {appendFileSync, closeSync, openSync, readFileSync, readSync, truncateSync} from 'node:fs';
import path from 'node:path';

// node trim-append-only-file.mjs FOLDER
//
// A Redis that is killed while it writes may leave half a transaction at the end of its append-only file.
// Redis 7.0 removes only the last command of it, appends to the rest, and applies that rest at its next start
// (valkey-io/valkey#4342). This script removes the whole transaction, which was never acknowledged.

const folder = process.argv[2] ?? '';
try {
  trim();
} catch (error) {
  say(`The append-only file could not be checked: ${error.message}`);
  process.exitCode = 1;
}

function trim() {
  const file = findLastFile();
  if (file === undefined) return;
  const length = findWholeLength(file);
  if (length === undefined) return;
  truncateSync(file, length);
  say(`A transaction that was written in part was cut off ${path.basename(file)} at ${length}.`);
}

/** Writes a line to Redis's own log, in its format. The start scripts read there why a start failed. */
function say(sentence) {
  appendFileSync(
    path.join(folder, 'redis.log'),
    `${process.pid}:T ${new Date().toISOString()} # ${sentence}\n`,
  );
}

/** Returns the path of the file that Redis appends to; undefined before the first start of Redis. */
function findLastFile() {
  const appended = path.join(folder, 'appendonlydir');
  let manifest;
  try {
    manifest = readFileSync(path.join(appended, 'appendonly.aof.manifest'), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
  const names = [...manifest.matchAll(/^file (\S+) seq \d+ type i$/gm)].map(([, name]) => name);
  return names.length === 0 ? undefined : path.join(appended, names.at(-1));
}

/**
 * Returns the length of the file up to an incomplete transaction at its end; undefined when there is none.
 */
function findWholeLength(file) {
  const reader = openReader(file);
  try {
    let openedAt;
    for (;;) {
      const startedAt = reader.position();
      const argCount = reader.count('*');
      // The file ends here, or has data that Redis itself must reject.
      if (argCount === undefined) return openedAt;
      for (let index = 0; index < argCount; index += 1) {
        const size = reader.count('$');
        const name = size === undefined ? undefined : reader.take(size, index === 0 && argCount === 1);
        if (name === undefined) return openedAt;
        if (name === 'MULTI') openedAt ??= startedAt;
        if (name === 'EXEC') openedAt = undefined;
      }
    }
  } finally {
    reader.close();
  }
}

/** Opens a reader of Redis commands, which reads the file piece by piece from its start. */
function openReader(file) {
  const descriptor = openSync(file, 'r');
  const piece = Buffer.alloc(1 << 20);
  let [pieceAt, filled, at] = [0, 0, 0];

  /**
   * Reads more of the file until the buffer has `size` bytes after the current position, if the file has as
   * many.
   */
  function fill(size) {
    if (at + size <= filled) return true;
    if (size > piece.length) return false;
    piece.copyWithin(0, at, filled);
    [pieceAt, filled, at] = [pieceAt + at, filled - at, 0];
    for (let read = 1; read > 0 && filled < piece.length; filled += read) {
      read = readSync(descriptor, piece, filled, piece.length - filled, pieceAt + filled);
    }
    return size <= filled;
  }

  return {
    position: () => pieceAt + at,
    /** Reads a line such as `*3` and returns its number; undefined when there is no such line. */
    count(sign) {
      fill(32);
      const end = piece.subarray(at, Math.min(filled, at + 32)).indexOf('\r\n');
      if (end < 2 || piece[at] !== sign.charCodeAt(0)) return undefined;
      const count = Number(piece.toString('latin1', at + 1, at + end));
      at += end + 2;
      return Number.isInteger(count) ? count : undefined;
    },
    /** Skips `size` bytes and the following line end; undefined when the file ends earlier. */
    take(size, wanted) {
      const text = wanted && size < 16 && fill(size) ? piece.toString('latin1', at, at + size) : '';
      if (at + size + 2 > filled) {
        // The skipped bytes are not copied to memory; only their end is read.
        [pieceAt, filled, at] = [pieceAt + at + size, 0, 0];
        if (!fill(2)) return undefined;
        at += 2;
        return text;
      }
      at += size + 2;
      return text;
    },
    close: () => closeSync(descriptor),
  };
}
