import {type Call, everyScope, type IdempotencyKey} from '../../domain/core/access.js';
import {type Commit, emptyCommit} from '../../domain/commit/commit.js';
import {AppError} from '../../domain/core/errors.js';
import {type Id, composeId, suffixOf} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {type SlackGrant, slackDoorkeeper} from '../../domain/slack/slack-installation.js';
import {createSlugFromName} from '../../domain/core/text.js';
import type {Workspace} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import type {Answer} from '../core/answers.js';
import type {People} from '../members/people.js';

/**
 * The reason why a Slack workspace is no longer served: an event from Slack (`happenedAt` in s), or a refused
 * call with an installation's token.
 */
export type Disconnection =
  | {readonly slackId: string; readonly happenedAt: number; readonly idempotency: IdempotencyKey}
  | {readonly slackId: string; readonly installedAt: number};

/** Connects the bot to Slack workspaces, and disconnects it. */
export type SlackConnections = ReturnType<typeof createSlackConnections>;

/** The number of slugs tried before one that contains the Slack id. */
const slugsTried = 20;

export function createSlackConnections(context: ServiceContext, {people}: {readonly people: People}) {
  const {
    slackInstallations,
    workspaces,
    mutate,
    authority,
    slack,
    slackGateway,
    cipher,
    clock,
    generateSuffix,
  } = context;

  /**
   * Creates our workspace in two steps, the global reservation first. A repeated installation finds the
   * reservation and continues.
   */
  async function ensureWorkspace(grant: SlackGrant, deadline: number): Promise<Workspace> {
    const known = await slackInstallations.findWorkspace(grant.slackId, deadline);
    const id = known ?? (await reserveWorkspaceId(grant.slackId, deadline));
    return (await workspaces.find(id, deadline)) ?? createWorkspaceForSlack(id, grant, deadline);
  }

  async function reserveWorkspaceId(slackId: string, deadline: number): Promise<Id<'workspace'>> {
    const reserved = slack?.reserved;
    if (reserved?.slackId === slackId) {
      const named = await workspaces.findByReference(reserved.workspace, deadline);
      if (named === undefined)
        throw new AppError(
          'not_found',
          'SLACK_WORKSPACE names a workspace that is not there: make it first.',
        );
      const claimed = await slackInstallations.claim(slackId, named.id, {alone: true}, deadline);
      if (claimed !== undefined) return claimed;
    }
    const own = composeId('workspace', clock.now(), generateSuffix());
    return (await slackInstallations.claim(slackId, own, {alone: false}, deadline)) ?? own;
  }

  async function createWorkspaceForSlack(id: Id<'workspace'>, {slackId, name}: SlackGrant, deadline: number) {
    const shown = Array.from(name.trim() || slackId)
      .slice(0, limits.name)
      .join('');
    const base = createSlugFromName(shown, limits.slug - 3) ?? 'slack';
    const endings = Array.from({length: slugsTried}, (_, i) => (i === 0 ? '' : `-${i + 1}`));
    const slugs = [...endings.map((ending) => base + ending), `slack-${slackId.toLowerCase()}`];
    for (const slug of slugs) {
      const made = await workspaces.create({id, slug, name: shown, suffix: suffixOf(id)}, deadline);
      if (made !== undefined) return made;
    }
    throw new AppError('slug_taken', `No slug is free for the Slack workspace ${slackId}.`);
  }

  return {
    /**
     * Creates everything that an installation needs: our workspace, owned by the installer, and the token. A
     * later installation of the same Slack workspace completes missing steps, and always keeps the same
     * workspace of ours.
     */
    async connect(grant: SlackGrant, deadline: number): Promise<Workspace> {
      const workspace = await ensureWorkspace(grant, deadline);
      const call = makeConnectionCall(workspace.id, deadline);
      const before = await slackInstallations.find(workspace.id, deadline);
      // The owner is created before the token is stored: as long as there is no token, a repeated attempt
      // counts as the first installation too.
      if (before === undefined) {
        const {slackUser, ...profile} = grant.installer;
        await people.ensureSlackMember(call, slackUser, {...profile, role: 'owner'});
      }
      await mutate(call, async () => {
        const [known, current, installer] = await Promise.all([
          slackInstallations.find(workspace.id, deadline),
          workspaces.find(workspace.id, deadline),
          people.findSlackMember(call, grant.installer.slackUser),
        ]);
        const {id, revision} = current ?? workspace;
        return {
          guards: [createInstallationGuard(known), {check: 'revision', id, revision}],
          writes: [
            {
              do: 'connect-slack',
              id: grant.slackId,
              encrypted: cipher.encrypt('slack-installation', id, grant.botToken),
              name: grant.name,
              by: installer?.id,
              greets: grant.installer.slackUser,
            },
          ],
          events: [{type: 'slack.connected', about: suffixOf(id), revision}],
          reply: {kind: 'empty'},
        };
      });
      return workspace;
    },

    /** Deletes the token; returns true if there was one. A cause before the installation does nothing. */
    async disconnect(cause: Disconnection, deadline: number): Promise<boolean> {
      const id = await slackInstallations.findWorkspace(cause.slackId, deadline);
      if (id === undefined) return false;
      let disconnected = false;
      const idempotency = 'idempotency' in cause ? {idempotency: cause.idempotency} : {};
      const call: Call = {...makeConnectionCall(id, deadline), ...idempotency};
      await mutate(call, async () => {
        const [known, workspace] = await Promise.all([
          slackInstallations.find(id, deadline),
          workspaces.find(id, deadline),
        ]);
        disconnected =
          known?.slackId === cause.slackId &&
          known.encrypted !== undefined &&
          isAfterInstallation(cause, known.installedAt);
        return disconnected && workspace !== undefined ? planDisconnect(known, workspace) : emptyCommit;
      });
      return disconnected;
    },

    /**
     * Disconnects at the request of a person, who need not be in Slack, and revokes the token at Slack. Does
     * nothing if no Slack workspace is connected. Errors: `forbidden`; `set_by_configuration` if the token is
     * in the configuration.
     */
    async disconnectFor(call: Call): Promise<Answer<void>> {
      let forgotten: string | undefined;
      const answer = await mutate<void>(call, async () => {
        forgotten = undefined;
        const guards = await authority.requireAdmin(call, 'disconnect Slack');
        const [known, workspace] = await Promise.all([
          slackInstallations.find(call.workspace, call.deadline),
          workspaces.find(call.workspace, call.deadline),
        ]);
        if (slack?.mode === 'token') throw createSetByConfigurationError();
        if (known?.encrypted === undefined || workspace === undefined) return {...emptyCommit, guards};
        forgotten = cipher.decrypt('slack-installation', call.workspace, known.encrypted);
        const forgetting = planDisconnect(known, workspace);
        return {...forgetting, guards: [...guards, ...forgetting.guards]};
      });
      if (forgotten !== undefined && !answer.replayed) await slackGateway?.revoke(forgotten);
      return answer;
    },
  };
}

