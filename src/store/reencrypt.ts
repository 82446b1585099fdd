import type {Id} from '../domain/core/ids.js';
import {createUnavailableError, newJobDeadline} from './core/deadlines.js';
import type {RedisConnection} from './core/connection.js';
import {replaceEncryptedValueScript} from './core/compiled/lua.js';
import {type AnyKey, globalKeys, splitKey} from './core/keys.js';
import type {Cipher} from './core/cipher.js';
import {requireWholeSlot} from './core/workspace-scan.js';
import {encryptedHashes, findEncryption} from './encrypted-values.js';

export interface Reencryption {
  /** The number of texts that were encrypted again with the current key. */
  readonly rewritten: number;
  /** The number of texts that no key can decrypt. */
  readonly unreadable: number;
}

/** A value in the store: a string, or a field of a hash. */
interface StoredValue {
  readonly key: AnyKey;
  /** The name of the key without its hash tag, or the field. */
  readonly name: string;
  readonly field?: string | undefined;
  readonly value: string;
  readonly encryption: ReturnType<typeof findEncryption>;
}

const maxPasses = 10;
const scannedAtOnce = '1000';

/**
 * Encrypts all secrets in the store with the current SECRET_KEY, so that the old key is no longer needed. It
 * may be repeated, and may run while the service runs. It ends when a whole pass has found nothing to change.
 * Errors: `service_unavailable` while a slot of a cluster moves, or if secrets are still encrypted with the old key.
 */
export async function reencryptStore(
  {kind, call, run, nodes}: Pick<RedisConnection, 'kind' | 'call' | 'run' | 'nodes'>,
  cipher: Pick<Cipher, 'reencrypt'>,
): Promise<Reencryption> {
  /** Reads all strings in one scan, because a scan visits every key of the store. */
  async function* readStrings(): AsyncGenerator<StoredValue> {
    for (const node of await nodes('masters', newJobDeadline())) {
      let cursor = '0';
      do {
        const args = ['SCAN', cursor, 'MATCH', '{ws_*}:*', 'COUNT', scannedAtOnce, 'TYPE', 'string'];
        const [next, found] = await node.call<[string, AnyKey[]]>(newJobDeadline(), args);
        const keys = found.filter((key) => findEncryption(splitKey(key).name) !== undefined);
        const values = await Promise.all(
          keys.map((key) => call<string | null>(newJobDeadline(), ['GET', key])),
        );
        for (const [i, key] of keys.entries()) {
          const value = values[i] ?? null;
          const {name} = splitKey(key);
          if (value !== null) yield {key, name, value, encryption: findEncryption(name)};
        }
        cursor = next;
      } while (cursor !== '0');
    }
  }

  async function* readAll(): AsyncGenerator<StoredValue> {
    yield* readStrings();
    // The value that detects a wrong key comes last. From then on, a start with only the old key fails.
    for (const encryption of encryptedHashes) {
      const key = encryption.hash();
      const found = await call<string[]>(newJobDeadline(), ['HGETALL', key]);
      for (let i = 0; i < found.length; i += 2)
        yield {key, name: found[i] ?? '', field: found[i], value: found[i + 1] ?? '', encryption};
    }
  }

  /** Waits while keys move to a master that has no slot yet, where no search would find them. */
  async function requireWholeSlots(): Promise<void> {
    let cursor = '0';
    do {
      const page = ['SSCAN', globalKeys.workspaces(), cursor, 'COUNT', scannedAtOnce] as const;
      const [next, found] = await call<[string, Id<'workspace'>[]]>(newJobDeadline(), page);
      await Promise.all(found.map((workspace) => requireWholeSlot({call}, workspace)));
      cursor = next;
    } while (cursor !== '0');
  }

  async function reencryptAllOnce(): Promise<Reencryption> {
    const counts = {rewritten: 0, unreadable: 0};
    for await (const {key, name, field, value, encryption} of readAll()) {
      let next: string | undefined;
      try {
        next = encryption?.translate(
          {workspace: splitKey(key).workspace, name, value},
          (context, encrypted) => cipher.reencrypt(encryption.purpose, context, encrypted),
        );
      } catch {
        counts.unreadable += 1;
        continue;
      }
      if (next === undefined) continue;
      const args = [value, next, ...(field === undefined ? [] : [field])];
      counts.rewritten += await run<number>(newJobDeadline(), replaceEncryptedValueScript, [key], args);
    }
    return counts;
  }

  // A pass misses a key that moves to a master it has searched already. The next one finds it there.
  const lastPasses = kind === 'cluster' ? 2 : 1;
  let [rewritten, passesWithout] = [0, 0];
  for (let i = 0; i < maxPasses; i++) {
    if (kind === 'cluster') await requireWholeSlots();
    const counts = await reencryptAllOnce();
    rewritten += counts.rewritten;
    passesWithout = counts.rewritten === 0 ? passesWithout + 1 : 0;
    if (passesWithout === lastPasses) return {rewritten, unreadable: counts.unreadable};
  }
  throw createUnavailableError(
    'Processes that have only the earlier key go on writing: stop them, then repeat the command.',
  );
}
