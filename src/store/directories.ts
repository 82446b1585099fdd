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
  readonly version: number;
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

function createDirectory<R extends Resource, T extends {readonly version: number}>(
  {call}: Pick<Connection, 'call'>,
  collection: Collection,
  list: ListName,
  build: (version: number, resources: R[], places: number[]) => T,
): Directory<T> {
  const kept = new Map<string, T>();

  async function readVersion(workspace: string, deadline: number): Promise<number> {
    const head = workspaceKeys(workspace).head();
    return Number((await call<string | null>(deadline, ['HGET', head, `version:${collection}`])) ?? 0);
  }

  async function load(workspace: string, version: number, deadline: number): Promise<T> {
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

  async function fresh(workspace: string, deadline: number): Promise<T> {
    const version = await readVersion(workspace, deadline);
    const known = kept.get(workspace);
    return known?.version === version ? known : load(workspace, version, deadline);
  }

  return {
    get: async (workspace, deadline) => kept.get(workspace) ?? fresh(workspace, deadline),
    fresh,
  };
}
