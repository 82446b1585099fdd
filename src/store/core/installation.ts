import {randomBytes} from 'node:crypto';
import {type RedisConnection, script} from './connection.js';
import {globalKeys, keptHashLength} from './keys.js';
import type {Cipher} from './cipher.js';

/**
 * The unique data of an installation. Written by set-if-absent and read back, so processes may start together
 * and in any order.
 */
export interface Installation {
  /** Part of `iss` and `aud` of its tokens; survives a change of domain, port and SECRET_KEY. */
  readonly id: string;
  /** Identifies this data set: a Redis that has lost its data has another one, or none. */
  readonly generation: string;
  /** True when this start created it: the store was empty. */
  readonly isNew: boolean;
  /** The public address of the process that started last, as far as known. */
  readonly publicUrl: string | undefined;
  /** Stores the public address of this process, so that the command's links lead here. */
  readonly notePublicUrl: (publicUrl: string, deadline: number) => Promise<void>;
}

/** A start that fails for a reason the operator can fix; the message is one sentence without a stack. */
export class StartupError extends Error {
  constructor(message: string, options?: {cause?: unknown}) {
    super(message, options);
    this.name = 'StartupError';
  }
}

const checkText = 'the SECRET_KEY of this installation';

/**
 * The layout of the data. A change that an earlier release would misread increments it; existing data stays
 * readable. 2: standups are packed (packed-standups.ts), and so are kept replies (kept-replies.ts), under
 * part of their keys' hashes. 3: deliveries are stored in blocks (delivery-blocks.ts).
 */
const dataFormat = 3;

/**
 * KEYS: installation, generation. ARGV: a new generation, then fields of the installation with their values.
 * Returns 1 for a new one.
 */
const makeScript = script(`#!lua flags=allow-oom
for i = 2, #ARGV, 2 do redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1]) end
return redis.call('SET', KEYS[2], ARGV[1], 'NX') and 1 or 0`);

/** KEYS: installation. ARGV: the format. A newer program may have been faster. */
const raiseScript = script(`#!lua flags=allow-oom
local format = tonumber(redis.call('HGET', KEYS[1], 'format') or '')
if not format or format < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'format', ARGV[1]) end
return redis.call('HGET', KEYS[1], 'format')`);

/** KEYS: installation. ARGV: the public address. */
const noteScript = script(`#!lua flags=allow-oom
redis.call('HSET', KEYS[1], 'public_url', ARGV[1])`);

/** KEYS: a reply's name in format 1, and its current name. Another process may have been faster. */
const renameScript = script(`#!lua flags=allow-oom
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('RENAME', KEYS[1], KEYS[2]) end`);

/**
 * Answers to idempotency keys were stored under whole hashes. A repeat must find its answer, so no process
 * serves requests before all are renamed: those of at most 24 hours.
 */
async function shortenReplyKeys({call, run}: Pick<RedisConnection, 'call' | 'run'>): Promise<void> {
  const newDeadline = () => performance.now() + 10_000;
  let cursor = '0';
  do {
    const scan = ['SCAN', cursor, 'MATCH', '{ws_*}:i:*', 'COUNT', '1000'];
    const [next, names] = await call<[string, string[]]>(newDeadline(), scan);
    const shortened = names.flatMap((name) => {
      const [tag = '', hash = ''] = name.split(':i:');
      return hash.length > keptHashLength ? [[name, `${tag}:i:${hash.slice(0, keptHashLength)}`]] : [];
    });
    await Promise.all(shortened.map((both) => run(newDeadline(), renameScript, both, [])));
    cursor = next;
  } while (cursor !== '0');
}

/** A start only reads if everything exists: so it also succeeds on a store that takes no writes. */
export async function openInstallation(
  {call, run}: Pick<RedisConnection, 'call' | 'run'>,
  cipher: Cipher,
  deadline: number,
): Promise<Installation> {
  const keys = [globalKeys.installation(), globalKeys.generation()];
  const read = () =>
    Promise.all([
      call<(string | null)[]>(deadline, [
        'HMGET',
        globalKeys.installation(),
        'id',
        'check',
        'format',
        'public_url',
      ]),
      call<string | null>(deadline, ['GET', globalKeys.generation()]),
    ]);
  let [[id, check, format, publicUrl], generation] = await read();
  let isNew = false;
  if ([id, check, format, generation].includes(null)) {
    const fields = {id: generateIdSuffix(), check: cipher.encrypt('check', 'installation', checkText)};
    const args = [randomBytes(16).toString('hex'), ...Object.entries(fields).flat()];
    isNew = (await run<number>(deadline, makeScript, keys, args)) === 1;
    [[id, check, format, publicUrl], generation] = await read();
  }
  if (Number(format) > dataFormat) {
    throw new StartupError(
      `The data in Redis has format ${format}, and this version knows only up to ${dataFormat}: start the newer version again, or restore a backup that was made before it ran.`,
    );
  }
  try {
    cipher.decrypt('check', 'installation', check ?? '');
  } catch (error) {
    throw new StartupError(
      'SECRET_KEY is not the one this data was encrypted with: set the earlier key as SECRET_KEY, or as SECRET_KEY_PREVIOUS beside a new one.',
      {cause: error},
    );
  }
  // Before any write in the new format, and only by a program that can read the existing data.
  if (Number(format) < dataFormat) {
    await shortenReplyKeys({call, run});
    await run(deadline, raiseScript, keys.slice(0, 1), [String(dataFormat)]);
  }
  return {
    id: id ?? '',
    generation: generation ?? '',
    isNew,
    publicUrl: publicUrl ?? undefined,
    async notePublicUrl(now, deadline) {
      if (now !== publicUrl) await run(deadline, noteScript, keys.slice(0, 1), [now]);
    },
  };
}

function generateIdSuffix(): string {
  return randomBytes(9)
    .toString('base64url')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, 'x');
}
