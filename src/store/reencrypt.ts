import {deadlines} from '../domain/core/limits.js';
import {parseStoredAnswer, serializeStoredAnswer} from './commit/kept-replies.js';
import type {RedisCommands} from './core/connection.js';
import {replaceEncryptedValueScript} from './core/compiled/lua.js';
import {type AnyKey, globalKeys, type Key} from './core/keys.js';
import type {Purpose, Cipher} from './core/cipher.js';

export interface Reencryption {
  /** The number of texts that were encrypted again with the current key. */
  readonly rewritten: number;
  /** The number of texts that no key can decrypt. */
  readonly unreadable: number;
}

/** An encrypted text in the store: a string, or a field of a hash. */
interface EncryptedValue {
  readonly key: AnyKey;
  readonly field?: string;
  readonly value: string;
}

/** Returns the text under the current key; undefined when it already is. Errors: no key can decrypt it. */
type Rewrite = (encrypted: EncryptedValue) => string | undefined;

/** The texts of one purpose: the fields of a hash, or the strings whose names match after their hash tag. */
interface EncryptedValues {
  readonly in: Key<'hash'> | RegExp;
  readonly rewrite: Rewrite;
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

  async function* readHashValues(key: AnyKey): AsyncGenerator<EncryptedValue> {
    const found = await call<string[]>(newDeadline(), ['HGETALL', key]);
    for (let i = 0; i < found.length; i += 2) yield {key, field: found[i] ?? '', value: found[i + 1] ?? ''};
  }

  /** Reads the strings of all purposes in one scan, because a scan visits every key of the store. */
  async function* readStringValues(wanted: readonly RegExp[]): AsyncGenerator<EncryptedValue> {
    let cursor = '0';
    do {
      const args = [cursor, 'MATCH', '{ws_*}:*', 'COUNT', scannedAtOnce, 'TYPE', 'string'];
      const [next, all] = await call<[string, AnyKey[]]>(newDeadline(), ['SCAN', ...args]);
      const keys = all.filter((key) => wanted.some((names) => names.test(readName(key))));
      const values = await Promise.all(keys.map((key) => call<string | null>(newDeadline(), ['GET', key])));
      for (const [i, key] of keys.entries()) {
        const value = values[i] ?? null;
        if (value !== null) yield {key, value};
      }
      cursor = next;
    } while (cursor !== '0');
  }

  /** Finds the stored texts of each purpose. A new purpose does not compile until it is listed here. */
  const purposes: Record<Purpose, EncryptedValues | 'stored nowhere'> = {
    'signing-key': {
      in: globalKeys.signingKeys(),
      // The encrypted part is at the end, after the times.
      rewrite({field, value}) {
        const at = value.lastIndexOf('.') + 1;
        const context = field === 'current' ? 'current' : 'retired';
        const next = cipher.reencrypt('signing-key', context, value.slice(at));
        return next && value.slice(0, at) + next;
      },
    },
    'webhook-secret': {
      // The keys are `…:s:<suffix>`, and for earlier secrets the same with `:1` and `:2`.
      in: /^s:/,
      rewrite: ({key, value}) => cipher.reencrypt('webhook-secret', splitKey(key)[1] ?? '', value),
    },
    'webhook-headers': {
      in: /^w:.*:headers$/,
      rewrite: ({key, value}) => cipher.reencrypt('webhook-headers', splitKey(key)[1] ?? '', value),
    },
    'shown-once': {
      in: /^i:/,
      rewrite({key, value}) {
        const answer = parseStoredAnswer(value);
        const {reply} = answer;
        if (reply.kind !== 'resource' && reply.kind !== 'list') return undefined;
        if (reply.encrypted === undefined) return undefined;
        const context = reply.kind === 'list' ? readWorkspace(key) : reply.of.suffix;
        const encrypted = cipher.reencrypt('shown-once', context, reply.encrypted);
        return encrypted && serializeStoredAnswer({...answer, reply: {...reply, encrypted}});
      },
    },
    'slack-installation': {
      in: /^slack-token$/,
      rewrite: ({key, value}) => cipher.reencrypt('slack-installation', readWorkspace(key), value),
    },
    mail: {
      in: /^j:.*:secret$/,
      rewrite: ({key, value}) => cipher.reencrypt('mail', splitKey(key)[1] ?? '', value),
    },
    'mail-link': 'stored nowhere',
    cursor: 'stored nowhere',
    'client-address': 'stored nowhere',
    'invited-address': 'stored nowhere',
    'sign-in': 'stored nowhere',
    // Codes are kept as keyed hashes for 10 minutes, and end with the key.
    'sign-in-code': 'stored nowhere',
    passkey: 'stored nowhere',
    // The value that detects a wrong key comes last. From then on, a start with only the old key fails.
    check: {
      in: globalKeys.installation(),
      rewrite: ({field, value}) =>
        field === 'check' ? cipher.reencrypt('check', 'installation', value) : undefined,
    },
  };

  const stored = Object.values(purposes).filter((values) => values !== 'stored nowhere');
  const strings = stored.flatMap(({in: names, rewrite}) =>
    names instanceof RegExp ? [{names, rewrite}] : [],
  );

  async function* readAll(): AsyncGenerator<readonly [EncryptedValue, Rewrite | undefined]> {
    for await (const one of readStringValues(strings.map(({names}) => names)))
      yield [one, strings.find(({names}) => names.test(readName(one.key)))?.rewrite];
    for (const {in: key, rewrite} of stored)
      if (!(key instanceof RegExp)) for await (const one of readHashValues(key)) yield [one, rewrite];
  }

  async function reencryptAllOnce(): Promise<Reencryption> {
    const counts = {rewritten: 0, unreadable: 0};
    for await (const [encrypted, rewrite] of readAll()) {
      let next: string | undefined;
      try {
        next = rewrite?.(encrypted);
      } catch {
        counts.unreadable += 1;
        continue;
      }
      if (next === undefined) continue;
      const {key, field, value} = encrypted;
      const args = [value, next, ...(field === undefined ? [] : [field])];
      counts.rewritten += await run<number>(newDeadline(), replaceEncryptedValueScript, [key], args);
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

/** Returns the id of the workspace to which a key belongs. */
function readWorkspace(key: string): string {
  return key.slice(1, key.indexOf('}'));
}

/** Returns the part of a workspace's key after its hash tag. */
function readName(key: string): string {
  return key.slice(key.indexOf('}:') + 2);
}

function splitKey(key: string): string[] {
  return readName(key).split(':');
}
