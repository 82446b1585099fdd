import {lifetimes} from '../../domain/core/limits.js';
import {callWhenFull, type RedisConnection} from '../core/connection.js';
import {rotateSigningKeyScript} from '../core/compiled/lua.js';
import {createLostDataError} from '../core/deadlines.js';
import {globalKeys} from '../core/keys.js';
import type {Cipher} from '../core/cipher.js';

/** A private signing key as text, with its period of validity. Instants are in ms. */
export interface StoredKey {
  readonly privateKey: string;
  /** The time at which the key began to sign; 0 if this was not recorded. */
  readonly since: number;
  /** The time at which the last token of this key has expired; infinite for the key that currently signs. */
  readonly until: number;
}

const maxTries = 5;

export function createSigningKeys({call, run, clock}: RedisConnection, cipher: Cipher) {
  const key = globalKeys.signingKeys();

  function decryptKey({field, since, until, encrypted}: KeyEntry): StoredKey {
    return {
      privateKey: cipher.decrypt('signing-key', createEncryptionContext(field), encrypted),
      since,
      until,
    };
  }

  async function readEntries(deadline: number): Promise<KeyEntry[]> {
    const found = await call<string[]>(deadline, ['HGETALL', key]);
    return found.flatMap((field, i) => (i % 2 === 0 ? [parseEntry(field, found[i + 1] ?? '')] : []));
  }

  return {
    /** Creates the first key if there is none. Processes that start together get the same key. */
    async ensure(create: () => Promise<string>, deadline: number): Promise<void> {
      if ((await call<number>(deadline, ['HEXISTS', key, currentField])) === 1) return;
      const encrypted = cipher.encrypt('signing-key', createEncryptionContext(currentField), await create());
      await callWhenFull({run}, deadline, ['HSETNX', key, currentField, `${clock.now()}.${encrypted}`]);
    },
    /** Lists the keys: the signing one, then the older ones, newest first. Empty when the data is lost. */
    async list(deadline: number): Promise<StoredKey[]> {
      const now = clock.now();
      return (await readEntries(deadline))
        .filter(({until}) => until > now)
        .toSorted((a, b) => b.until - a.until)
        .map(decryptKey);
    },
    /**
     * Replaces the signing key. The previous one verifies until its last token has expired. Errors:
     * `store_lost`.
     */
    async rotate(create: () => Promise<string>, deadline: number): Promise<void> {
      const next = cipher.encrypt('signing-key', createEncryptionContext(currentField), await create());
      for (let i = 0; i < maxTries; i++) {
        const entries = await readEntries(deadline);
        const current = entries.find(({field}) => field === currentField);
        if (current === undefined) throw createLostDataError();
        // Each key has a unique time, even if the clock was set back.
        const now = Math.max(clock.now(), current.since + 1);
        const field = `retired:${current.since}`;
        const encrypted = cipher.encrypt(
          'signing-key',
          createEncryptionContext(field),
          decryptKey(current).privateKey,
        );
        const until = now + lifetimes.signingKeyAfter * 1_000;
        const over = entries.filter((entry) => entry.until <= now).map((entry) => entry.field);
        const args = [
          current.value,
          `${now}.${next}`,
          field,
          `${current.since}.${until}.${encrypted}`,
          ...over,
        ];
        if ((await run<number>(deadline, rotateSigningKeyScript, [key], args)) === 1) return;
      }
      throw new Error('the signing key is being replaced by others at the same time');
    },
    /** Deletes an old key by the time at which it began to sign. Returns false when there is none. */
    drop: async (since: number, deadline: number): Promise<boolean> =>
      (await call<number>(deadline, ['HDEL', key, `retired:${since}`])) === 1,
  };
}

const currentField = 'current';

interface KeyEntry {
  readonly field: string;
  readonly value: string;
  readonly since: number;
  readonly until: number;
  readonly encrypted: string;
}

/** Parses a stored key: `<since>.<encrypted>`, with `<until>` in between for a key that only verifies. */
function parseEntry(field: string, value: string): KeyEntry {
  const parts = value.split('.');
  const encrypted = parts.pop() ?? '';
  const [since, until = Number.POSITIVE_INFINITY] = parts;
  return {field, value, encrypted, since: Number(since), until: Number(until)};
}

/** Returns a key's encryption context. It keeps an old key's text from replacing the signing key. */
function createEncryptionContext(field: string): string {
  return field === currentField ? 'current' : 'retired';
}
