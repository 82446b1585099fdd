// The /v1 door: route table, schemas, problems, checks, OpenAPI document. The only folder that may use `express` and `jose`.
// A handler parses, calls one service function, and presents; decisions belong to `service/`.
import {hash as digest} from 'node:crypto';
import {LRUCache} from 'lru-cache';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import {type Scope, scopes} from '../domain/access.js';
import {AppError} from '../domain/errors.js';
import {isId} from '../domain/ids.js';
import {lifetimes} from '../domain/limits.js';

/** What an access token of this installation says, after its signature has been verified. */
export interface VerifiedToken {
  readonly id: string;
  readonly subject: string;
  readonly workspace: string;
  readonly scopes: ReadonlySet<Scope>;
  /** ms since the epoch. */
  readonly expiresAt: number;
}

/** `id`, `subject`, `workspace`, `scopes`, and instants in seconds. */
export interface TokenClaims {
  readonly id: string;
  readonly subject: string;
  readonly workspace: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export interface AccessTokens {
  sign(claims: TokenClaims): Promise<string>;
  /** Verifies signature, issuer, audience, type and times. Errors: `invalid_token`. Says nothing about revocation. */
  verify(token: string): Promise<VerifiedToken>;
  /** The public keys, for `/.well-known/jwks.json`. */
  readonly jwks: {readonly keys: readonly JWK[]};
}

/** `EdDSA` with Ed25519 is the one algorithm; jose treats the newer name `Ed25519` as another one. */
const algorithm = 'EdDSA';
const cachedTokens = 10_000;

/** A new private signing key as JWK text. */
export async function createSigningKey(): Promise<string> {
  const {privateKey} = await generateKeyPair(algorithm, {crv: 'Ed25519', extractable: true});
  return JSON.stringify(await exportJWK(privateKey));
}

/**
 * Access tokens as RFC 9068 JWTs of this installation.
 * A verification costs 50–200 µs and a hash 2 µs, so verified claims are kept by the token's hash until they expire.
 */
export async function createAccessTokens(options: {
  readonly privateKey: string;
  readonly installation: string;
  /** Redis time in ms: the clock tokens are made and checked by. */
  readonly now: () => number;
}): Promise<AccessTokens> {
  const {installation, now} = options;
  const jwk = JSON.parse(options.privateKey) as JWK;
  const {d: _private, ...publicPart} = jwk;
  const kid = await calculateJwkThumbprint(publicPart);
  const publicKey: JWK = {...publicPart, kid, alg: algorithm, use: 'sig'};
  const signingKey = await importJWK(jwk, algorithm);
  const keys = createLocalJWKSet({keys: [publicKey]});
  const issuer = `urn:standup:${installation}`;
  const verified = new LRUCache<string, VerifiedToken>({max: cachedTokens});

  return {
    jwks: {keys: [publicKey]},
    sign: ({id, subject, workspace, scopes: granted, issuedAt, expiresAt}) =>
      new SignJWT({client_id: subject, scope: granted.join(' '), workspace})
        .setProtectedHeader({alg: algorithm, typ: 'at+jwt', kid})
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(subject)
        .setJti(id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(signingKey),
    async verify(token) {
      const hash = digest('sha256', token, 'base64url');
      const known = verified.get(hash);
      if (known !== undefined) {
        if (known.expiresAt + lifetimes.tokenSkew * 1_000 > now()) return known;
        verified.delete(hash);
        throw invalidToken('The access token has expired.');
      }
      const claims = await verifySignature(token);
      verified.set(hash, claims);
      return claims;
    },
  };

  async function verifySignature(token: string): Promise<VerifiedToken> {
    try {
      const {payload} = await jwtVerify(token, keys, {
        algorithms: [algorithm],
        issuer,
        audience: issuer,
        typ: 'at+jwt',
        requiredClaims: ['sub', 'jti', 'iat', 'exp', 'client_id', 'scope', 'workspace'],
        clockTolerance: lifetimes.tokenSkew,
        currentDate: new Date(now()),
      });
      const workspace = String(payload['workspace']);
      if (!isId('workspace', workspace) || !isId('access_token', payload.jti ?? ''))
        throw new Error('foreign ids');
      const granted = String(payload['scope']).split(' ');
      return {
        id: payload.jti ?? '',
        subject: payload.sub ?? '',
        workspace,
        scopes: new Set(scopes.filter((scope) => granted.includes(scope))),
        expiresAt: (payload.exp ?? 0) * 1_000,
      };
    } catch (error) {
      const expired = error instanceof Error && 'code' in error && error.code === 'ERR_JWT_EXPIRED';
      throw invalidToken(expired ? 'The access token has expired.' : 'The access token is not valid here.');
    }
  }
}

function invalidToken(message: string): AppError {
  return new AppError('invalid_token', message);
}
