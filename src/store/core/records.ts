import {type Id, suffixOf, type IdKind, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import type {NamedKinds, NameSpace} from '../../domain/commit/writes.js';
import type {PrincipalId} from '../../domain/core/access.js';
import type {WireJson} from '../../domain/core/resource.js';
import type {RecordOf} from '../../domain/records.js';
import type {Membership, TeamRole} from '../../domain/teams/team.js';
import {readValues, type RedisCommands} from './connection.js';
import {workspaceKeys} from './keys.js';
import {addMissingFieldsToRecord} from './earlier-records.js';
import {createRecordLists, type RecordLists} from './record-lists.js';
import {createRevisions, type Revisions} from './revisions.js';

/** Reads resources of any kind by their ids. A missing resource is undefined, and never an error. */
export interface Records extends Revisions, RecordLists {
  find: <K extends IdKind>(
    workspace: Id<'workspace'>,
    id: Id<K>,
    deadline: number,
  ) => Promise<RecordOf<K> | undefined>;
  findBySuffix: <K extends IdKind>(
    workspace: Id<'workspace'>,
    suffix: IdSuffix<K>,
    deadline: number,
  ) => Promise<RecordOf<K> | undefined>;
  /** Returns the current JSON of several resources, by their id suffixes. */
  findLatest: (
    workspace: Id<'workspace'>,
    suffixes: readonly IdSuffix[],
    deadline: number,
  ) => Promise<(WireJson | undefined)[]>;
  /** Returns several resources in the order of their ids. */
  findMany: <K extends IdKind>(
    workspace: Id<'workspace'>,
    ids: readonly Id<K>[],
    deadline: number,
  ) => Promise<(RecordOf<K> | undefined)[]>;
  /** Returns the encrypted additional headers of a webhook, which is given by its id suffix. */
  findHeaders: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    deadline: number,
  ) => Promise<string | undefined>;
  findName: <N extends NameSpace>(
    workspace: Id<'workspace'>,
    names: N,
    name: string,
    deadline: number,
  ) => Promise<IdSuffix<NamedKinds[N]> | undefined>;
  /** Returns the membership of a member in a team. */
  findMembership: (
    workspace: Id<'workspace'>,
    team: Id<'team'>,
    member: PrincipalId,
    deadline: number,
  ) => Promise<Membership | undefined>;
  /** Returns those of the given members who are in the team and are not observers. */
  listExpected: (
    workspace: Id<'workspace'>,
    team: Id<'team'>,
    members: readonly Id<'member'>[],
    deadline: number,
  ) => Promise<Set<Id<'member'>>>;
  /** Returns how often standups of an open run were posted, changed or deleted. */
  countRunPosts: (workspace: Id<'workspace'>, run: IdSuffix<'run'>, deadline: number) => Promise<number>;
}

export function createRecords({call, run}: RedisCommands): Records {
  async function findRecordsBySuffix(
    workspace: Id<'workspace'>,
    suffix: IdSuffix,
    deadline: number,
  ): Promise<WireJson | undefined> {
    return completeRecordIfFound(
      await call<string | null>(deadline, ['GET', workspaceKeys(workspace).record(suffix)]),
    );
  }

  async function findLatestRecords(
    workspace: Id<'workspace'>,
    suffixes: readonly IdSuffix[],
    deadline: number,
  ) {
    if (suffixes.length === 0) return [];
    const keys = suffixes.map(workspaceKeys(workspace).record);
    const found = await readValues({call}, keys, deadline);
    return found.map(completeRecordIfFound);
  }

  async function listExpectedMembers(
    workspace: Id<'workspace'>,
    team: Id<'team'>,
    members: readonly Id<'member'>[],
    deadline: number,
  ) {
    if (members.length === 0) return new Set<Id<'member'>>();
    const key = workspaceKeys(workspace).teamMembers(team);
    const found = await call<(string | null)[]>(deadline, ['HMGET', key, ...members.map(suffixOf)]);
    return new Set(members.filter((_, i) => found[i]?.startsWith('observer/') === false));
  }

  return {
    async find<K extends IdKind>(workspace: Id<'workspace'>, id: Id<K>, deadline: number) {
      const json = await findRecordsBySuffix(workspace, suffixOf(id), deadline);
      // The key contains only the suffix of the id, so the record's whole id is compared.
      return json?.startsWith(`{"id":"${id}"`) ? (JSON.parse(json) as RecordOf<K>) : undefined;
    },
    async findBySuffix<K extends IdKind>(workspace: Id<'workspace'>, suffix: IdSuffix<K>, deadline: number) {
      const json = await findRecordsBySuffix(workspace, suffix, deadline);
      return json === undefined ? undefined : (JSON.parse(json) as RecordOf<K>);
    },
    async findMany<K extends IdKind>(workspace: Id<'workspace'>, ids: readonly Id<K>[], deadline: number) {
      if (ids.length === 0) return [];
      const keys = workspaceKeys(workspace);
      const found = await readValues(
        {call},
        ids.map((id) => keys.record(suffixOf(id))),
        deadline,
      );
      return ids.map((id, i) => {
        const json = completeRecordIfFound(found[i] ?? null);
        return json?.startsWith(`{"id":"${id}"`) ? (JSON.parse(json) as RecordOf<K>) : undefined;
      });
    },
    findLatest: findLatestRecords,
    ...createRevisions({call, run}, findLatestRecords),
    ...createRecordLists({call, run}),
    async findHeaders(workspace, webhook, deadline) {
      const key = workspaceKeys(workspace).webhookHeaders(webhook);
      return (await call<string | null>(deadline, ['GET', key])) ?? undefined;
    },
    async findName<N extends NameSpace>(
      workspace: Id<'workspace'>,
      names: N,
      name: string,
      deadline: number,
    ) {
      return (
        (await call<IdSuffix<NamedKinds[N]> | null>(deadline, [
          'HGET',
          workspaceKeys(workspace).names(names),
          name,
        ])) ?? undefined
      );
    },
    async findMembership(workspace, team, member, deadline) {
      const key = workspaceKeys(workspace).teamMembers(team);
      const found = await call<string | null>(deadline, ['HGET', key, suffixOf(member)]);
      return found === null ? undefined : parseMembership(found);
    },
    listExpected: listExpectedMembers,
    countRunPosts: async (workspace, run, deadline) =>
      Number((await call<string | null>(deadline, ['GET', workspaceKeys(workspace).runPosts(run)])) ?? 0),
  };
}

function completeRecordIfFound(kept: string | null): WireJson | undefined {
  return kept === null ? undefined : addMissingFieldsToRecord(kept);
}

/** Returns a membership in the form in which `teamMembers` stores it. */
export function serializeMembership({role, suffix, accepted}: Membership): string {
  return `${role}/${suffix}${accepted ? '' : '/put'}`;
}

function parseMembership(kept: string): Membership {
  const [role = '', suffix = '', put] = kept.split('/');
  return {role: role as TeamRole, suffix: storedSuffix(suffix), accepted: put === undefined};
}
