import {AppError} from '../domain/core/errors.js';
import {suffixOf} from '../domain/core/ids.js';
import {newJobDeadline} from './core/deadlines.js';
import type {Workspace} from '../domain/workspaces/workspace.js';
import {beginRemovalScript} from './core/compiled/lua.js';
import {callWhenFull, type RedisCommands, type RedisConnection} from './core/connection.js';
import {type AnyKey, globalKeys, workspaceKeys} from './core/keys.js';
import {listWorkspaceKeys} from './core/workspace-scan.js';

const deletedAtOnce = 500;

/** Deletes keys of one workspace in batches, in the background of the server. */
export async function deleteKeys({run}: Pick<RedisCommands, 'run'>, keys: readonly AnyKey[]): Promise<void> {
  for (let i = 0; i < keys.length; i += deletedAtOnce) {
    await Promise.all(
      keys.slice(i, i + deletedAtOnce).map((key) => callWhenFull({run}, newJobDeadline(), ['UNLINK', key])),
    );
  }
}

/**
 * Removes a workspace that was imported elsewhere. `digest` proves which export of it that was. From the
 * first step on, the workspace answers that its data is missing. It may be repeated after an interruption.
 * Returns the number of deleted keys. Errors: `validation_failed` for another digest.
 */
export async function removeMovedWorkspace(
  {call, run, nodes}: Pick<RedisConnection, 'call' | 'run' | 'nodes'>,
  {id, slug}: Pick<Workspace, 'id' | 'slug'>,
  digest: string,
): Promise<number> {
  const keys = workspaceKeys(id);
  if ((await run<number>(newJobDeadline(), beginRemovalScript, [keys.head()], [digest])) !== 1) {
    throw new AppError(
      'validation_failed',
      `${slug} is not read-only, or this is not the digest of its last export. Nothing was removed. The import of the file prints the digest.`,
    );
  }
  const slackId = await call<string | null>(newJobDeadline(), ['HGET', keys.slackInstallation(), 'id']);
  const all = await listWorkspaceKeys({nodes}, id);
  // These come last, because a repeat of the command needs them.
  const last: readonly AnyKey[] = [keys.slackInstallation(), keys.head(), keys.record(suffixOf(id))];
  await deleteKeys(
    {run},
    all.filter((key) => !last.includes(key)),
  );
  for (const key of [globalKeys.due(), globalKeys.slackDue()])
    await callWhenFull({run}, newJobDeadline(), ['ZREM', key, id]);
  if (slackId !== null) {
    const holder = await call<string | null>(newJobDeadline(), [
      'HGET',
      globalKeys.slackWorkspaces(),
      slackId,
    ]);
    if (holder === id)
      await callWhenFull({run}, newJobDeadline(), ['HDEL', globalKeys.slackWorkspaces(), slackId]);
  }
  await callWhenFull({run}, newJobDeadline(), ['SREM', globalKeys.workspaces(), id]);
  await deleteKeys({run}, last);
  await callWhenFull({run}, newJobDeadline(), ['HDEL', globalKeys.workspaceSlugs(), slug]);
  return all.length;
}
