import {createHash, scrypt} from 'node:crypto';
import {promisify} from 'node:util';
import type {Id} from '../domain/core/ids.js';
import {type Cipher, createCipher} from './core/cipher.js';
import {findEncryption} from './encrypted-values.js';

// The form of an exported workspace, `standup-workspace/1`: lines of JSON in UTF-8. The first is the header.
// Then come the keys in order of names, a line each or several lines with parts, and the head as the last of
// them. The last line has the counts, and the digest of all bytes before it.

export const fileForm = 'standup-workspace/1';

export interface FileHeader {
  readonly form: typeof fileForm;
  readonly workspace: Id<'workspace'>;
  readonly slug: string;
  readonly data_format: number;
  /** The number of the last event. */
  readonly sequence: number;
  /** The id of the installation that the file comes from, and the version of its store. */
  readonly installation: string;
  readonly engine: string;
  readonly made_at: string;
  /** The salt of the key that is made from the passphrase, and a text sealed with that key. */
  readonly salt: string;
  readonly check: string;
}

export type KeyType = 'string' | 'hash' | 'set' | 'zset' | 'list' | 'stream';

/** A key of the workspace, or a part of one. */
export interface FilePart {
  /** The name without the hash tag. */
  readonly k: string;
  readonly t: KeyType;
  /** The instant at which the key expires (ms). */
  readonly x?: number;
  /** The number of members before this part. A part with 0 begins the key. */
  readonly n: number;
  /** The members, flat: fields with values, members with scores, or ids with the JSON of their fields. */
  readonly v: readonly string[];
  /** In the last part of a stream: the last id, the number of entries ever added, the greatest deleted id. */
  readonly s?: readonly [lastId: string, added: string, maxDeleted: string];
}

export interface FileEnd {
  readonly end: true;
  readonly keys: number;
  readonly bytes: number;
  readonly sha256: string;
}

export type FileLine = FilePart | FileEnd;

/** Counts the bytes of a file and computes its digest, line by line. */
export function createFileDigest() {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    /** Adds a line without its line break. */
    add(line: string): void {
      hash.update(`${line}\n`);
      bytes += Buffer.byteLength(line) + 1;
    },
    finish: () => ({bytes, sha256: hash.digest('hex')}),
  };
}

const checkContext = 'workspace-file';
const checkText = 'the passphrase of this file';
const deriveKey = promisify<string, string, number, object, Buffer>(scrypt);

/** Creates the cipher of a file from its passphrase. It takes about a third of a second, against guessing. */
export async function createFileCipher(passphrase: string, salt: string): Promise<Cipher> {
  const cost = {N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024};
  return createCipher((await deriveKey(passphrase.normalize('NFC'), salt, 32, cost)).toString('base64url'));
}

export function encryptCheck(cipher: Cipher): string {
  return cipher.encrypt('check', checkContext, checkText);
}

export function decryptsCheck(cipher: Cipher, check: string): boolean {
  try {
    return cipher.decrypt('check', checkContext, check) === checkText;
  } catch {
    return false;
  }
}

/**
 * Encrypts the secrets in a string value for another cipher. Other values stay as they are. Errors: a secret
 * does not open.
 */
export function reencryptValue(
  stored: {readonly workspace: string; readonly name: string; readonly value: string},
  from: Cipher,
  to: Cipher,
): string {
  const encryption = findEncryption(stored.name);
  if (encryption === undefined) return stored.value;
  const {purpose, translate} = encryption;
  return (
    translate(stored, (context, encrypted) =>
      to.encrypt(purpose, context, from.decrypt(purpose, context, encrypted)),
    ) ?? stored.value
  );
}
