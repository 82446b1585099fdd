export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];

/** Filters of the members page, as the page's address stores them. */
export interface MembersSearch {
  /** Search text: beginnings of words of a name, or of an e-mail address. */
  readonly q?: string | undefined;
  readonly team?: string | undefined;
  readonly role?: Role | undefined;
  readonly erasure?: string | undefined;
}

export function readMembersSearch({q, team, role, erasure}: Record<string, unknown>): MembersSearch {
  const found = roles.find((one) => one === role);
  return {
    ...(isText(q) && {q: String(q).slice(0, 100)}),
    ...(isText(team) && {team: String(team)}),
    ...(found !== undefined && {role: found}),
    ...(typeof erasure === 'string' && /^era_\w{26}$/.test(erasure) && {erasure}),
  };
}

function isText(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
