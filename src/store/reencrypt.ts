import {deadlines} from '../domain/core/limits.js';
import {parseKept, writeKept} from './commit/kept-replies.js';
import {type Connection, script} from './core/connection.js';
import {type AnyKey, globalKeys} from './core/keys.js';
import type {Purpose, Sealer} from './core/seal.js';

export interface Reencryption {
  /** The number of texts that were under the earlier key and are under the current one now. */
  readonly rewritten: number;
  /** The number of texts that neither key opens. */
  readonly unreadable: number;
}

/** One place with an encrypted text: a string, or a field of a hash. */
interface Place {
  readonly key: AnyKey;
  readonly field?: string;
  readonly value: string;
}

/**
 * The new value for a place; undefined when nothing is under the earlier key. Errors: neither key opens it.
 */
type Rewrite = (place: Place) => string | undefined;

interface Visit {
  readonly places: () => AsyncIterable<Place>;
  readonly rewrite: Rewrite;
}

/**
 * Replaces a value only if it is unchanged, and keeps its lifetime. Runs on a full store too, since it takes
 * no more room.
 */
const replaceScript = script(`#!lua flags=allow-oom
if ARGV[3] then
  if redis.call('HGET', KEYS[1], ARGV[3]) ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], ARGV[3], ARGV[2])
else
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
end
return 1`);

const maxPasses = 10;
const scannedAtOnce = '1000';

/**
 * Encrypts everything under the current SECRET_KEY, so that the earlier one is no longer needed. Safe beside
 * running processes and to repeat: their changes are checked again, until a whole pass finds no text to
 * change.
 */
export async function reencrypt(
  {call, run}: Pick<Connection, 'call' | 'run'>,
  sealer: Pick<Sealer, 'reseal'>,
): Promise<Reencryption> {
  const soon = (): number => performance.now() + deadlines.job;

  async function* hashPlaces(key: AnyKey): AsyncGenerator<Place> {
    const found = await call<string[]>(soon(), ['HGETALL', key]);
    for (let i = 0; i < found.length; i += 2) yield {key, field: found[i] ?? '', value: found[i + 1] ?? ''};
  }

  async function* stringPlaces(pattern: string): AsyncGenerator<Place> {
    let cursor = '0';
    do {
      const args = ['SCAN', cursor, 'MATCH', pattern, 'COUNT', scannedAtOnce, 'TYPE', 'string'];
      const [next, keys] = await call<[string, string[]]>(soon(), args);
      const values = keys.length === 0 ? [] : await call<(string | null)[]>(soon(), ['MGET', ...keys]);
      for (const [i, value] of values.entries()) if (value !== null) yield {key: keys[i] as AnyKey, value};
      cursor = next;
    } while (cursor !== '0');
  }

  /** The places of each kind of text: a new purpose does not compile before its places are listed here. */
  const visits: Record<Purpose, Visit | 'stored nowhere'> = {
    'signing-key': {
      places: () => hashPlaces(globalKeys.signingKeys()),
      // The encrypted part comes last, after the times.
      rewrite({field, value}) {
        const at = value.lastIndexOf('.') + 1;
        const context = field === 'current' ? 'current' : 'retired';
        const next = sealer.reseal('signing-key', context, value.slice(at));
        return next && value.slice(0, at) + next;
      },
    },
    'webhook-secret': {
      // `…:s:<drawn>`, with `:1` and `:2` after it for the earlier secrets.
      places: () => stringPlaces('{ws_*}:s:*'),
      rewrite: ({key, value}) => sealer.reseal('webhook-secret', partsOf(key)[1] ?? '', value),
    },
    'webhook-headers': {
      places: () => stringPlaces('{ws_*}:w:*:headers'),
      rewrite: ({key, value}) => sealer.reseal('webhook-headers', partsOf(key)[1] ?? '', value),
    },
    'shown-once': {
      places: () => stringPlaces('{ws_*}:i:*'),
      rewrite({value}) {
        const {fingerprint, reply} = parseKept(value);
        if (reply.kind !== 'resource' || reply.sealed === undefined) return undefined;
        const sealed = sealer.reseal('shown-once', reply.of.drawn, reply.sealed);
        return sealed && writeKept({fingerprint, reply: {...reply, sealed}});
      },
    },
    'slack-installation': {
      places: () => stringPlaces('{ws_*}:slack-token'),
      rewrite: ({key, value}) => sealer.reseal('slack-installation', key.slice(1, key.indexOf('}')), value),
    },
    cursor: 'stored nowhere',
    'client-address': 'stored nowhere',
    'sign-in': 'stored nowhere',
    // Last, since this value makes a start with only the earlier key fail.
    check: {
      places: () => hashPlaces(globalKeys.installation()),
      rewrite: ({field, value}) =>
        field === 'check' ? sealer.reseal('check', 'installation', value) : undefined,
    },
  };

  async function pass(): Promise<Reencryption> {
    const counts = {rewritten: 0, unreadable: 0};
    for (const visit of Object.values(visits)) {
      if (visit === 'stored nowhere') continue;
      for await (const place of visit.places()) {
        let next: string | undefined;
        try {
          next = visit.rewrite(place);
        } catch {
          counts.unreadable += 1;
          continue;
        }
        if (next === undefined) continue;
        const {key, field, value} = place;
        const args = [value, next, ...(field === undefined ? [] : [field])];
        counts.rewritten += await run<number>(soon(), replaceScript, [key], args);
      }
    }
    return counts;
  }

  let rewritten = 0;
  for (let i = 0; i < maxPasses; i++) {
    const counts = await pass();
    rewritten += counts.rewritten;
    if (counts.rewritten === 0) return {rewritten, unreadable: counts.unreadable};
  }
  throw new Error('processes with the earlier key alone go on writing: stop them first');
}

/** The parts of a workspace key after its tag. */
function partsOf(key: string): string[] {
  return key.slice(key.indexOf('}:') + 2).split(':');
}
