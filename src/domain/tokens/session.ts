import {type AccessToken, type Scope, scopes} from '../core/access.js';
import {type Id, isId, type IdSuffix, storedSuffix} from '../core/ids.js';
import {lifetimes} from '../core/limits.js';
import type {MemberRole} from '../workspaces/workspace.js';

/** The page that takes a sign-in link. Its secret is in the fragment, which no server and no log sees. */
const signInPath = '/app/sign-in';

/** Scopes that a session has only for people who run the workspace. */
const managing: ReadonlySet<Scope> = new Set(['webhooks:manage', 'workspace:manage', 'events:read']);

/** Scopes with which a script that got into a page could make itself a token for a year. */
const powerful: ReadonlySet<Scope> = new Set(['tokens:manage', 'workspace:manage']);

/** The scopes of a session, by the role of its member. */
export function scopesOfRole(role: MemberRole): readonly Scope[] {
  return role === 'member' ? scopes.filter((scope) => !managing.has(scope)) : scopes;
}

/** The scopes of a session whose member has not proven their identity again. */
export function withoutPowerfulScopes(granted: readonly Scope[]): readonly Scope[] {
  return granted.filter((scope) => !powerful.has(scope));
}

/** The scopes of a token for a session, and its end (ms): the powerful ones only soon after signing in. */
export function sessionGrantOf(
  session: Pick<AccessToken, 'created_at' | 'expires_at' | 'scopes'>,
  role: MemberRole,
  now: number,
): {scopes: readonly Scope[]; expiresAt: number; confirmedUntil: number} {
  const ofRole = scopesOfRole(role);
  const granted = session.scopes.filter((scope) => ofRole.includes(scope));
  const begun = Math.floor(Date.parse(session.created_at) / 1_000);
  const isConfirmed = withoutPowerfulScopes(granted).length < granted.length;
  const confirmedUntil = (begun + (isConfirmed ? lifetimes.confirmed : 0)) * 1_000;
  const end = Math.min(now + lifetimes.sessionToken * 1_000, Date.parse(session.expires_at));
  // A token that expires at once is useless.
  if (confirmedUntil - now < lifetimes.tokenMin * 1_000) {
    return {scopes: withoutPowerfulScopes(granted), expiresAt: end, confirmedUntil};
  }
  return {scopes: granted, expiresAt: Math.min(end, confirmedUntil), confirmedUntil};
}

/**
 * The content of a sign-in link, and of a session's cookie: its token (an id suffix), and the secret that
 * proves it.
 */
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

/** Undefined for a malformed text; says nothing about whether the pass is valid. */
export function parsePass(text: string): Pass | undefined {
  const [workspace = '', suffix = '', secret = '', ...rest] = text.split('.');
  const wellFormed = isId('workspace', workspace) && suffixPattern.test(suffix) && rest.length === 0;
  return wellFormed && secretPattern.test(secret)
    ? {workspace, suffix: storedSuffix(suffix), secret}
    : undefined;
}

export function signInAddress(publicUrl: string, pass: Pass): string {
  return `${publicUrl}${signInPath}#${formatPass(pass)}`;
}
