// src/domain/: types, rules and presenters that all layers share. It has no I/O, clock, random values, or
// imports from other folders.
import {z} from 'zod';
import {id, type Infer, instant, open, resource} from './schemas.js';
import {AppError} from './errors.js';
import type {QuotaClaim} from './quota.js';
import {type Id, storedId} from './ids.js';
import type {TraceContext} from './trace-context.js';

/** The permissions that a token may have. No scope implies another. */
export const scopes = [
  'standups:read',
  'standups:write',
  'standups:write_any',
  'comments:write',
  'teams:read',
  'teams:write',
  'teams:private',
  'members:read',
  'members:write',
  'webhooks:manage',
  'events:read',
  'tokens:manage',
  'workspace:manage',
] as const;

export type Scope = (typeof scopes)[number];

/** All scopes, for a caller without a token. In Slack and on the command line, only the role matters. */
export const everyScope: ReadonlySet<Scope> = new Set(scopes);

/** A member or service account that calls the service. Quotas and idempotency keys belong to it. */
export type Principal<K extends PrincipalKind = PrincipalKind> = {
  readonly [T in K]: {readonly type: T; readonly id: Id<T>; readonly name: string};
}[K];

/** The member or service account that acted on a resource. */
export type PrincipalReference = Pick<Principal, 'type' | 'id'>;

export type PrincipalKind = 'member' | 'service_account';

export type PrincipalId = Principal['id'];

export const principalSchema = z
  .object({
    type: z
      .string()
      .meta({examples: ['service_account'], description: 'The type: `member` or `service_account`.'}),
    id: z.string(),
    name: z.string(),
  })
  .meta({id: 'Principal', description: 'A member or a service account.'});

export const principal = principalSchema as unknown as z.ZodType<Principal>;

const referenceFields = z.object({
  type: z.string().meta({description: 'The type: `member` or `service_account`.'}),
  id: z.string(),
});

/** A member or service account without its name, so that erasing a person leaves no names in revisions. */
export const principalReference = referenceFields as unknown as z.ZodType<PrincipalReference>;

export const namedPrincipalReference = referenceFields.extend({
  name: z.string().nullable().meta({description: 'The current name. Null after the member is removed.'}),
}) as unknown as z.ZodType<PrincipalReference & {readonly name: string | null}>;

export const memberPrincipal = principalSchema as unknown as z.ZodType<Principal<'member'>>;

/** The id of the operator, who has no account and is limited by no role. */
export const operatorId = storedId<'service_account'>('svc_operator');

/** The entry point through which a change came. `system`: the service itself made the change. */
export type EntryPoint = 'api' | 'mcp' | 'slack' | 'cli' | 'dashboard' | 'system';

/** A verified right to act in a workspace. Entry points pass it to services with every call. */
export interface Access {
  readonly workspace: Id<'workspace'>;
  readonly principal: Principal;
  readonly scopes: ReadonlySet<Scope>;
  /** The access token, which must still be valid at the commit; absent for Slack and the command line. */
  readonly token?: Credential;
}

export interface Credential {
  /** The id of the token, or the principal's id for a trusted issuer's token. The id must still exist. */
  readonly id: Id<'access_token'> | PrincipalId;
  /** The expiry, in ms since the epoch. */
  readonly expiresAt: number;
  /** The trusted issuer of the token; absent for a token of this installation. */
  readonly issuer?: string;
  /** True for a token of a dashboard session. Tokens created with it stay valid after its end. */
  readonly session?: true;
  /** The program that a person has signed in with a code. Its changes name it as their source. */
  readonly client?: TokenClient;
}

/** Another issuer whose access tokens are accepted, and the principals that they may name. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  /** The claim that chooses the workspace; undefined if there is only one. */
  readonly workspaceClaim?: string | undefined;
  /** The slugs or ids of the allowed workspaces. */
  readonly workspaces: readonly string[];
  /** The names of service accounts, by the subject (`sub`) of the issuer's tokens. */
  readonly serviceAccounts: ReadonlyMap<string, string>;
  /** Set if people can sign in to the dashboard by it. */
  readonly signIn?: object;
}

/** The identity in a token of a trusted issuer. */
export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** The email address, but only if the issuer has verified it. */
  readonly email?: string;
  /** The slug or id of the workspace, if the issuer has a claim for it. */
  readonly workspace?: string;
}

