import {hash as digest} from 'node:crypto';
import {createCache} from '../../domain/core/cache.js';
import {jwtVerify, SignJWT} from 'jose';
import {type PrincipalId, type Scope, scopes, type TokenClient} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {type Id, isId, storedId} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import type {TokenClaims} from '../../service/core/environment.js';
import {algorithm, type SigningKeys} from './signing-keys.js';

/** The content of an access token of this installation, after its signature has been verified. */
export interface VerifiedToken {
  readonly id: Id<'access_token'>;
  readonly subject: PrincipalId;
  readonly workspace: Id<'workspace'>;
  readonly scopes: ReadonlySet<Scope>;
  /** The expiry, in ms since the epoch. */
  readonly expiresAt: number;
  /** True for the token of a dashboard session; see `Credential`. */
  readonly session?: true;
  readonly client?: TokenClient;
  /** The id of the key that signed the token. */
  readonly kid: string;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

const cachedTokens = 10_000;

/**
 * Issues and verifies access tokens: RFC 9068 JWTs of this installation.
 * A verification costs 50–200 µs, and a hash only 2 µs. So the verified claims are cached under the token's
 * hash until the token expires or its key is dropped.
 */
export function createAccessTokens(options: {
  readonly keys: Pick<SigningKeys, 'current' | 'find' | 'has'>;
  readonly installation: string;
  /** The time of Redis in ms, by which tokens are issued and checked. */
  readonly now: () => number;
}) {
  const {keys, installation, now} = options;
  const issuer = `urn:standup:${installation}`;
  const verified = createCache<VerifiedToken>(cachedTokens);
  const isExpired = ({expiresAt}: VerifiedToken): boolean => expiresAt + lifetimes.tokenSkew * 1_000 <= now();

  return {
    /** The issuer (`iss`) and the audience (`aud`) of every token of this installation. */
    issuer,
    /** Returns the id of the key that signs new tokens, read from the store. */
    findSigningKeyId: async (deadline: number): Promise<string> => (await keys.current(deadline)).kid,
    /** Signs a token. Equal claims and key give equal bytes (RFC 8032: Ed25519 is deterministic). */
    async sign(
      {id, subject, workspace, scopes: granted, issuedAt, expiresAt, session, client}: TokenClaims,
      kid: string,
    ): Promise<string> {
      const key = await keys.find(kid);
      if (key === undefined) throw new Error(`the signing key ${kid} is gone`);
      const own = {...(session && {session}), ...(client && {client})};
      return new SignJWT({client_id: subject, scope: granted.join(' '), workspace, ...own})
        .setProtectedHeader({alg: algorithm, typ: 'at+jwt', kid})
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(subject)
        .setJti(id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key.sign);
    },
    /** Verifies all of a token except its revocation. Errors: `invalid_token`. */
    async verify(token: string): Promise<VerifiedToken> {
      const hash = digest('sha256', token, 'base64url');
      const known = verified.get(hash);
      if (known !== undefined) {
        const hasExpired = isExpired(known);
        if (!hasExpired && (await keys.find(known.kid)) !== undefined) return known;
        verified.delete(hash);
        if (hasExpired) throw createInvalidTokenError('The access token has expired: make a new one.');
      }
      const checked = await verifySignature(token);
      verified.set(hash, checked);
      return checked;
    },
    /** True while a token that was verified before is still valid; otherwise it must be verified again. */
    isStillGood: (token: VerifiedToken): boolean => !isExpired(token) && keys.has(token.kid),
  };

  async function verifySignature(token: string): Promise<VerifiedToken> {
    try {
      if (!isCanonicalBase64url(token)) throw new Error('not as it was given out');
      const {payload, protectedHeader} = await jwtVerify(token, findKey, {
        algorithms: [algorithm],
        issuer,
        audience: issuer,
        typ: 'at+jwt',
        requiredClaims: ['sub', 'jti', 'iat', 'exp', 'client_id', 'scope', 'workspace'],
        clockTolerance: lifetimes.tokenSkew,
        currentDate: new Date(now()),
      });
      const workspace = String(payload['workspace']);
      const id = payload.jti ?? '';
      if (!isId('workspace', workspace) || !isId('access_token', id)) throw new Error('foreign ids');
      const granted = String(payload['scope']).split(' ');
      return {
        id,
        subject: storedId(payload.sub ?? ''),
        workspace,
        scopes: new Set(scopes.filter((scope) => granted.includes(scope))),
        expiresAt: (payload.exp ?? 0) * 1_000,
        ...(payload['session'] === true && {session: true as const}),
        ...(payload['client'] === 'cli' && {client: 'cli' as const}),
        kid: protectedHeader.kid ?? '',
      };
    } catch (error) {
      // The store was unavailable, so it is unknown whether the token's key exists. The token may be valid.
      if (error instanceof AppError) throw error;
      const expired = error instanceof Error && 'code' in error && error.code === 'ERR_JWT_EXPIRED';
      throw createInvalidTokenError(expired ? 'The access token has expired: make a new one.' : notOurs);
    }
  }

  /** Finds a token's key by id. Keys that a token itself brings (`jwk`, `jku`, `x5u`) are never used. */
  async function findKey({kid}: {kid?: string}) {
    const key = kid === undefined ? undefined : await keys.find(kid);
    if (key === undefined) throw createInvalidTokenError(notOurs);
    return key.verify;
  }
}

/** True for the canonical base64url spelling. Others decode to the same bytes, and would fill the cache. */
function isCanonicalBase64url(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

const notOurs =
  'The access token is not valid here: it is malformed, or of another installation. Create a new one.';

function createInvalidTokenError(message: string): AppError {
  return new AppError('invalid_token', message);
}
