import {LRUCache} from 'lru-cache';
import type {PrincipalId} from '../../domain/core/access.js';
import {type Id, suffixOf, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import type {Collection} from '../../domain/commit/writes.js';
import {type ListName, lists, parseSequenceOfPosition} from '../../domain/core/lists.js';
import {processBounds} from '../../domain/core/limits.js';
import {parseWire, type Resource} from '../../domain/core/resource.js';
import {createTeamDirectory, type Team, type TeamDirectory} from '../../domain/teams/team.js';
import type {Subscription, Webhook} from '../../domain/webhooks/webhook.js';
import {readValues, type RedisCommands} from './connection.js';
import {listCollectionChangesScript} from './compiled/lua.js';
import {workspaceKeys} from './keys.js';
import {addMissingFieldsToRecord} from './earlier-records.js';

/** All webhooks of a workspace, at one version of their collection: their events and creators. */
export interface WebhookDirectory {
  readonly version: string;
  readonly webhooks: readonly (Omit<Subscription, 'teams'> & {
    readonly teams: Webhook['teams'];
    readonly suffix: IdSuffix<'webhook'>;
    readonly revision: number;
    readonly createdBy: PrincipalId | undefined;
  })[];
}

/**
 * A small collection of a workspace (such as its teams) that is cached in memory. `get` may return an old
 * version, which is harmless if the commit guards it with `version`. `peek` returns the cached version
 * without waiting. `fresh` first reads the current version number from the store.
 */
export interface Directory<T> {
  peek: (workspace: Id<'workspace'>) => T | undefined;
  get: (workspace: Id<'workspace'>, deadline: number) => Promise<T>;
  fresh: (workspace: Id<'workspace'>, deadline: number) => Promise<T>;
  /** Returns the collection at this recent version, or a newer one. */
  at: (workspace: Id<'workspace'>, version: string, deadline: number) => Promise<T>;
}

export type Teams = Directory<TeamDirectory>;

/** The most workspaces whose collections are cached (fewer if large). The least recently used is dropped. */
const maxKept = 5_000;

/** Creates the cache of teams. `maxBytes` is only set by tests. */
export function createTeamDirectories(connection: RedisCommands, maxBytes?: number): Teams {
  return createDirectory<Team, TeamDirectory>(
    connection,
    'teams',
    lists.teams(),
    createTeamDirectory,
    maxBytes,
  );
}

export function createWebhookDirectories(connection: RedisCommands): Directory<WebhookDirectory> {
  return createDirectory<Webhook, WebhookDirectory>(
    connection,
    'webhooks',
    lists.webhooks(),
    (version, all, positions) => ({
      version,
      webhooks: all.map(({id, revision, enabled, events, teams, created_by: maker}, i) => ({
        id,
        revision,
        enabled,
        events,
        teams,
        since: parseSequenceOfPosition(positions[i] ?? 0),
        suffix: suffixOf(id),
        createdBy: maker?.id,
      })),
    }),
  );
}

interface CachedDirectory<R, T> {
  readonly directory: T;
  /** The resources as rows, in the order of their positions in the stored list. */
  readonly rows: readonly CachedRow<R>[];
}

interface CachedRow<R> {
  readonly suffix: IdSuffix;
  readonly resource: R;
  readonly position: number;
  readonly bytes: number;
}

/** A resource of a collection in the store. Without a position or a record, it no longer exists. */
type StoredRow = [suffix: IdSuffix, position: string | null, json: string | null];

function createDirectory<R extends Resource, T extends {readonly version: string}>(
  {call, run}: RedisCommands,
  collection: Collection,
  list: ListName,
  build: (version: string, resources: R[], positions: number[]) => T,
  maxSize: number = processBounds.directoryBytes,
): Directory<T> {
  const kept = new LRUCache<string, CachedDirectory<R, T>>({
    maxSize,
    sizeCalculation: ({rows}) => rows.reduce((sum, {bytes}) => sum + bytes, Math.ceil(maxSize / maxKept)),
  });
  /** The reads in progress. Callers that need the same version share one read. */
  const loading = new Map<string, Promise<T>>();

  async function readVersion(workspace: Id<'workspace'>, deadline: number): Promise<string> {
    const head = workspaceKeys(workspace).head();
    return (await call<string | null>(deadline, ['HGET', head, `version:${collection}`])) ?? '';
  }

  async function readAllRows(workspace: Id<'workspace'>, deadline: number): Promise<CachedRow<R>[]> {
    const keys = workspaceKeys(workspace);
    const found = await call<string[]>(deadline, ['ZRANGE', keys.list(list), '0', '-1', 'WITHSCORES']);
    const members = found.filter((_, i) => i % 2 === 0) as IdSuffix[];
    if (members.length === 0) return [];
    const records = await readValues({call}, members.map(keys.record), deadline);
    return members.flatMap((suffix, i) =>
      parseRows<R>([suffix, found[2 * i + 1] ?? null, records[i] ?? null]),
    );
  }

  /** Loads a collection. It may have megabytes, so only changed records are read if possible. */
  async function loadDirectory(workspace: Id<'workspace'>, asked: string, deadline: number): Promise<T> {
    const known = kept.get(workspace);
    const keys = workspaceKeys(workspace);
    const [version, changed] = known
      ? await run<[version: string] | [version: string, rows: StoredRow[]]>(
          deadline,
          listCollectionChangesScript,
          [keys.head(), keys.changes(collection), keys.list(list)],
          [collection, known.directory.version, keys.record(storedSuffix(''))],
        )
      : [asked];
    if (known !== undefined && version === known.directory.version) return known.directory;
    // The version was read first. If a record is newer, a guard fails and the caller reads again.
    const rows =
      known === undefined || changed === undefined
        ? await readAllRows(workspace, deadline)
        : applyChangedRows(known.rows, changed);
    const directory = build(
      version,
      rows.map(({resource}) => resource),
      rows.map(({position}) => position),
    );
    kept.set(workspace, {directory, rows});
    return directory;
  }

  function loadDirectoryOnce(workspace: Id<'workspace'>, version: string, deadline: number): Promise<T> {
    const key = `${workspace} ${version}`;
    const known = loading.get(key);
    if (known !== undefined) return known;
    const loaded = loadDirectory(workspace, version, deadline).finally(() => loading.delete(key));
    loading.set(key, loaded);
    return loaded;
  }

  async function findDirectoryAtVersion(
    workspace: Id<'workspace'>,
    version: string,
    deadline: number,
  ): Promise<T> {
    const known = kept.get(workspace)?.directory;
    return known?.version === version ? known : loadDirectoryOnce(workspace, version, deadline);
  }

  const fresh = async (workspace: Id<'workspace'>, deadline: number): Promise<T> =>
    findDirectoryAtVersion(workspace, await readVersion(workspace, deadline), deadline);

  return {
    peek: (workspace) => kept.get(workspace)?.directory,
    get: async (workspace, deadline) => kept.get(workspace)?.directory ?? fresh(workspace, deadline),
    fresh,
    at: findDirectoryAtVersion,
  };
}

function parseRows<R>([suffix, position, json]: StoredRow): CachedRow<R>[] {
  if (position === null || json === null) return [];
  return [
    {
      suffix,
      position: Number(position),
      resource: parseWire(addMissingFieldsToRecord<R>(json)),
      bytes: Buffer.byteLength(json),
    },
  ];
}

function applyChangedRows<R>(rows: readonly CachedRow<R>[], changed: readonly StoredRow[]): CachedRow<R>[] {
  const others = new Set(changed.map(([suffix]) => suffix));
  const kept = rows.filter(({suffix}) => !others.has(suffix));
  const now = changed.flatMap((row) => parseRows<R>(row));
  return [...kept, ...now].toSorted((one, other) => one.position - other.position);
}
