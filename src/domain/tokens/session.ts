import {type AccessToken, type Scope, scopes} from '../core/access.js';
import {type Id, isId, type IdSuffix, storedSuffix} from '../core/ids.js';
import {lifetimes} from '../core/limits.js';
import type {MemberRole} from '../workspaces/workspace.js';

/** The page that accepts a sign-in link. Its secret is in the URL's fragment, which no log sees. */
const signInPath = '/app/sign-in';

/** Scopes that a session has only if its member manages the workspace. */
const managing: ReadonlySet<Scope> = new Set(['webhooks:manage', 'workspace:manage', 'events:read']);

/** Scopes with which a malicious script in a page could create a token that stays valid for a year. */
const powerful: ReadonlySet<Scope> = new Set(['tokens:manage', 'workspace:manage']);

export function listScopesOfRole(role: MemberRole): readonly Scope[] {
  return role === 'member' ? scopes.filter((scope) => !managing.has(scope)) : scopes;
}

/** Returns the scopes of a session whose member has not recently proven their identity. */
export function removePowerfulScopes(granted: readonly Scope[]): readonly Scope[] {
  return granted.filter((scope) => !powerful.has(scope));
}

/** Returns the scopes and the end (ms) of a session's API token. Powerful scopes end soon after sign-in. */
export function computeSessionGrant(
  session: Pick<AccessToken, 'created_at' | 'expires_at' | 'scopes'>,
  role: MemberRole,
  now: number,
): {scopes: readonly Scope[]; expiresAt: number; confirmedUntil: number} {
  const ofRole = listScopesOfRole(role);
  const granted = session.scopes.filter((scope) => ofRole.includes(scope));
  const begun = Math.floor(Date.parse(session.created_at) / 1_000);
  const isConfirmed = removePowerfulScopes(granted).length < granted.length;
  const confirmedUntil = (begun + (isConfirmed ? lifetimes.confirmed : 0)) * 1_000;
  const end = Math.min(now + lifetimes.sessionToken * 1_000, Date.parse(session.expires_at));
  // If too little time is left, the powerful scopes are left out, because a token with them would expire at
  // once.
  if (confirmedUntil - now < lifetimes.tokenMin * 1_000) {
    return {scopes: removePowerfulScopes(granted), expiresAt: end, confirmedUntil};
  }
  return {scopes: granted, expiresAt: Math.min(end, confirmedUntil), confirmedUntil};
}

/** The id suffix and the secret of a token, in a sign-in link, a session cookie or the address of a calendar. */
export interface Pass {
  readonly workspace: Id<'workspace'>;
  readonly suffix: IdSuffix<'access_token'>;
  readonly secret: string;
}

const suffixPattern = /^[0-9a-hjkmnp-tv-z]{16}$/;
const secretPattern = /^[\w-]{43}$/;

export function formatPass({workspace, suffix, secret}: Pass): string {
  return `${workspace}.${suffix}.${secret}`;
}

/** Parses a pass; undefined for a malformed text. The pass may still be invalid. */
export function parsePass(text: string): Pass | undefined {
  const [workspace = '', suffix = '', secret = '', ...rest] = text.split('.');
  const wellFormed = isId('workspace', workspace) && suffixPattern.test(suffix) && rest.length === 0;
  return wellFormed && secretPattern.test(secret)
    ? {workspace, suffix: storedSuffix(suffix), secret}
    : undefined;
}

/** Returns the address of a page of the dashboard. `page`: the path below `/app`. */
export function createPageAddress(publicUrl: string, page = ''): string {
  return `${publicUrl}/app${page}`;
}

/** The start of the path of every calendar feed. The rest is a secret. */
export const calendarPath = '/calendar/';

export function createCalendarAddress(publicUrl: string, pass: Pass): string {
  return `${publicUrl}${calendarPath}${formatPass(pass)}.ics`;
}

/**
 * Returns the address of a sign-in link. `page`: the path below `/app` that opens after the sign-in. Anyone
 * can change it in the address, so the dashboard checks it on use (`choosePathAfterSignIn`).
 */
export function createSignInAddress(publicUrl: string, pass: Pass, page?: string): string {
  const query = page === undefined ? '' : `?${new URLSearchParams({to: page})}`;
  return `${publicUrl}${signInPath}${query}#${formatPass(pass)}`;
}
