import {LRUCache} from 'lru-cache';
import {drawnPart} from '../domain/ids.js';
import type {Collection} from '../domain/commit.js';
import {type ListName, lists, sequenceOfPlace} from '../domain/lists.js';
import {processBounds} from '../domain/limits.js';
import type {Resource, WireJson} from '../domain/resource.js';
import {completeTeam, createTeamDirectory, type Team, type TeamDirectory} from '../domain/team.js';
import type {Subscription, Webhook} from '../domain/webhook.js';
import {type Connection, script} from './connection.js';
import {workspaceKeys} from './keys.js';
import {revisionTail} from './records.js';

/** All webhooks of a workspace at one version, as fan-out needs them. */
export interface WebhookDirectory {
  readonly version: string;
  readonly webhooks: readonly (Subscription & {readonly drawn: string; readonly revision: number})[];
}

/**
 * Small collections kept in memory. `get` may be out of date, which is harmless to a plan that guards on
 * `version`; `peek` is the same without waiting, where it is kept; `fresh` asks the store for the version first.
 */
export interface Directory<T> {
  peek(workspace: string): T | undefined;
  get(workspace: string, deadline: number): Promise<T>;
  fresh(workspace: string, deadline: number): Promise<T>;
  /** At this version, which the store had a moment ago, or a newer one. */
  at(workspace: string, version: string, deadline: number): Promise<T>;
}

/**
 * Workspaces whose collections are kept, those of last use longest, as far as there is room for their
 * records.
 */
const maxKept = 5_000;

type Store = Pick<Connection, 'call' | 'run'>;

/** `maxBytes`: only tests have fewer. */
export function createTeams(connection: Store, maxBytes?: number): Directory<TeamDirectory> {
  return createDirectory<Team, TeamDirectory>(
    connection,
    'teams',
    lists.teams(),
    (version, teams, places) => createTeamDirectory(version, teams.map(completeTeam), places),
    maxBytes,
  );
}

export function createSubscriptions(connection: Store): Directory<WebhookDirectory> {
  return createDirectory<Webhook, WebhookDirectory>(
    connection,
    'webhooks',
    lists.webhooks(),
    (version, all, places) => ({
      version,
      webhooks: all.map(({id, revision, enabled, events, teams}, i) => ({
        id,
        revision,
        enabled,
        events,
        teams,
        since: sequenceOfPlace(places[i] ?? 0),
        drawn: drawnPart(id),
      })),
    }),
  );
}

interface Kept<R, T> {
  readonly directory: T;
  /** By drawn half. */
  readonly rows: ReadonlyMap<string, KeptRow<R>>;
}

interface KeptRow<R> {
  readonly resource: R;
  readonly place: number;
  readonly bytes: number;
  readonly mark: string;
}

/** Length and end of each record, in which stand its revision and when that was made. */
const markScript = script(`#!lua flags=no-writes
local marks = {}
for i, key in ipairs(KEYS) do
  marks[i] = redis.call('STRLEN', key) .. redis.call('GETRANGE', key, -${revisionTail}, -1)
end
return marks`);

function createDirectory<R extends Resource, T extends {readonly version: string}>(
  {call, run}: Store,
  collection: Collection,
  list: ListName,
  build: (version: string, resources: R[], places: number[]) => T,
  maxSize: number = processBounds.directoryBytes,
): Directory<T> {
  const kept = new LRUCache<string, Kept<R, T>>({
    max: maxKept,
    maxSize,
    sizeCalculation: ({rows}) => [...rows.values()].reduce((sum, {bytes}) => sum + bytes, 1),
  });
  /** Reads under way, shared by all who want that version meanwhile. */
  const loading = new Map<string, Promise<T>>();

  async function readVersion(workspace: string, deadline: number): Promise<string> {
    const head = workspaceKeys(workspace).head();
    return (await call<string | null>(deadline, ['HGET', head, `version:${collection}`])) ?? '';
  }

  /**
   * A collection may be megabytes, and mostly one record of it has changed: only what has is read and parsed.
   */
  async function readRows(workspace: string, deadline: number): Promise<ReadonlyMap<string, KeptRow<R>>> {
    const keys = workspaceKeys(workspace);
    const found = await call<string[]>(deadline, ['ZRANGE', keys.list(list), '0', '-1', 'WITHSCORES']);
    const members = found.filter((_, i) => i % 2 === 0);
    if (members.length === 0) return new Map();
    const known = kept.get(workspace)?.rows ?? new Map<string, KeptRow<R>>();
    const marks =
      known.size === 0 ? [] : await run<string[]>(deadline, markScript, members.map(keys.record), []);
    const changed = members.filter((drawn, i) => !known.has(drawn) || known.get(drawn)?.mark !== marks[i]);
    const records =
      changed.length === 0
        ? []
        : await call<(string | null)[]>(deadline, ['MGET', ...changed.map(keys.record)]);
    const read = new Map(changed.map((drawn, i) => [drawn, records[i] ?? null]));
    return new Map(
      members.flatMap((drawn, i) => {
        const place = Number(found[2 * i + 1]);
        const json = read.get(drawn);
        if (json === null) return [];
        const row = json === undefined ? known.get(drawn) : parseRow<R>(json);
        return row === undefined ? [] : [[drawn, {...row, place}] as const];
      }),
    );
  }

  async function load(workspace: string, version: string, deadline: number): Promise<T> {
    const rows = await readRows(workspace, deadline);
    // The version was read first: what is newer than it only makes a guard fail and the reader look again.
    const all = [...rows.values()];
    const directory = build(
      version,
      all.map(({resource}) => resource),
      all.map(({place}) => place),
    );
    kept.set(workspace, {directory, rows});
    return directory;
  }

  function loadOnce(workspace: string, version: string, deadline: number): Promise<T> {
    const key = `${workspace} ${version}`;
    const known = loading.get(key);
    if (known !== undefined) return known;
    const loaded = load(workspace, version, deadline).finally(() => loading.delete(key));
    loading.set(key, loaded);
    return loaded;
  }

  async function at(workspace: string, version: string, deadline: number): Promise<T> {
    const known = kept.get(workspace)?.directory;
    return known?.version === version ? known : loadOnce(workspace, version, deadline);
  }

  const fresh = async (workspace: string, deadline: number): Promise<T> =>
    at(workspace, await readVersion(workspace, deadline), deadline);

  return {
    peek: (workspace) => kept.get(workspace)?.directory,
    get: async (workspace, deadline) => kept.get(workspace)?.directory ?? fresh(workspace, deadline),
    fresh,
    at,
  };
}

function parseRow<R>(json: WireJson): Omit<KeptRow<R>, 'place'> {
  const stored = Buffer.from(json);
  const mark = `${stored.length}${stored.toString('latin1', Math.max(0, stored.length - revisionTail))}`;
  return {resource: JSON.parse(json) as R, bytes: stored.length, mark};
}
