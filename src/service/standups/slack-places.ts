import {type Id, drawnPart} from '../../domain/core/ids.js';
import {idIn, type WireJson, withMembers} from '../../domain/core/resource.js';
import type {ShownStandup, Standup} from '../../domain/standups/standup.js';
import type {SlackPlace} from '../../domain/slack/slack-post.js';
import type {SlackShown} from '../../store/slack/slack-shown.js';

/** Finds the Slack messages of standups. */
export type SlackPlaces = Pick<SlackShown, 'listPlaces'>;

/** Adds to standups, as wire JSON, their Slack messages: one read for all of them. */
export async function showPlaces(
  slackPosts: SlackPlaces,
  workspace: Id<'workspace'>,
  rows: readonly WireJson<Standup>[],
  deadline: number,
): Promise<WireJson<ShownStandup>[]> {
  const drawn = rows.map((json) => drawnPart<'standup'>(idIn(json)));
  const places = await slackPosts.listPlaces(workspace, drawn, deadline);
  return rows.map((json, i) => showPlace(json, places[i] ?? null));
}

export function showPlace(json: WireJson<Standup>, slack: SlackPlace | null): WireJson<ShownStandup> {
  return withMembers(json, {slack});
}
