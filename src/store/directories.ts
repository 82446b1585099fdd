import {LRUCache} from 'lru-cache';
import {drawnPart} from '../domain/ids.js';
import type {Collection} from '../domain/commit.js';
import {type ListName, lists, sequenceOfPlace} from '../domain/lists.js';
import type {Resource} from '../domain/resource.js';
import {completeTeam, createTeamDirectory, type Team, type TeamDirectory} from '../domain/team.js';
import type {Subscription, Webhook} from '../domain/webhook.js';
import type {Connection} from './connection.js';
import {workspaceKeys} from './keys.js';

/** All webhooks of a workspace at one version, as fan-out needs them. */
export interface WebhookDirectory {
  readonly version: string;
  readonly webhooks: readonly (Subscription & {readonly drawn: string; readonly revision: number})[];
}

/**
 * Small collections kept in memory. `get` may be out of date, which is harmless to a plan that guards on `version`;
 * `fresh` asks the store for the version first.
 */
export interface Directory<T> {
  get(workspace: string, deadline: number): Promise<T>;
  fresh(workspace: string, deadline: number): Promise<T>;
}

/** Workspaces whose collections are kept, those of last use longest. */
const maxKept = 5_000;

export function createTeams(connection: Pick<Connection, 'call'>): Directory<TeamDirectory> {
  return createDirectory<Team, TeamDirectory>(connection, 'teams', lists.teams(), (version, teams) =>
    createTeamDirectory(version, teams.map(completeTeam)),
  );
}

export function createSubscriptions(connection: Pick<Connection, 'call'>): Directory<WebhookDirectory> {
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

function createDirectory<R extends Resource, T extends {readonly version: string}>(
  {call}: Pick<Connection, 'call'>,
  collection: Collection,
  list: ListName,
  build: (version: string, resources: R[], places: number[]) => T,
): Directory<T> {
  const kept = new LRUCache<string, T>({max: maxKept});
  /** Reads under way, shared by all who want that version meanwhile. */
  const loading = new Map<string, Promise<T>>();

  async function readVersion(workspace: string, deadline: number): Promise<string> {
    const head = workspaceKeys(workspace).head();
    return (await call<string | null>(deadline, ['HGET', head, `version:${collection}`])) ?? '';
  }

  async function load(workspace: string, version: string, deadline: number): Promise<T> {
    const keys = workspaceKeys(workspace);
    const found = await call<string[]>(deadline, ['ZRANGE', keys.list(list), '0', '-1', 'WITHSCORES']);
    const members = found.filter((_, i) => i % 2 === 0);
    const records =
      members.length === 0
        ? []
        : await call<(string | null)[]>(deadline, ['MGET', ...members.map(keys.record)]);
    const rows = records.flatMap((json, i) =>
      json === null ? [] : [{json, place: Number(found[2 * i + 1])}],
    );
    // The version was read first: what is newer than it only makes a guard fail and the reader look again.
    const directory = build(
      version,
      rows.map(({json}) => JSON.parse(json) as R),
      rows.map(({place}) => place),
    );
    kept.set(workspace, directory);
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

  async function fresh(workspace: string, deadline: number): Promise<T> {
    const version = await readVersion(workspace, deadline);
    const known = kept.get(workspace);
    return known?.version === version ? known : loadOnce(workspace, version, deadline);
  }

  return {
    get: async (workspace, deadline) => kept.get(workspace) ?? fresh(workspace, deadline),
    fresh,
  };
}
