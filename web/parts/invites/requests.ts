import {api, dataOf} from '../../api/client.ts';
import type {Schema} from '../../api/schema.ts';

export interface OfferedTeam {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

/** Creates invites. A second request with the same idempotency `key` shows the same links again. */
export function createInvites(body: Schema<'NewInvite'>, key: string) {
  return dataOf(api.POST('/v1/invites', {params: {header: {'Idempotency-Key': key}}, body}));
}

/** Adds a member to teams, with the role of a member. */
export async function addToTeams(member: string, teams: readonly OfferedTeam[]): Promise<void> {
  for (const {slug: team} of teams)
    await api.PUT('/v1/teams/{team}/members/{member}', {params: {path: {team, member}}, body: {}});
}
