import type {Caller, RequestContext} from '../../domain/core/access.js';
import {notFound} from '../../domain/core/errors.js';
import {suffixOf, isId, type Id} from '../../domain/core/ids.js';
import type {SlackMessage} from '../../domain/slack/slack-post.js';
import type {Standup, ShownStandup} from '../../domain/standups/standup.js';
import type {Team} from '../../domain/teams/team.js';
import {readIdOfWireJson, type WireJson, addFieldsToWireJson} from '../../domain/core/resource.js';
import type {SlackShown} from '../../store/slack/slack-shown.js';
import type {ServiceContext} from '../core/context.js';

/** A standup with its team, and the version of the team list from which the team was read. */
export interface StandupWithTeam {
  readonly standup: Standup;
  readonly team: Team;
  readonly version: string;
}

export function createStandupFinder({records, teams, slackPosts}: ServiceContext) {
  return {
    /**
     * Finds a standup. A standup of a deleted team counts as deleted, even while the job that removes it is
     * running. Errors: `not_found`.
     */
    async requireStandup(access: Caller, id: string): Promise<StandupWithTeam> {
      const {workspace, deadline} = access;
      if (!isId('standup', id)) throw notFound('standup');
      const [standup, directory] = await Promise.all([
        records.find(workspace, id, deadline),
        teams.of(access),
      ]);
      const team = standup && directory.byReference(standup.team_id);
      if (standup === undefined || team === undefined) throw notFound('standup');
      return {standup, team, version: directory.version};
    },
    async findSlackMessage(
      {workspace, deadline}: RequestContext,
      id: Id<'standup'>,
    ): Promise<SlackMessage | null> {
      const [message] = await slackPosts.listMessages(workspace, [suffixOf(id)], deadline);
      return message ?? null;
    },
  };
}

type SlackMessages = SlackShown;

/** Adds their Slack messages to standups in JSON, with one read for all of them. */
export async function addSlackMessages(
  slackPosts: SlackMessages,
  workspace: Id<'workspace'>,
  rows: readonly WireJson<Standup>[],
  deadline: number,
): Promise<WireJson<ShownStandup>[]> {
  const suffixes = rows.map((json) => suffixOf<'standup'>(readIdOfWireJson(json)));
  const messages = await slackPosts.listMessages(workspace, suffixes, deadline);
  return rows.map((json, i) => addSlackMessage(json, messages[i] ?? null));
}

export function addSlackMessage(json: WireJson<Standup>, slack: SlackMessage | null): WireJson<ShownStandup> {
  return addFieldsToWireJson(json, {slack});
}
