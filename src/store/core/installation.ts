import {randomBytes} from 'node:crypto';
import {createInstallationScript, notePublicUrlScript} from './compiled/lua.js';
import {AppError} from '../../domain/core/errors.js';
import type {RedisCommands} from './connection.js';
import {globalKeys} from './keys.js';
import type {Cipher} from './cipher.js';

/** The installation's unique data, written only if absent, then read, so processes may start together. */
export interface Installation {
  /** A part of `iss` and `aud` in tokens. It stays the same with another domain, port or SECRET_KEY. */
  readonly id: string;
  /** The id of the stored data. A Redis that has lost its data has another id, or none. */
  readonly generation: string;
  /** True when this start created the installation, because the store was empty. */
  readonly isNew: boolean;
  /** The format of the data when it was opened. */
  readonly format: number;
  /** The public URL of the process that started last, if known. */
  readonly publicUrl: string | undefined;
  /** Stores the public URL of this process for links of the `standup-admin` command. */
  readonly notePublicUrl: (publicUrl: string, deadline: number) => Promise<void>;
}

/** A failed start that the operator can fix. Its message is one sentence, shown without a stack trace. */
export class StartupError extends Error {
  constructor(message: string, options?: {cause?: unknown}) {
    super(message, options);
    this.name = 'StartupError';
  }
}

const checkText = 'the SECRET_KEY of this installation';

/** The data formats of a program. A new one is for a change that earlier releases would misread. */
export interface DataFormats {
  /** The formats of data with which the program runs, in order. */
  readonly reads: readonly number[];
  /**
   * The newest format that the program may write: that of a new installation, and of `standup-admin data upgrade`.
   * Until that command, it writes the stored format, so that programs that read only that one may run, too.
   */
  readonly writes: number;
}

export const dataFormats: DataFormats = {reads: [6], writes: 6};

/** The format of files of moved workspaces. Both installations must have it. */
export const dataFormat = dataFormats.writes;

/**
 * Opens the installation, or creates it if it does not exist. If nothing must be created, this only reads, so
 * a process can start on a read-only store.
 */
export async function openInstallation(
  {call, run}: RedisCommands,
  cipher: Cipher,
  formats: DataFormats,
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
  if (id !== null) requireKnownFormat(format, formats);
  if ([id, check, generation].includes(null)) {
    const fields = {
      id: generateIdSuffix(),
      check: cipher.encrypt('check', 'installation', checkText),
      format: formats.writes,
    };
    const args = [randomBytes(16).toString('hex'), ...Object.entries(fields).flat().map(String)];
    isNew = (await run<number>(deadline, createInstallationScript, keys, args)) === 1;
    [[id, check, format, publicUrl], generation] = await read();
  }
  requireKnownFormat(format, formats);
  try {
    cipher.decrypt('check', 'installation', check ?? '');
  } catch (error) {
    throw new StartupError(
      'SECRET_KEY is not the one this data was encrypted with: set the earlier key as SECRET_KEY, or as SECRET_KEY_PREVIOUS beside a new one.',
      {cause: error},
    );
  }
  return {
    id: id ?? '',
    generation: generation ?? '',
    isNew,
    format: Number(format),
    publicUrl: publicUrl ?? undefined,
    async notePublicUrl(now, deadline) {
      if (now !== publicUrl) await run(deadline, notePublicUrlScript, keys.slice(0, 1), [now]);
    },
  };
}

/** Refuses to move a workspace before all processes may write what this program reads. Errors: `AppError`. */
export function requireNewestFormat(found: number, {writes}: DataFormats): void {
  if (found === writes) return;
  throw new AppError(
    'validation_failed',
    `The data has format ${found}, and a workspace moves with format ${writes}. First: standup-admin data upgrade`,
  );
}

/** Refuses data that this program would misread. Data of before the first release may have no format. */
function requireKnownFormat(format: string | null | undefined, formats: DataFormats): void {
  const found = Number(format ?? '1');
  if (!formats.reads.includes(found)) throw new StartupError(explainUnknownFormat(found, formats));
}

/** Returns a sentence for the operator about data that a program must not use. */
export function explainUnknownFormat(found: number, {reads}: DataFormats): string {
  const advice =
    found > Math.max(...reads)
      ? 'start the newer version again, or restore a backup that was made before it ran'
      : 'start the earlier version again, or begin with an empty Redis';
  return `The data in Redis has format ${found}, and this version knows only ${reads.join(' and ')}: ${advice}.`;
}

function generateIdSuffix(): string {
  return randomBytes(9)
    .toString('base64url')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, 'x');
}
