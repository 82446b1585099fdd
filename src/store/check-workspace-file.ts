import {AppError} from '../domain/core/errors.js';
import {isId} from '../domain/core/ids.js';
import type {Cipher} from './core/cipher.js';
import {dataFormat} from './core/installation.js';
import {
  createFileCipher,
  createFileDigest,
  decryptsCheck,
  type FileHeader,
  type FileLine,
  type FilePart,
  fileForm,
  reencryptValue,
} from './workspace-file.js';

/** The facts of a complete file, after all of it was read once. */
export interface CheckedFile {
  readonly header: FileHeader;
  readonly fileCipher: Cipher;
  readonly sha256: string;
  readonly keys: number;
  /** The number of valid access tokens. */
  readonly tokens: number;
  readonly slackId: string | undefined;
}

/**
 * Reads a whole file of an exported workspace, and opens every secret in it. `now`: the time (ms), since keys
 * may have expired. Errors: `validation_failed` for a file that cannot be used.
 */
export async function checkWorkspaceFile(
  lines: AsyncIterable<string>,
  passphrase: string,
  now: () => number,
): Promise<CheckedFile> {
  const digest = createFileDigest();
  let [header, fileCipher, sha256]: [FileHeader?, Cipher?, string?] = [];
  let [number, count, tokens, hasHead] = [0, 0, 0, false];
  let slackId: string | undefined;
  for await (const text of lines) {
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
    if (part.t === 'string') reencryptPart(part, header.workspace, fileCipher, fileCipher, number);
    if (part.k.startsWith('t:') && part.v[0] === '1' && (part.x ?? Infinity) > now()) tokens += 1;
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
    throw createFileError('This is no file of `standup-admin workspace export`. Nothing was written.');
  if (header.data_format !== dataFormat) {
    throw createFileError(
      `The file has data format ${header.data_format}, and this version knows only ${dataFormat}: export and import with the same version. Nothing was written.`,
    );
  }
  return header as FileHeader;
}

/** Encrypts the secrets in a string for another cipher. Errors: `validation_failed` if one does not open. */
export function reencryptPart(
  {k: name, v: [value = '']}: FilePart,
  workspace: string,
  from: Cipher,
  to: Cipher,
  line: number,
): string {
  try {
    return reencryptValue({workspace, name, value}, from, to);
  } catch {
    throw createDamagedError(line);
  }
}

/** Parses a line of a file. Errors: `validation_failed` if it is no object. */
export function parseLine(text: string, number: number): unknown {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === 'object' && line !== null) return line;
  } catch {
    // Falls through.
  }
  if (number === 1)
    throw createFileError('This is no file of `standup-admin workspace export`. Nothing was written.');
  throw createDamagedError(number);
}

export function createFileError(sentence: string): AppError {
  return new AppError('validation_failed', sentence);
}

function createDamagedError(line: number): AppError {
  return createFileError(
    `Line ${line} of the file was changed or damaged. Nothing was written: copy the file or export again.`,
  );
}
