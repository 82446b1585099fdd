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
  const file = lastFile();
  if (file === undefined) return;
  const length = wholeLength(file);
  if (length === undefined) return;
  truncateSync(file, length);
  say(`A transaction that was written in part was cut off ${path.basename(file)} at ${length}.`);
}

/** Writes to the server's own log, in its format: launchers read the reason for a failed start there. */
function say(sentence) {
  appendFileSync(
    path.join(folder, 'redis.log'),
    `${process.pid}:T ${new Date().toISOString()} # ${sentence}\n`,
  );
}

/** The file that Redis appends to; undefined before its first start. */
function lastFile() {
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

/** The length up to the transaction at the end that has no EXEC; undefined when there is none. */
function wholeLength(file) {
  const reader = openReader(file);
  try {
    let openedAt;
    for (;;) {
      const startedAt = reader.position();
      const argCount = reader.count('*');
      // The end of the file, or data that Redis itself must reject.
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

/** Reads a file of commands from its start, piece by piece. */
function openReader(file) {
  const descriptor = openSync(file, 'r');
  const piece = Buffer.alloc(1 << 20);
  let [pieceAt, filled, at] = [0, 0, 0];

  /** Ensures that the piece has at least `size` bytes from `at` on, if the file has as many. */
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
    /** The number of a line such as `*3`; undefined when there is none. */
    count(sign) {
      fill(32);
      const end = piece.subarray(at, Math.min(filled, at + 32)).indexOf('\r\n');
      if (end < 2 || piece[at] !== sign.charCodeAt(0)) return undefined;
      const count = Number(piece.toString('latin1', at + 1, at + end));
      at += end + 2;
      return Number.isInteger(count) ? count : undefined;
    },
    /** Skips `size` bytes and the line end after them; undefined when the file ends before. */
    take(size, wanted) {
      const text = wanted && size < 16 && fill(size) ? piece.toString('latin1', at, at + size) : '';
      if (at + size + 2 > filled) {
        // Not copied: only its end matters.
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
