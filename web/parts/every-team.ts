import type {Me} from '../api/schema.ts';

/** The value that means all teams of the workspace; no team can have it as its slug. */
export const everyTeam = '*';

/** Slugs of the teams that the page's address names; the viewer's own teams if it names none. */
export function readTeamsFromUrl(
  team: string | undefined,
  {teams}: Pick<Me, 'teams'>,
): readonly string[] | undefined {
  if (team === everyTeam) return undefined;
  return team === undefined ? (teams ?? []).map(({slug}) => slug) : [team];
}
