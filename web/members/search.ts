export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];

/** Filters of the members page, as the page's address stores them. */
export interface MembersSearch {
  /** Search text: beginnings of words of a name, or of an e-mail address. */
  readonly q?: string | undefined;
  /** Slug of the only team whose members are shown. */
  readonly team?: string | undefined;
  readonly role?: Role | undefined;
  /** Id of the erasure whose progress is shown. */
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

/** True for a text or a number: the router parses digits as a number. */
function isText(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
