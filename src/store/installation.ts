import {randomBytes} from 'node:crypto';
import type {Connection} from './connection.js';
import {globalKeys} from './keys.js';
import type {Sealer} from './seal.js';

/** What one installation has once. Made by set-if-absent and read back, so processes may start together and in any order. */
export interface Installation {
  /** Part of `iss` and `aud` of its tokens; survives a change of domain, port and SECRET_KEY. */
  readonly id: string;
  /** Marks this data set: a Redis that has lost its data has another one, or none. */
  readonly generation: string;
  /** True when this start made it: the store was empty. */
  readonly isNew: boolean;
}

/** A start that cannot go on for a reason the operator can mend; the message is one sentence without a stack. */
export class StartupError extends Error {
  constructor(message: string, options?: {cause?: unknown}) {
    super(message, options);
    this.name = 'StartupError';
  }
}

const checkText = 'the SECRET_KEY of this installation';

export async function openInstallation(
  {call}: Pick<Connection, 'call'>,
  sealer: Sealer,
  deadline: number,
): Promise<Installation> {
  const key = globalKeys.installation();
  await call(deadline, [
    'HSETNX',
    key,
    'id',
    randomBytes(9)
      .toString('base64url')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, 'x'),
  ]);
  await call(deadline, ['HSETNX', key, 'check', sealer.seal('check', 'installation', checkText)]);
  const made = await call<string | null>(deadline, [
    'SET',
    globalKeys.generation(),
    randomBytes(16).toString('hex'),
    'NX',
  ]);
  const [id, check] = await call<string[]>(deadline, ['HMGET', key, 'id', 'check']);
  const generation = await call<string>(deadline, ['GET', globalKeys.generation()]);
  try {
    sealer.open('check', 'installation', check ?? '');
  } catch (error) {
    throw new StartupError(
      'SECRET_KEY is not the one this data was encrypted with: set the earlier key as SECRET_KEY, or as SECRET_KEY_PREVIOUS beside a new one.',
      {cause: error},
    );
  }
  return {id: id ?? '', generation, isNew: made !== null};
}
