import {
  composeId,
  suffixOf,
  type Id,
  type IdSuffix,
  parseCreationTime,
  isId,
  storedId,
} from '../../domain/core/ids.js';
import {parseWire, renderResource, type WireJson} from '../../domain/core/resource.js';
import {lifetimes} from '../../domain/core/limits.js';
import {toInstant} from '../../domain/core/dates.js';
import {usualAwayEmoji, type Workspace} from '../../domain/workspaces/workspace.js';
import {addMissingFieldsToRecord} from '../core/earlier-records.js';
import {callWhenFull, type RedisConnection} from '../core/connection.js';
import {createWorkspaceScript, releaseSlugScript} from '../core/compiled/lua.js';
import {globalKeys, workspaceKeys} from '../core/keys.js';

const claimLifetimeMs = 10 * 60_000;
const pageSize = '100';
/** The largest number of workspaces that `listFew` reads, so that its cost has a bound. */
const few = 10;

/** A slug with the id of the workspace that it is for. */
interface ReservedSlug {
  readonly slug: string;
  readonly id: Id<'workspace'>;
}

export function createWorkspaces(
  connection: RedisConnection,
  {servesSlack}: {readonly servesSlack: boolean},
) {
  const {call, run, clock} = connection;

  async function findWorkspace(id: Id<'workspace'>, deadline: number): Promise<Workspace | undefined> {
    const json = await call<WireJson<Workspace> | null>(deadline, [
      'GET',
      workspaceKeys(id).record(suffixOf(id)),
    ]);
    return json === null ? undefined : parseWire(addMissingFieldsToRecord(json));
  }

  /** Finds a workspace by its slug. A stored slug counts only if its workspace still has that slug. */
  async function findBySlug(slug: string, deadline: number): Promise<Workspace | undefined> {
    const id = await call<Id<'workspace'> | null>(deadline, ['HGET', globalKeys.workspaceSlugs(), slug]);
    const workspace = id === null ? undefined : await findWorkspace(id, deadline);
    return workspace?.slug === slug ? workspace : undefined;
  }

  async function findAllExisting(ids: readonly Id<'workspace'>[], deadline: number): Promise<Workspace[]> {
    const found = await Promise.all(ids.map((id) => findWorkspace(id, deadline)));
    return found
      .filter((workspace) => workspace !== undefined)
      .toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  }

  const count = (deadline: number) => call<number>(deadline, ['SCARD', globalKeys.workspaces()]);

  async function addWorkspaceToIndexes(slug: string, id: Id<'workspace'>, deadline: number): Promise<void> {
    await callWhenFull({run}, deadline, ['HSETNX', globalKeys.workspaceSlugs(), slug, id]);
    await callWhenFull({run}, deadline, ['SADD', globalKeys.workspaces(), id]);
  }

  return {
    find: findWorkspace,
    findBySlug,
    /** Finds a workspace by its id, or by its slug in any case. */
    findByReference: (reference: string, deadline: number): Promise<Workspace | undefined> =>
      isId('workspace', reference)
        ? findWorkspace(reference, deadline)
        : findBySlug(reference.toLowerCase(), deadline),
    /**
     * Creates a workspace; undefined when the slug is taken. If a creation was interrupted, the next call
     * completes it. For a Slack workspace this needs its reserved `id`, because the installer becomes the
     * owner.
     */
    async create(
      {
        slug,
        name,
        suffix,
        id: reserved,
      }: {slug: string; name: string; suffix: IdSuffix<'workspace'>; id?: Id<'workspace'>},
      deadline: number,
    ): Promise<Workspace | undefined> {
      const id = reserved ?? composeId('workspace', clock.now(), suffix);
      const claimed = await call<number>(deadline, ['HSETNX', globalKeys.workspaceSlugs(), slug, id]);
      if (claimed === 0) {
        const holder = await findBySlug(slug, deadline);
        if (holder !== undefined && holder.id !== reserved) return undefined;
      }
      const owner = await call<Id<'workspace'>>(deadline, ['HGET', globalKeys.workspaceSlugs(), slug]);
      if (reserved !== undefined && owner !== reserved) return undefined;
      if (
        owner !== id &&
        (await call<Id<'workspace'>[]>(deadline, ['HVALS', globalKeys.slackWorkspaces()])).includes(owner)
      )
        return undefined;
      await addWorkspaceToIndexes(slug, owner, deadline);
      const at = toInstant(clock.now());
      const draft = {
        object: 'workspace',
        slug,
        name,
        retention_days: null,
        leads_invite: true,
        away_emoji: usualAwayEmoji,
      };
      const json = renderResource(draft, {id: owner, revision: 1, created_at: at, updated_at: at});
      const keys = workspaceKeys(owner);
      const served =
        servesSlack || (await call<number>(deadline, ['EXISTS', globalKeys.slackServed()])) === 1;
      const stored = await run<string>(
        deadline,
        createWorkspaceScript,
        [keys.head(), keys.record(suffixOf(owner))],
        [json, served ? '1' : '0'],
      );
      // Added again: maintenance may have removed the reserved slug before the workspace's record existed.
      await addWorkspaceToIndexes(slug, owner, deadline);
      return JSON.parse(stored) as Workspace;
    },
    /** The number of workspaces, with those whose creation was interrupted. */
    count,
    /** Lists the workspaces, the oldest first; undefined when there are more than a few. */
    async listFew(deadline: number): Promise<Workspace[] | undefined> {
      if ((await count(deadline)) > few) return undefined;
      const ids = await call<Id<'workspace'>[]>(deadline, ['SMEMBERS', globalKeys.workspaces()]);
      return findAllExisting(ids, deadline);
    },
    /** Lists all workspaces, the oldest first. Its cost grows with their number: no request may call it. */
    async list(deadline: number): Promise<Workspace[]> {
      const ids = await call<Id<'workspace'>[]>(deadline, ['HVALS', globalKeys.workspaceSlugs()]);
      return findAllExisting(ids, deadline);
    },
    /**
     * Records that a process serves Slack. The record lasts for a day. Only while it exists does Slack become
     * a reader of a new workspace's event log.
     */
    async noteSlackServed(deadline: number): Promise<void> {
      const args = ['1', 'EX', String(lifetimes.idleConsumer)] as const;
      await callWhenFull({run}, deadline, ['SET', globalKeys.slackServed(), ...args]);
    },
    /** Returns the time (ms) at which a process last took Slack's events; undefined if none ever has. */
    async findSlackHeard(deadline: number): Promise<number | undefined> {
      const at = await call<string | null>(deadline, ['GET', globalKeys.slackHeard()]);
      return at === null ? undefined : Number(at);
    },
    async noteSlackHeard(at: number, deadline: number): Promise<void> {
      await callWhenFull({run}, deadline, ['SET', globalKeys.slackHeard(), String(at)]);
    },
    /**
     * Lists some workspaces, and the slugs that were reserved for some which do not exist. `next`: the cursor
     * of the next page, 0 after the last one. A workspace may come twice.
     */
    async listPage(cursor: string, deadline: number) {
      const args = [globalKeys.workspaceSlugs(), cursor, 'COUNT', pageSize] as const;
      const [next, flat] = await call<[string, string[]]>(deadline, ['HSCAN', ...args]);
      const entries = flat.flatMap((slug, i) =>
        i % 2 === 0 ? [{slug, id: storedId<'workspace'>(flat[i + 1] ?? '')}] : [],
      );
      const found = await findAllExisting(
        entries.map(({id}) => id),
        deadline,
      );
      const existing = new Set(found.map(({id}) => id));
      return {workspaces: found, reserved: entries.filter(({id}) => !existing.has(id)), next};
    },
    /** Returns the cursor of the page at which the maintenance goes on, also after a restart. */
    findUpkeepCursor: async (deadline: number) =>
      (await call<string | null>(deadline, ['GET', globalKeys.upkeep()])) ?? '0',
    async keepUpkeepCursor(cursor: string, deadline: number): Promise<void> {
      await callWhenFull({run}, deadline, ['SET', globalKeys.upkeep(), cursor]);
    },
    /** Removes reserved slugs whose workspaces were not created within ten minutes. Returns their number. */
    async sweepClaims(reserved: readonly ReservedSlug[], deadline: number): Promise<number> {
      let removed = 0;
      for (const {slug, id} of reserved) {
        if (clock.now() - parseCreationTime(id) < claimLifetimeMs) continue;
        const keys = [globalKeys.workspaceSlugs(), globalKeys.workspaces()];
        const released = await run<number>(deadline, releaseSlugScript, keys, [slug, id]);
        // The workspace was created while its slug was being released, so the released slug is stored again.
        const late = released === 0 ? undefined : await findWorkspace(id, deadline);
        if (late?.slug === slug) await addWorkspaceToIndexes(slug, id, deadline);
        else removed += released;
      }
      return removed;
    },
  };
}