function createSetByConfigurationError(): AppError {
  return new AppError(
    'set_by_configuration',
    'Slack is connected by SLACK_BOT_TOKEN in the configuration of the service. The operator removes it there, or an admin of the Slack workspace removes the app.',
  );
}

function planDisconnect(
  known: Parameters<typeof createInstallationGuard>[0],
  {id, revision}: Workspace,
): Commit {
  return {
    effect: 'release',
    guards: [createInstallationGuard(known), {check: 'revision', id, revision}],
    writes: [{do: 'disconnect-slack'}],
    events: [{type: 'slack.disconnected', about: suffixOf(id), revision}],
    reply: {kind: 'empty'},
  };
}

function makeConnectionCall(workspace: Id<'workspace'>, deadline: number): Call {
  return {workspace, principal: slackDoorkeeper, scopes: everyScope, deadline, entryPoint: 'slack'};
}

/** Returns true if the disconnection came after the installation. Slack's times are whole seconds. */
function isAfterInstallation(cause: Disconnection, installedAt: number): boolean {
  return 'installedAt' in cause
    ? cause.installedAt === installedAt
    : cause.happenedAt >= Math.floor(installedAt / 1_000);
}

function createInstallationGuard(
  known: {readonly installedAt: number; readonly encrypted: string | undefined} | undefined,
) {
  const connected = known?.encrypted !== undefined;
  return {check: 'slack', installedAt: known?.installedAt ?? null, connected} as const;
}
