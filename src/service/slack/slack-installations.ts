import {AppError, refusalForPeople} from '../../domain/core/errors.js';
import type {SlackInstallation, SlackOrigin} from '../../domain/slack/slack-installation.js';
import type {WorkspaceService} from '../workspaces/workspaces.js';
import type {Id} from '../../domain/core/ids.js';

/** Finds the installation that serves a Slack workspace, and our workspace for it. */
export interface SlackInstallations {
  /** Returns the installation of an origin. Errors: `not_found` if the bot is not installed there. */
  find: (origin: SlackOrigin, deadline: number) => Promise<SlackInstallation>;
  /** Returns only the token: enough to open a modal without the store. Errors: as `find`. */
  findToken: (origin: SlackOrigin, deadline: number) => Promise<string>;
  /** Returns the installation that shows one of our workspaces in Slack; undefined if there is none. */
  findOf: (workspace: Id<'workspace'>, deadline: number) => Promise<SlackInstallation | undefined>;
  /** True if workspaces install the bot; false for one workspace by a token of the environment. */
  readonly areInstalled: boolean;
  /**
   * Lists our workspaces that have an installation, or had one and may get it again, in pages. `within`
   * creates a time limit for each page.
   */
  listWorkspaces: (within: () => number) => AsyncIterable<readonly Id<'workspace'>[]>;
  /** Returns false for a workspace that this configuration does not show in Slack. */
  mayShow: (workspace: Id<'workspace'>, deadline: number) => Promise<boolean>;
  /** Records that Slack has rejected a token. Never throws. */
  noteRefused: (botToken: string) => Promise<void>;
}

/** The installation by a token in the environment, for our only or the configured workspace. */
export function createTokenInstallation({
  workspaces,
  workspace,
  botToken,
  onRefused = async () => undefined,
}: {
  readonly workspaces: Pick<WorkspaceService, 'chooseWorkspace'>;
  /** The slug or id of our workspace, looked up when used: the server may start before it exists. */
  readonly workspace: string | undefined;
  readonly botToken: string;
  /** Called when Slack has rejected the token. Never throws. */
  readonly onRefused?: () => Promise<void>;
}): SlackInstallations {
  async function requireInstallation(deadline: number): Promise<SlackInstallation> {
    const {id} = await workspaces.chooseWorkspace(workspace, deadline);
    return {id: 'token', workspace: id, botToken};
  }

  return {
    async find(_, deadline) {
      try {
        return await requireInstallation(deadline);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
        const sentence =
          'The service has several workspaces: the operator must name this one with SLACK_WORKSPACE.';
        throw refusalForPeople('validation_failed', sentence, {cause: error});
      }
    },
    findToken: async () => botToken,
    async findOf(asked, deadline) {
      const own = await findInstallation(deadline);
      return own?.workspace === asked ? own : undefined;
    },
    areInstalled: false,
    async *listWorkspaces(within) {
      const own = await findInstallation(within());
      if (own !== undefined) yield [own.workspace];
    },
    // If there are several workspaces, the operator has to choose one first. Until then, posted content stays
    // visible.
    mayShow: async (asked, deadline) =>
      workspace === undefined || (await findInstallation(deadline))?.workspace === asked,
    // The token is in the environment, so the operator has to replace it there.
    noteRefused: onRefused,
  };

  async function findInstallation(deadline: number): Promise<SlackInstallation | undefined> {
    try {
      return await requireInstallation(deadline);
    } catch (error) {
      if (error instanceof AppError && (error.code === 'not_found' || error.code === 'validation_failed'))
        return undefined;
      throw error;
    }
  }
}
