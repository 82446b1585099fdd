import type {Commit} from '../../domain/commit/commit.js';
import {createRevisionRef} from '../../domain/commit/reply.js';
import {reviseWrite} from '../../domain/commit/writes.js';
import {type Call, everyScope, operatorId, type RequestContext} from '../../domain/core/access.js';
import {AppError, refusalForPeople} from '../../domain/core/errors.js';
import type {Id} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {type Draft, isUnchangedByDraft, applyPatch, toDraft} from '../../domain/core/resource.js';
import {createSlugFromName} from '../../domain/core/text.js';
import {
  firstWorkspaceCommand,
  type ShownWorkspace,
  type Workspace,
  type WorkspaceChange,
} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import type {Answer} from '../core/answers.js';
import {planNothing} from '../core/mutation.js';
import {type Precondition, requireRevision} from '../core/precondition.js';

export type WorkspaceService = ReturnType<typeof createWorkspaceService>;

export function createWorkspaceService({
  workspaces,
  mutate,
  authority,
  generateSuffix,
  slack,
  slackInstallations,
  slackGateway,
  workspaceBytes,
}: ServiceContext) {
  async function requireWorkspace({workspace, deadline}: RequestContext): Promise<Workspace> {
    const found = await workspaces.find(workspace, deadline);
    if (found !== undefined) return found;
    throw new AppError(
      'store_lost',
      "This workspace's data is not in the store. Restore it, then try again.",
    );
  }

  /** True if Slack's requests are for this workspace and Slack, as far as known, accepts its token. */
  async function isConnected({id, slug}: Workspace, deadline: number): Promise<boolean> {
    if (slack === undefined) return false;
    if (slackGateway?.refusal() !== undefined) return false;
    if (slack.mode === 'oauth') return (await slackInstallations.find(id, deadline))?.encrypted !== undefined;
    const {workspace} = slack;
    if (workspace !== undefined) return workspace === id || workspace.toLowerCase() === slug;
    return (await workspaces.listFew(deadline))?.length === 1;
  }

  async function findExtraMembers(
    workspace: Workspace,
    deadline: number,
  ): Promise<Pick<ShownWorkspace, 'slack' | 'storage'>> {
    const [connected, storage] = await Promise.all([
      isConnected(workspace, deadline),
      workspaceBytes.find(workspace.id, deadline),
    ]);
    return {slack: {connected}, storage};
  }

  async function planChangeWorkspace(
    call: Call,
    change: WorkspaceChange,
    expected?: Precondition,
  ): Promise<Commit> {
    const workspace = await requireWorkspace(call);
    const proof = await authority.requireAdmin(call, 'change it');
    requireRevision(expected, workspace.revision);
    const draft: Draft<Workspace> = applyPatch(toDraft(workspace), change);
    const beside = await findExtraMembers(workspace, call.deadline);
    if (isUnchangedByDraft(workspace, draft)) return planNothing(workspace, beside);
    const revised = reviseWrite(workspace, draft);
    const {suffix: about, revision} = createRevisionRef(revised);
    return {
      // A shorter retention period frees space in the store.
      effect: shortensRetention(workspace, draft) ? 'release' : 'growth',
      guards: proof,
      writes: [revised],
      events: [{type: 'workspace.updated', about, revision}],
      reply: {kind: 'resource', of: revised, beside},
    };
  }

  return {
    async findWorkspace(access: RequestContext): Promise<ShownWorkspace> {
      const workspace = await requireWorkspace(access);
      return {...workspace, ...(await findExtraMembers(workspace, access.deadline))};
    },
    /** Changes a workspace. Errors: `forbidden` except for owners and admins. */
    changeWorkspace: (
      call: Call,
      change: WorkspaceChange,
      expected?: Precondition,
    ): Promise<Answer<ShownWorkspace>> => mutate(call, () => planChangeWorkspace(call, change, expected)),
    /** Creates a workspace with a slug made from its name. Errors: `slug_taken`, `validation_failed`. */
    async createWorkspace(name: string, deadline: number): Promise<Workspace> {
      const slug = createSlugFromName(name, limits.slug);
      if (slug === undefined) {
        throw new AppError(
          'validation_failed',
          `No slug can be made from the name "${name}": use some letters or digits.`,
        );
      }
      const made = await workspaces.create({slug, name: name.trim(), suffix: generateSuffix()}, deadline);
      if (made === undefined) throw new AppError('slug_taken', `There is a workspace "${slug}" already.`);
      return made;
    },
    /** Returns the workspace with this slug or id, or the only workspace if `reference` is left out. */
    async chooseWorkspace(reference: string | undefined, deadline: number): Promise<Workspace> {
      if (reference !== undefined) {
        const found = await workspaces.findByReference(reference, deadline);
        if (found !== undefined) return found;
        throw new AppError('not_found', `There is no workspace "${reference}".`, {missing: 'workspace'});
      }
      const all = await workspaces.listFew(deadline);
      const [only, ...others] = all ?? [];
      if (all?.length === 0) {
        throw refusalForPeople(
          'not_found',
          `There is no workspace yet. Create one: ${firstWorkspaceCommand}`,
        );
      }
      if (only === undefined || others.length > 0) {
        const which = all === undefined ? '' : ` (${all.map(({slug}) => slug).join(', ')})`;
        throw new AppError(
          'validation_failed',
          `There are several workspaces${which}: say which with --workspace.`,
        );
      }
      return only;
    },
    /** Finds a workspace by its id, or by its slug in any case. */
    findWorkspaceByReference: (reference: string, deadline: number): Promise<Workspace | undefined> =>
      workspaces.findByReference(reference, deadline),
    listFewWorkspaces: (deadline: number): Promise<Workspace[] | undefined> => workspaces.listFew(deadline),
    countWorkspaces: (deadline: number): Promise<number> => workspaces.count(deadline),
    /** Lists all workspaces, for a command of the operator. */
    listWorkspaces: (deadline: number): Promise<Workspace[]> => workspaces.list(deadline),
  };
}

function shortensRetention(before: Workspace, {retention_days: days}: Draft<Workspace>): boolean {
  return days !== null && days < (before.retention_days ?? Number.POSITIVE_INFINITY);
}

/** Returns the context of an operator's command, without quota, who cannot author a standup. */
export function operatorCall(workspace: Id<'workspace'>, deadline: number): Call {
  const principal = {type: 'service_account', id: operatorId, name: 'operator'} as const;
  return {workspace, principal, scopes: everyScope, deadline, entryPoint: 'cli'};
}
