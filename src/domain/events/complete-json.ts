import {completeTokenJson} from '../core/access.js';
import type {WireJson} from '../core/resource.js';
import {completeStandupJson} from '../standups/standup.js';
import {completePlaceJson, completeTeamJson} from '../teams/team.js';
import {completeMemberJson, completeWorkspaceJson} from '../workspaces/workspace.js';

const completions: Readonly<Record<string, (json: WireJson) => WireJson>> = {
  access_token: completeTokenJson,
  member: completeMemberJson,
  standup: completeStandupJson,
  team: completeTeamJson,
  team_member: completePlaceJson,
  workspace: completeWorkspaceJson,
};

/** The wire JSON of a resource with the members that it has today: what was stored before may lack some. */
export function completeJson(json: WireJson): WireJson {
  const [, object = ''] = /^\{"id":"[^"]*","object":"([a-z_]+)"/.exec(json) ?? [];
  return completions[object]?.(json) ?? json;
}
