export const roles = ['lead', 'member', 'observer'] as const;
export type TeamRole = (typeof roles)[number];

/** Reads a team role. The API may add roles; an unknown role counts as member. */
export function parseRole(role: string): TeamRole {
  return roles.find((known) => known === role) ?? 'member';
}
