import {deadlines} from '../domain/core/limits.js';
import type {RedisCommands} from './core/connection.js';
import {replaceEncryptedValueScript} from './core/compiled/lua.js';
import {type AnyKey, splitKey} from './core/keys.js';
import type {Purpose, Cipher} from './core/cipher.js';
import {encryptedLocations} from './encrypted-values.js';

export interface Reencryption {
  /** The number of texts that were encrypted again with the current key. */
  readonly rewritten: number;
  /** The number of texts that no key can decrypt. */
  readonly unreadable: number;
}

/** A value in the store: a string, or a field of a hash. */
interface StoredValue {
  readonly key: AnyKey;
  readonly field?: string;
  readonly value: string;
}

const maxPasses = 10;
const scannedAtOnce = '1000';

/**
 * Encrypts all secrets in the store with the current SECRET_KEY, so that the old key is no longer needed. It
 * may be repeated, and may run while the service runs. It ends when a whole pass has found nothing to change.
 */
export async function reencryptStore(
  {call, run}: RedisCommands,
  cipher: Pick<Cipher, 'reencrypt'>,
): Promise<Reencryption> {
  const newDeadline = (): number => performance.now() + deadlines.job;

  async function* readHashValues(key: AnyKey): AsyncGenerator<StoredValue> {
    const found = await call<string[]>(newDeadline(), ['HGETALL', key]);
    for (let i = 0; i < found.length; i += 2) yield {key, field: found[i] ?? '', value: found[i + 1] ?? ''};
  }

  async function* readStringValues(pattern: string): AsyncGenerator<StoredValue> {
    let cursor = '0';
    do {
      const args = ['SCAN', cursor, 'MATCH', pattern, 'COUNT', scannedAtOnce, 'TYPE', 'string'];
      const [next, keys] = await call<[string, string[]]>(newDeadline(), args);
      const values = keys.length === 0 ? [] : await call<(string | null)[]>(newDeadline(), ['MGET', ...keys]);
      for (const [i, value] of values.entries()) if (value !== null) yield {key: keys[i] as AnyKey, value};
      cursor = next;
    } while (cursor !== '0');
  }

  async function reencryptAllOnce(): Promise<Reencryption> {
    const counts = {rewritten: 0, unreadable: 0};
    for (const [purpose, location] of Object.entries(encryptedLocations)) {
      if (location === 'stored nowhere') continue;
      const {where, translate} = location;
      const all = 'hash' in where ? readHashValues(where.hash()) : readStringValues(`{ws_*}:${where.names}`);
      for await (const {key, field, value} of all) {
        const {workspace, name} = splitKey(key);
        let next: string | undefined;
        try {
          next = translate({workspace, name: field ?? name, value}, (context, encrypted) =>
            cipher.reencrypt(purpose as Purpose, context, encrypted),
          );
        } catch {
          counts.unreadable += 1;
          continue;
        }
        if (next === undefined) continue;
        const args = [value, next, ...(field === undefined ? [] : [field])];
        counts.rewritten += await run<number>(newDeadline(), replaceEncryptedValueScript, [key], args);
      }
    }
    return counts;
  }

  let rewritten = 0;
  for (let i = 0; i < maxPasses; i++) {
    const counts = await reencryptAllOnce();
    rewritten += counts.rewritten;
    if (counts.rewritten === 0) return {rewritten, unreadable: counts.unreadable};
  }
  throw new Error('processes with the earlier key alone go on writing: stop them first');
}