export interface IdempotencyKey {
  /** A SHA-256 of the caller and the idempotency key, since Redis keys contain no text of a client. */
  readonly hash: string;
  /** A SHA-256 of everything that must be equal in a request and its repeat. */
  readonly fingerprint: string;
}

/** The workspace and the time limit of a read, by a caller or by the service itself. */
export interface RequestContext {
  readonly workspace: Id<'workspace'>;
  /** The time limit for all work of this call, in monotonic ms (`performance.now()`). */
  readonly deadline: number;
}

/** A reader, possibly with a known principal. Error messages only suggest what that principal may see. */
export interface Viewer extends RequestContext, Partial<Pick<Access, 'principal' | 'scopes'>> {}

/** A reader with a verified right. */
export interface Caller extends Access, RequestContext {}

/** One call of a service function, with its caller, its time limit, and its idempotency key. */
export interface Call extends Caller {
  readonly entryPoint: EntryPoint;
  readonly requestId?: string;
  /**
   * The part of the caller's quota that the call takes. It is absent for reads in Slack, jobs and the command
   * line, which have no quota.
   */
  readonly quota?: QuotaClaim;
  readonly idempotency?: IdempotencyKey;
  /** The span of the request or of the time slice that makes the call, if this process makes traces. */
  readonly trace?: TraceContext | undefined;
}

const jobsId = storedId<'service_account'>('svc_jobs');

/** Creates a call by the service itself, for changes that follow from others and that no one requested. */
export function createCallByService({workspace, deadline}: RequestContext, trace?: TraceContext): Call {
  const principal = {type: 'service_account', id: jobsId, name: 'jobs'} as const;
  return {workspace, principal, scopes: everyScope, deadline, entryPoint: 'system', trace};
}

/**
 * Kinds of credentials. `session`: stands for a browser that is signed in to the dashboard. `sign_in_link`:
 * can be used once, to create a session. `calendar`: stands in the address of a calendar feed. `share_link`:
 * stands in the address of a week's report.
 */
export const tokenKinds = ['token', 'session', 'sign_in_link', 'calendar', 'share_link'] as const;

export type TokenKind = (typeof tokenKinds)[number];

/** The programs that have an entry point of their own: the command for people. */
export type TokenClient = 'cli';

export const tokenRevisionSchema = resource('access_token', {
  name: z.string(),
  kind: open<TokenKind>({
    description: `The kind: ${tokenKinds.map((kind) => `\`${kind}\``).join(', ')}. More values may be added. A session is a sign-in to the dashboard; a sign-in link creates one. A calendar is the address of a calendar feed, a share link that of a team’s week.`,
  }),
  holder: principal,
  scopes: z.array(open<Scope>()),
  expires_at: instant,
  created_by: principal.nullable().meta({
    description: 'The member or service account that created it. Null: the operator, with the command.',
  }),
  parent: id('access_token').nullable().meta({
    description:
      'The access token that created this one, or null. This token expires no later than that token, and is revoked with it.',
  }),
  client: open<TokenClient>({
    description:
      'The program that a person has signed in with a code: `cli`, the `standup` command. Null for other tokens. More values may be added.',
  }).nullable(),
}).meta({id: 'AccessTokenRevision', description: 'An access token, as in its events.'});

export const tokenSchema = tokenRevisionSchema
  .extend({
    last_used_at: instant
      .nullable()
      .meta({description: 'The last use, to the minute and up to a minute late. Null: not used yet.'}),
  })
  .meta({
    id: 'AccessToken',
    description: 'A credential of a member or a service account, without its value.',
  });

/** A token as the API and the command line show it. Its value is shown only once, at creation. */
export type AccessToken = Infer<typeof tokenRevisionSchema>;

/** A token with the minute of its last use, which is not part of a revision. */
export type ShownAccessToken = Infer<typeof tokenSchema>;

/**
 * Requires a scope. Entry points check scopes too, to keep the documented order of errors. Services must
 * check them, because not every entry point does.
 */
export function requireScope({scopes}: Pick<Call, 'scopes'>, scope: Scope): void {
  if (scopes.has(scope)) return;
  const had = [...scopes].join(', ');
  throw new AppError(
    'insufficient_scope',
    `The access token lacks the scope "${scope}"; it has ${had}. The scopes of a token never change: create another token.`,
    {scopes: [scope]},
  );
}
