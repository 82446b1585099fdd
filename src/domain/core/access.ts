// The domain: types, pure rules and presenters shared by every layer.
// No I/O, no clock, no randomness, no imports from other folders.
import {AppError} from './errors.js';
import type {QuotaClaim} from './quota.js';
import {type Id, storedId} from './ids.js';

/** The permissions that a token may have. No scope implies another. */
export const scopes = [
  'standups:read',
  'standups:write',
  'standups:write_any',
  'teams:read',
  'teams:write',
  'members:read',
  'members:write',
  'webhooks:manage',
  'events:read',
  'tokens:manage',
  'workspace:manage',
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes of a caller without a token: Slack and the command are bounded by the caller's role alone. */
export const everyScope: ReadonlySet<Scope> = new Set(scopes);

/** The caller: quotas, authorship and idempotency keys belong to the principal, not to one of its tokens. */
export type Principal<K extends PrincipalKind = PrincipalKind> = {
  readonly [T in K]: {readonly type: T; readonly id: Id<T>; readonly name: string};
}[K];

export type PrincipalKind = 'member' | 'service_account';

export type PrincipalId = Principal['id'];

/**
 * No account with this id exists: the holder of the installation's keys is above the roles of a workspace.
 */
export const operatorId = storedId<'service_account'>('svc_operator');

/** The entry point through which a change came; `system`: none, since the service makes it by itself. */
export type EntryPoint = 'api' | 'slack' | 'cli' | 'dashboard' | 'system';

/** A proven right to act, which an entry point hands to a service with every call. */
export interface Access {
  readonly workspace: Id<'workspace'>;
  readonly principal: Principal;
  readonly scopes: ReadonlySet<Scope>;
  /**
   * The access token, which must still be valid when the change is committed; absent for Slack and the
   * command.
   */
  readonly token?: Credential;
}

export interface Credential {
  /** Id of the token, or of its principal when a trusted issuer made it: this must still exist. */
  readonly id: Id<'access_token'> | PrincipalId;
  /** ms since the epoch. */
  readonly expiresAt: number;
  /** The trusted issuer that has made it; absent for our own. */
  readonly issuer?: string;
  /**
   * True for a token of a dashboard session: it represents the person, and tokens made with it outlast it.
   */
  readonly session?: true;
}

/** Another issuer whose access tokens are accepted, and the principals that its tokens may speak for. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  /** The claim that chooses among the workspaces; undefined: there is one. */
  readonly workspaceClaim?: string | undefined;
  /** Slugs or ids. */
  readonly workspaces: readonly string[];
  /** Subject → name of the service account it speaks for. */
  readonly serviceAccounts: ReadonlyMap<string, string>;
}

/** The identity that a token of a trusted issuer names. */
export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Only an address that the issuer has verified. */
  readonly email?: string;
  /** Slug or id, where the issuer has a claim for it. */
  readonly workspace?: string;
}

export interface IdempotencyKey {
  /** SHA-256 of principal and client key: client text never becomes part of a key name. */
  readonly hash: string;
  /** SHA-256 over everything that makes two requests the same. */
  readonly fingerprint: string;
}

/** The workspace and the deadline of a read, by a person or by the service itself. */
export interface RequestContext {
  readonly workspace: Id<'workspace'>;
  /** Monotonic milliseconds (`performance.now()`) after which all work for this call gives up. */
  readonly deadline: number;
}

/** A viewer who may have a principal: refusals then suggest only what that principal may see. */
export interface Viewer extends RequestContext, Partial<Pick<Access, 'principal' | 'scopes'>> {}

/** A viewer with a proven right. */
export interface Caller extends Access, RequestContext {}

/** One call of a service function: its caller, its deadline, and how a repeat of it is recognised. */
export interface Call extends Caller {
  readonly entryPoint: EntryPoint;
  readonly requestId?: string;
  /**
   * The cost to the principal's quota; absent for reads in Slack, and for jobs and the command, which have no
   * quota.
   */
  readonly quota?: QuotaClaim;
  readonly idempotency?: IdempotencyKey;
}

const jobsId = storedId<'service_account'>('svc_jobs');

/** The service acts by itself: its changes are consequences, not requests. */
export function systemCall({workspace, deadline}: RequestContext): Call {
  const principal = {type: 'service_account', id: jobsId, name: 'jobs'} as const;
  return {workspace, principal, scopes: everyScope, deadline, entryPoint: 'system'};
}

/**
 * Kinds of credentials. `session`: a browser that is signed in to the dashboard; `sign_in_link`: makes a
 * session, once.
 */
export const tokenKinds = ['token', 'session', 'sign_in_link'] as const;

export type TokenKind = (typeof tokenKinds)[number];

/** A token as the API and the command show it; its value is shown once, at creation. */
export interface AccessToken {
  readonly id: Id<'access_token'>;
  readonly object: 'access_token';
  readonly name: string;
  readonly kind: TokenKind;
  readonly holder: Principal;
  readonly scopes: readonly Scope[];
  readonly expires_at: string;
  /** Null for the operator. */
  readonly created_by: Principal | null;
  /** Id of the token that it was made with, which it does not outlive. */
  readonly parent: Id<'access_token'> | null;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A token with its last use, to the minute, which is no part of a revision. */
export interface ShownAccessToken extends AccessToken {
  readonly last_used_at: string | null;
}

/**
 * Entry points check scopes early, for the published order of refusals. Services check them too, since not
 * every entry point has tokens.
 */
export function requireScope({scopes}: Pick<Call, 'scopes'>, scope: Scope): void {
  if (scopes.has(scope)) return;
  const had = [...scopes].join(', ');
  throw new AppError(
    'insufficient_scope',
    `The access token lacks the scope "${scope}"; it has ${had}. Scopes of a token never change: create another one.`,
    {scopes: [scope]},
  );
}
