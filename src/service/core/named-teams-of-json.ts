import {type Id, isId} from '../../domain/core/ids.js';
import type {WireJson} from '../../domain/core/resource.js';

interface Names {
  readonly id?: string;
  readonly team_id?: Id<'team'> | null;
  readonly teams?: readonly (Id<'team'> | {readonly team_id: Id<'team'>})[] | null;
}

/** Returns the ids of the teams that a resource names: itself, the one that it belongs to, or a list of them. */
export function listTeamsOfResource({id, team_id: own, teams}: Names): Id<'team'>[] {
  const listed = (teams ?? []).map((one) => (typeof one === 'string' ? one : one.team_id));
  return [id, own, ...listed].flatMap((one) => (typeof one === 'string' && isId('team', one) ? one : []));
}

/** Returns the ids of the teams that a resource in JSON names. */
export const listTeamsOfJson = (json: WireJson): Id<'team'>[] =>
  json === '' ? [] : listTeamsOfResource(JSON.parse(json) as Names);
