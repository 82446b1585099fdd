import {AppError} from '../domain/core/errors.js';
import {isId, suffixOf, type Id} from '../domain/core/ids.js';
import {beginRemovalScript, releaseSlugScript} from './core/compiled/lua.js';
import {callWhenFull, type RedisCommands, type RedisConnection} from './core/connection.js';
import {newJobDeadline} from './core/deadlines.js';
import {type AnyKey, globalKeys, splitKey, workspaceKeys} from './core/keys.js';
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
 * Removes a workspace that was imported elsewhere, named by its slug or id. `digest` proves which export of it
 * that was. From the first step on, the workspace answers that its data is missing. The same command finishes
 * what an interrupted one has left. Returns the slug, and the number of deleted keys. Errors: `not_found`,
 * `validation_failed` for another digest.
 */
export async function removeMovedWorkspace(
  connection: Pick<RedisConnection, 'kind' | 'call' | 'run' | 'nodes'>,
  reference: string,
  digest: string,
): Promise<{readonly slug: string; readonly keys: number}> {
  const {call, run} = connection;
  const isById = isId('workspace', reference);
  const id = isById ? reference : await findBySlug(reference.toLowerCase());
  const all = id === null ? [] : await listWorkspaceKeys(connection, id);
  // Quotas last for a minute. A search may miss keys, so the head is asked for: without it, no digest is needed.
  const isGone =
    all.every((key) => splitKey(key).name.startsWith('a:')) &&
    (id === null || (await call<number>(newJobDeadline(), ['EXISTS', workspaceKeys(id).head()])) === 0);
  if (id === null || (isById && isGone))
    throw new AppError('not_found', `There is no workspace "${reference}".`, {missing: 'workspace'});
  const keys = workspaceKeys(id);
  const slug = isGone ? reference.toLowerCase() : await begin(id);

  const slackInstallation: AnyKey = keys.slackInstallation();
  const head: AnyKey = keys.head();
  await deleteKeys(
    {run},
    all.filter((key) => key !== slackInstallation && key !== head),
  );
  for (const index of [globalKeys.due(), globalKeys.slackDue()])
    await callWhenFull({run}, newJobDeadline(), ['ZREM', index, id]);
  await callWhenFull({run}, newJobDeadline(), ['SREM', globalKeys.workspaces(), id]);
  // From here on, each step ends what has led to it: the Slack workspace, the digest, and the given reference.
  await releaseSlackWorkspace(id);
  await deleteKeys({run}, [slackInstallation]);
  const lastSteps = [
    () => deleteKeys({run}, [head]),
    () =>
      run(
        newJobDeadline(),
        releaseSlugScript,
        [globalKeys.workspaceSlugs(), globalKeys.workspaces()],
        [slug, id],
      ),
  ];
  for (const step of isById ? lastSteps.toReversed() : lastSteps) await step();
  return {slug, keys: all.length};

  function findBySlug(named: string): Promise<Id<'workspace'> | null> {
    return call<Id<'workspace'> | null>(newJobDeadline(), ['HGET', globalKeys.workspaceSlugs(), named]);
  }

  /** Hides the workspace's data, and returns its slug. */
  async function begin(workspace: Id<'workspace'>): Promise<string> {
    const named = [workspaceKeys(workspace).head(), workspaceKeys(workspace).record(suffixOf(workspace))];
    const found = await run<string | null>(newJobDeadline(), beginRemovalScript, named, [digest]);
    if (found !== null) return found;
    throw new AppError(
      'validation_failed',
      `${reference} is not read-only, or this is not the digest of its last export. Nothing was removed. The import of the file prints the digest.`,
    );
  }

  async function releaseSlackWorkspace(workspace: Id<'workspace'>): Promise<void> {
    const slackId = await call<string | null>(newJobDeadline(), [
      'HGET',
      workspaceKeys(workspace).slackInstallation(),
      'id',
    ]);
    if (slackId === null) return;
    const pointers = globalKeys.slackWorkspaces();
    if ((await call<string | null>(newJobDeadline(), ['HGET', pointers, slackId])) === workspace)
      await callWhenFull({run}, newJobDeadline(), ['HDEL', pointers, slackId]);
  }
}
