import {AppError, plainRefusal} from '../../domain/core/errors.js';
import type {SlackInstallation, SlackOrigin} from '../../domain/slack/slack-installation.js';
import type {WorkspaceService} from '../workspaces/workspaces.js';
import type {Id} from '../../domain/core/ids.js';

/** Which Slack workspaces are served, and whom each speaks for. */
export interface SlackInstallations {
  /** Errors: `not_found` for an origin that the bot is not, or no longer, installed in. */
  find: (origin: SlackOrigin, deadline: number) => Promise<SlackInstallation>;
  /**
   * The bot's token alone: all that opening a view needs, whatever becomes of the store. Errors as `find`.
   */
  findToken: (origin: SlackOrigin, deadline: number) => Promise<string>;
  /** By which a workspace of ours is shown in Slack; undefined when by none. */
  findOf: (workspace: Id<'workspace'>, deadline: number) => Promise<SlackInstallation | undefined>;
  /** The workspaces of ours that have one, or had one and may have it again. */
  listWorkspaces: (deadline: number) => Promise<Id<'workspace'>[]>;
  /**
   * False for a workspace that is not shown in Slack as this is set up; true as long as that is not
   * decided.
   */
  mayShow: (workspace: Id<'workspace'>, deadline: number) => Promise<boolean>;
  /** Slack has answered that this token is good no longer. Never throws. */
  noteRefused: (botToken: string) => Promise<void>;
}

/**
 * The one Slack workspace whose token stands in the environment. It speaks for the only workspace of ours,
 * or for the one that is named.
 */
export function createTokenInstallation({
  workspaces,
  workspace,
  botToken,
  onRefused = async () => undefined,
}: {
  readonly workspaces: Pick<WorkspaceService, 'chooseWorkspace'>;
  /** Slug or id. Looked up when used: the server may start before it is made. */
  readonly workspace: string | undefined;
  readonly botToken: string;
  /** Slack has refused the token. Never throws. */
  readonly onRefused?: () => Promise<void>;
}): SlackInstallations {
  async function choose(deadline: number): Promise<SlackInstallation> {
    const {id} = await workspaces.chooseWorkspace(workspace, deadline);
    return {id: 'token', workspace: id, botToken};
  }

  return {
    async find(_, deadline) {
      try {
        return await choose(deadline);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
        const sentence =
          'The service has several workspaces: whoever runs it has to say with SLACK_WORKSPACE which one this is.';
        throw plainRefusal('validation_failed', sentence, {cause: error});
      }
    },
    findToken: async () => botToken,
    async findOf(asked, deadline) {
      const own = await chooseOrNone(deadline);
      return own?.workspace === asked ? own : undefined;
    },
    listWorkspaces: async (deadline) => {
      const own = await chooseOrNone(deadline);
      return own === undefined ? [] : [own.workspace];
    },
    // Which of several it is is said later, and what was posted until then is shown.
    mayShow: async (asked, deadline) =>
      workspace === undefined || (await chooseOrNone(deadline))?.workspace === asked,
    // The token stands in the environment: whoever runs the service has to put another one there.
    noteRefused: onRefused,
  };

  async function chooseOrNone(deadline: number): Promise<SlackInstallation | undefined> {
    try {
      return await choose(deadline);
    } catch (error) {
      if (error instanceof AppError && (error.code === 'not_found' || error.code === 'validation_failed'))
        return undefined;
      throw error;
    }
  }
}
