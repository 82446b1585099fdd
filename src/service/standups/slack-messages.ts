import {type Id, suffixOf} from '../../domain/core/ids.js';
import {readIdOfWireJson, type WireJson, addFieldsToWireJson} from '../../domain/core/resource.js';
import type {ShownStandup, Standup} from '../../domain/standups/standup.js';
import type {SlackMessage} from '../../domain/slack/slack-post.js';
import type {SlackShown} from '../../store/slack/slack-shown.js';

/** Finds the Slack messages of standups. */
export type SlackMessages = SlackShown;

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
