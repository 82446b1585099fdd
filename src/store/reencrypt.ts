import type {Reply} from '../domain/commit.js';
import {deadlines} from '../domain/limits.js';
import {fingerprintLength} from './commits.js';
import {type Connection, script} from './connection.js';
import {type AnyKey, globalKeys} from './keys.js';
import type {Sealer} from './seal.js';

export interface Reencryption {
  /** How many texts were under the earlier key and are under the present one now. */
  readonly rewritten: number;
  /** Those that neither key opens. */
  readonly unreadable: number;
}

/** One place at which a sealed text stands: a string, or a field of a hash. */
interface Place {
  readonly key: AnyKey;
  readonly field?: string;
  readonly value: string;
}

/** What stands there under the present key; undefined when it does already. Errors: neither key opens it. */
type Rewrite = (value: string) => string | undefined;

/** Only what is still as it was read; how long it lives stays. Runs on a full store too, since it takes no more room. */
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
 * Puts everything that is sealed under the present SECRET_KEY, so that the earlier one is needed no more. Safe beside running processes and
 * to repeat: what they change meanwhile is looked at again, until a whole pass has found nothing to do.
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

  async function pass(): Promise<Reencryption> {
    const counts = {rewritten: 0, unreadable: 0};
    async function visit(places: AsyncIterable<Place>, rewriteAt: (place: Place) => Rewrite): Promise<void> {
      for await (const place of places) {
        const {key, field, value} = place;
        let next: string | undefined;
        try {
          next = rewriteAt(place)(value);
        } catch {
          counts.unreadable += 1;
          continue;
        }
        if (next === undefined) continue;
        const args = [value, next, ...(field === undefined ? [] : [field])];
        counts.rewritten += await run<number>(soon(), replaceScript, [key], args);
      }
    }

    await visit(hashPlaces(globalKeys.signingKeys()), ({field}) => signingKey(field ?? ''));
    await visit(stringPlaces('{ws_*}:s:*'), ({key}) => webhookSecret(key));
    await visit(stringPlaces('{ws_*}:i:*'), () => keptReply);
    // Last, since it is what a process with the earlier key alone is refused by.
    await visit(hashPlaces(globalKeys.installation()), ({field}) =>
      field === 'check' ? (value) => sealer.reseal('check', 'installation', value) : () => undefined,
    );
    return counts;
  }

  /** The sealed part comes last, after the times. */
  function signingKey(field: string): Rewrite {
    return (value) => {
      const at = value.lastIndexOf('.') + 1;
      const next = sealer.reseal('signing-key', field === 'current' ? 'current' : 'retired', value.slice(at));
      return next && value.slice(0, at) + next;
    };
  }

  /** `…:s:<drawn>`, and `:1` and `:2` after it for the secrets before. */
  function webhookSecret(key: string): Rewrite {
    const [drawn = ''] = key.slice(key.indexOf('}:s:') + '}:s:'.length).split(':');
    return (value) => sealer.reseal('webhook-secret', drawn, value);
  }

  function keptReply(value: string): string | undefined {
    const reply = JSON.parse(value.slice(fingerprintLength)) as Reply;
    if (reply.sealed === undefined) return undefined;
    const sealed = sealer.reseal('shown-once', reply.resource?.drawn ?? '', reply.sealed);
    return sealed && value.slice(0, fingerprintLength) + JSON.stringify({...reply, sealed});
  }

  let rewritten = 0;
  for (let i = 0; i < maxPasses; i++) {
    const counts = await pass();
    rewritten += counts.rewritten;
    if (counts.rewritten === 0) return {rewritten, unreadable: counts.unreadable};
  }
  throw new Error('processes with the earlier key alone go on writing: stop them first');
}
