import {AppError, refusalForPeople} from '../../domain/core/errors.js';
import type {SlackInstallation, SlackOrigin} from '../../domain/slack/slack-installation.js';
import type {WorkspaceService} from '../workspaces/workspaces.js';
import type {Id} from '../../domain/core/ids.js';

/** Finds the installation that serves a Slack workspace, and our workspace for it. */
export interface SlackInstallations {
  /** Errors: `not_found` for an origin in which the bot is not, or no longer, installed. */
  find: (origin: SlackOrigin, deadline: number) => Promise<SlackInstallation>;
  /**
   * Only the bot's token: all that opening a view needs, even if the store is unavailable. Errors as `find`.
   */
  findToken: (origin: SlackOrigin, deadline: number) => Promise<string>;
  /** The installation that shows one of our workspaces in Slack; undefined when there is none. */
  findOf: (workspace: Id<'workspace'>, deadline: number) => Promise<SlackInstallation | undefined>;
  /** Our workspaces that have an installation, or had one and may get it again. */
  listWorkspaces: (deadline: number) => Promise<Id<'workspace'>[]>;
  /**
   * False for a workspace that this configuration does not show in Slack; true while that is not yet decided.
   */
  mayShow: (workspace: Id<'workspace'>, deadline: number) => Promise<boolean>;
  /** Records that Slack has rejected this token. Never throws. */
  noteRefused: (botToken: string) => Promise<void>;
}

/**
 * The one Slack workspace whose token is in the environment. It serves our only workspace, or the configured
 * one.
 */
export function createTokenInstallation({
  workspaces,
  workspace,
  botToken,
  onRefused = async () => undefined,
}: {
  readonly workspaces: Pick<WorkspaceService, 'chooseWorkspace'>;
  /** Slug or id. Looked up when used: the server may start before the workspace exists. */
  readonly workspace: string | undefined;
  readonly botToken: string;
  /** Slack has rejected the token. Never throws. */
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
    listWorkspaces: async (deadline) => {
      const own = await findInstallation(deadline);
      return own === undefined ? [] : [own.workspace];
    },
    // With several workspaces the choice comes later; until then content already posted stays visible.
    mayShow: async (asked, deadline) =>
      workspace === undefined || (await findInstallation(deadline))?.workspace === asked,
    // The token is in the environment: the operator has to replace it there.
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
