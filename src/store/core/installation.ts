import {randomBytes} from 'node:crypto';
import {type RedisConnection, script} from './connection.js';
import {globalKeys, keptHashLength} from './keys.js';
import type {Cipher} from './cipher.js';

/**
 * The unique data of an installation. It is only written if it is absent, and then read, so several processes
 * may start together.
 */
export interface Installation {
  /** A part of `iss` and `aud` in tokens. It stays the same with another domain, port or SECRET_KEY. */
  readonly id: string;
  /** The id of the stored data. A Redis that has lost its data has another id, or none. */
  readonly generation: string;
  /** True when this start created the installation, because the store was empty. */
  readonly isNew: boolean;
  /** The public URL of the process that started last, if known. */
  readonly publicUrl: string | undefined;
  /** Stores the public URL of this process for links of the `standup` command. */
  readonly notePublicUrl: (publicUrl: string, deadline: number) => Promise<void>;
}

/**
 * The error for a failed start that the operator can fix. Its message is one sentence, shown without a stack
 * trace.
 */
export class StartupError extends Error {
  constructor(message: string, options?: {cause?: unknown}) {
    super(message, options);
    this.name = 'StartupError';
  }
}

const checkText = 'the SECRET_KEY of this installation';

/**
 * The version of the data format. It grows with each change that an earlier release would misread; existing
 * data stays readable. 2: standups and stored answers are packed (packed-standups.ts, kept-replies.ts), and
 * keys have shorter hashes. 3: deliveries are stored in blocks (delivery-blocks.ts).
 */
const dataFormat = 3;

/**
 * Creates the installation unless it exists, and returns 1 for a new one. KEYS: the hash of the installation,
 * the id of the stored data. ARGV: a new id for the stored data, then the fields of the installation with
 * their values.
 */
const makeScript = script(`#!lua flags=allow-oom
for i = 2, #ARGV, 2 do redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1]) end
return redis.call('SET', KEYS[2], ARGV[1], 'NX') and 1 or 0`);

/**
 * Raises the version of the data format, unless a newer program has already done so. KEYS: the hash of the
 * installation. ARGV: the version of the format.
 */
const raiseScript = script(`#!lua flags=allow-oom
local format = tonumber(redis.call('HGET', KEYS[1], 'format') or '')
if not format or format < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'format', ARGV[1]) end
return redis.call('HGET', KEYS[1], 'format')`);

/** Stores the public URL. KEYS: the hash of the installation. ARGV: the public URL. */
const noteScript = script(`#!lua flags=allow-oom
redis.call('HSET', KEYS[1], 'public_url', ARGV[1])`);

/**
 * Renames the key of a stored answer, unless another process has already done so. KEYS: the name of the key
 * in format 1, its current name.
 */
const renameScript = script(`#!lua flags=allow-oom
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('RENAME', KEYS[1], KEYS[2]) end`);

/**
 * Renames the keys of the answers that are stored for repeats, which in format 1 contained whole hashes. No
 * process serves requests before this is done, because a repeated request must find its answer. Answers are
 * at most 24 hours old.
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

/**
 * Opens the installation, or creates it if it does not exist. If nothing must be created, this only reads, so
 * a process can start on a read-only store.
 */
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
  // The format is raised before any write in it, and only by a program that can read the existing data.
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
