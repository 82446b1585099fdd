import {setTimeout as pause} from 'node:timers/promises';
import {AppError} from '../domain/core/errors.js';
import type {IdSuffix} from '../domain/core/ids.js';
import type {Workspace} from '../domain/workspaces/workspace.js';
import type {RedisConnection} from './core/connection.js';
import {newJobDeadline} from './core/deadlines.js';
import {knownFrozenMs} from './core/frozen.js';
import {type AnyKey, splitKey, workspaceKeys} from './core/keys.js';
import {listWorkspaceKeys} from './core/workspace-scan.js';

/** The time (ms) after which each process knows that the workspace is read-only, and its slices have ended. */
const graceMs = 2 * knownFrozenMs;
/** A mail's lease is the longest, and it is extended while the mail server works. */
const standardWaitMs = 120_000;
const lookEveryMs = 250;
const noteEveryMs = 5_000;

/** Keys that show a delivery or a message to Slack in progress. */
const showsProgress = /^(?:w:[^:]+:(?:inflight|replaying)|c:[^:]+:lease)$/;

/**
 * Waits until slices of a read-only workspace have ended and nothing is being sent. Returns since when (ms)
 * it is read-only. `note` tells the operator why it takes long. Errors: `validation_failed` if it is not
 * read-only, `service_unavailable` if work does not end within `waitMs`.
 */
export async function waitUntilIdle(
  connection: RedisConnection,
  {id, slug}: Pick<Workspace, 'id' | 'slug'>,
  note: (sentence: string) => void,
  waitMs = standardWaitMs,
): Promise<string> {
  const {call, clock} = connection;
  const keys = workspaceKeys(id);
  const frozen = await call<string | null>(newJobDeadline(), ['HGET', keys.head(), 'frozen']);
  if (frozen === null) {
    throw new AppError(
      'validation_failed',
      `${slug} is not read-only. First: standup-admin workspace freeze ${slug}`,
    );
  }
  const rest = graceMs - (clock.now() - Number(frozen));
  if (rest > 0) await pause(Math.min(rest, graceMs));
  // Nothing begins any more, so these are all keys that can show something in progress.
  const shown = (await listWorkspaceKeys(connection, id)).filter((key) =>
    showsProgress.test(splitKey(key).name),
  );
  const givesUpAt = performance.now() + waitMs;
  let noteAt = performance.now() + noteEveryMs;
  for (;;) {
    const inProgress = await describeProgress(shown);
    if (inProgress === undefined) return frozen;
    if (performance.now() >= givesUpAt) {
      throw new AppError(
        'service_unavailable',
        `${slug} is read-only, but still in progress: ${inProgress}. Nothing was exported: run the command again, or stop the workers first.`,
      );
    }
    if (performance.now() >= noteAt) {
      note(`Waiting for the end of ${inProgress} …`);
      noteAt += noteEveryMs;
    }
    await pause(lookEveryMs);
  }

  /** Describes what is being sent, as `2 deliveries, 1 mail`; undefined for nothing. */
  async function describeProgress(shown: readonly AnyKey[]): Promise<string | undefined> {
    const counts = {delivery: 0, mail: 0, 'Slack channel': 0};
    const now = String(clock.now());
    for (const key of shown) {
      if (key.endsWith(':lease')) {
        const holder = await call<string | null>(newJobDeadline(), ['GET', key]);
        if (holder !== null && holder !== 'paused') counts['Slack channel'] += 1;
      } else counts.delivery += await call<number>(newJobDeadline(), ['ZCOUNT', key, now, '+inf']);
    }
    const range = ['ZRANGE', keys.mailsDue(), now, '+inf', 'BYSCORE'] as const;
    for (const mail of await call<IdSuffix<'mail'>[]>(newJobDeadline(), range))
      counts.mail += await call<number>(newJobDeadline(), ['HEXISTS', keys.mail(mail), 'holder']);
    const parts = Object.entries(counts).flatMap(([what, count]) => {
      if (count === 0) return [];
      return [count === 1 ? `1 ${what}` : `${count} ${what === 'delivery' ? 'deliveries' : `${what}s`}`];
    });
    return parts.length === 0 ? undefined : parts.join(', ');
  }
}
