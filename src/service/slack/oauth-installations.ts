import {createCache} from '../../domain/core/cache.js';
import type {IdempotencyKey} from '../../domain/core/access.js';
import {refusalForPeople} from '../../domain/core/errors.js';
import {deadlines} from '../../domain/core/limits.js';
import type {SlackGrant, SlackInstallation, SlackOrigin} from '../../domain/slack/slack-installation.js';
import type {Workspace} from '../../domain/workspaces/workspace.js';
import type {SlackConnections} from './slack-connections.js';
import type {SlackInstallations} from './slack-installations.js';
import type {Cipher} from '../../store/core/cipher.js';
import type {SlackInstallationRecords} from '../../store/slack/slack-installation-records.js';
import type {Id} from '../../domain/core/ids.js';

export type OauthInstallations = ReturnType<typeof createOauthInstallations>;

interface CachedInstallation {
  readonly installation: SlackInstallation;
  readonly installedAt: number;
  readonly readAt: number;
}

/** The number of installations kept in memory, and the age (ms) at which a used one is read again. */
const maxKept = 2_000;
const freshMs = 120_000;

/**
 * The Slack workspaces and organisations that have installed the bot by OAuth. A cached installation is used
 * while it is being read again: a modal has no time to wait for the store, and the first call with an invalid
 * token reveals a change.
 */
export function createOauthInstallations({
  slackInstallations,
  slackConnections,
  cipher,
  monotonic,
  installUrl,
}: {
  readonly slackInstallations: SlackInstallationRecords;
  readonly slackConnections: SlackConnections;
  readonly cipher: Cipher;
  readonly monotonic: () => number;
  readonly installUrl: string;
}) {
  const kept = createCache<CachedInstallation>(maxKept);

  async function readInstallation(slackId: string, deadline: number) {
    const workspace = await slackInstallations.findWorkspace(slackId, deadline);
    const found =
      workspace === undefined ? undefined : await readInstallationOfWorkspace(workspace, deadline, slackId);
    // An installation that has disappeared without an event is dropped too: the store may have been restored
    // to an earlier state.
    if (found === undefined) kept.delete(slackId);
    return found;
  }

  /** Reads the installation of a workspace, which counts only if it names the same Slack id. */
  async function readInstallationOfWorkspace(workspace: Id<'workspace'>, deadline: number, slackId?: string) {
    const found = await slackInstallations.find(workspace, deadline);
    if (found === undefined || (slackId !== undefined && found.slackId !== slackId)) return undefined;
    if (found.encrypted === undefined) {
      kept.delete(found.slackId);
      return undefined;
    }
    const botToken = cipher.decrypt('slack-installation', workspace, found.encrypted);
    const {installedAt} = found;
    const entry = {installation: {id: found.slackId, workspace, botToken}, installedAt, readAt: monotonic()};
    kept.set(found.slackId, entry);
    return entry;
  }

  async function findCachedInstallation(slackId: string, deadline: number) {
    const known = kept.get(slackId);
    if (known === undefined) return readInstallation(slackId, deadline);
    if (monotonic() - known.readAt > freshMs) {
      kept.set(slackId, {...known, readAt: monotonic()});
      readInstallation(slackId, monotonic() + deadlines.job).catch(() => undefined);
    }
    return known;
  }

  async function findInstallation(origin: SlackOrigin, deadline: number): Promise<SlackInstallation> {
    for (const slackId of listSlackIds(origin)) {
      const known = await findCachedInstallation(slackId, deadline);
      if (known !== undefined) return known.installation;
    }
    throw refusalForPeople(
      'not_found',
      `Standup is not installed in this workspace, or no longer. Anyone who can add apps here installs it at ${installUrl}`,
    );
  }

  const installations: SlackInstallations = {
    find: findInstallation,
    findToken: async (origin, deadline) => (await findInstallation(origin, deadline)).botToken,
    // Jobs have time to read the store. Otherwise they would use a token that another process knows is
    // revoked.
    findOf: async (workspace, deadline) =>
      (await readInstallationOfWorkspace(workspace, deadline))?.installation,
    areInstalled: true,
    async *listWorkspaces(within) {
      for await (const page of slackInstallations.listPages(within))
        yield page.map(({workspace}) => workspace);
    },
    mayShow: async (workspace, deadline) =>
      (await slackInstallations.find(workspace, deadline)) !== undefined,
    async noteRefused(botToken) {
      const known = [...kept.values()].find(({installation}) => installation.botToken === botToken);
      if (known === undefined) return;
      const slackId = known.installation.id;
      kept.delete(slackId);
      const cause = {slackId, installedAt: known.installedAt};
      await slackConnections.disconnect(cause, monotonic() + deadlines.job).catch(() => undefined);
    },
  };

  return {
    ...installations,
    /** Starts to use an installation, whether or not the bot was installed before. */
    async install(grant: SlackGrant, deadline: number): Promise<Workspace> {
      const workspace = await slackConnections.connect(grant, deadline);
      kept.delete(grant.slackId);
      await readInstallation(grant.slackId, deadline);
      return workspace;
    },
    /**
     * Handles the event that the bot was uninstalled. `happenedAt`: the time in s. An event older than the
     * latest installation changes nothing.
     */
    async uninstall(
      origin: SlackOrigin,
      event: {readonly happenedAt: number; readonly idempotency: IdempotencyKey},
      deadline: number,
    ): Promise<void> {
      // No other installation is tried: that of an organisation stays when the bot leaves one of its
      // workspaces.
      const [slackId] = listSlackIds(origin);
      if (slackId === undefined) return;
      await slackConnections.disconnect({slackId, ...event}, deadline);
      kept.delete(slackId);
    },
    /** Reads the installations at the start, so that modals open while the store is slow. Never throws. */
    async warm(): Promise<void> {
      try {
        const within = () => monotonic() + deadlines.job;
        for await (const page of slackInstallations.listPages(within)) {
          await Promise.all(
            page.map(({workspace, slackId}) => readInstallationOfWorkspace(workspace, within(), slackId)),
          );
          if (kept.size >= maxKept) return;
        }
      } catch {
        // At the start nothing is loaded: each installation is read when it is needed.
      }
    },
  };
}

/** Returns the Slack ids of the installations that may serve a request, the most likely one first. */
function listSlackIds({team, enterprise, orgWide}: SlackOrigin): string[] {
  const ids = orgWide ? [enterprise, team] : [team, enterprise];
  return [...new Set(ids.filter((id) => id !== undefined && id !== ''))] as string[];
}
