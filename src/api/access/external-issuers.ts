import {decodeJwt, errors, type JWTPayload, jwtVerify} from 'jose';
import {type ExternalIdentity, type Scope, scopes, type TrustedIssuer} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {lifetimes} from '../../domain/core/limits.js';
import {createRemoteKeys} from './remote-keys.js';

/** The content of a trusted issuer's token, after its signature has been verified. */
export interface ExternalToken {
  readonly identity: ExternalIdentity;
  readonly scopes: ReadonlySet<Scope>;
  /** The expiry, in ms since the epoch. */
  readonly expiresAt: number;
}

export type ExternalIssuers = ReturnType<typeof createExternalIssuers>;

/** The accepted algorithms, all with a private key. With `HS256`, anybody could sign with the public key. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** The accepted values of `typ`: those of RFC 9068, and `JWT` (or none), which many issuers use. */
const types: ReadonlySet<string | undefined> = new Set(['at+jwt', 'application/at+jwt', 'jwt', undefined]);

/** Creates the verifier of trusted issuers' tokens. `now` is the time of Redis in ms. */
export function createExternalIssuers(issuers: readonly TrustedIssuer[], now: () => number) {
  const known = new Map(
    issuers.map((issuer) => [issuer.issuer, {issuer, keys: createRemoteKeys(issuer.jwksUrl)}]),
  );

  return {
    /**
     * Verifies the token of a trusted issuer. Returns undefined for a token that names no trusted issuer. The
     * keys of an issuer are fetched only from its configured address, never from one in the token (`jku`,
     * `x5u`).
     * `resource`: an address of this service whose tokens are accepted too (RFC 8707).
     * Errors: `invalid_token`, and `service_unavailable` when the keys cannot be fetched.
     */
    async verify(token: string, deadline: number, resource?: string): Promise<ExternalToken | undefined> {
      const found = known.size === 0 ? undefined : known.get(readClaimedIssuer(token) ?? '');
      if (found === undefined) return undefined;
      const {issuer, keys} = found;
      const verifying = jwtVerify(token, keys.find, {
        algorithms,
        issuer: issuer.issuer,
        audience: resource === undefined ? issuer.audience : [issuer.audience, resource],
        requiredClaims: ['sub', 'iat', 'exp'],
        maxTokenAge: lifetimes.externalToken,
        clockTolerance: lifetimes.tokenSkew,
        currentDate: new Date(now()),
      });
      const {payload, protectedHeader} = await waitUntilDeadline(verifying, deadline).catch(
        (error: unknown) => {
          throw convertToRefusal(error);
        },
      );
      if (!types.has(protectedHeader.typ?.toLowerCase()))
        throw createInvalidTokenError('is not an access token');
      // RFC 7800: such a token is valid only for a holder who proves that they have a certain key.
      if (payload['cnf'] !== undefined) throw createInvalidTokenError('is not a bearer token');
      return {
        identity: readIdentity(payload, issuer),
        scopes: readTokenScopes(payload),
        expiresAt: Math.min(payload.exp ?? 0, (payload.iat ?? 0) + lifetimes.externalToken) * 1_000,
      };
    },
  };
}

/** Returns the issuer that a token names. Nothing in the token is verified at this point. */
function readClaimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function readIdentity(payload: JWTPayload, {issuer, workspaceClaim}: TrustedIssuer): ExternalIdentity {
  const email = payload['email_verified'] === true ? payload['email'] : undefined;
  const workspace = workspaceClaim === undefined ? undefined : payload[workspaceClaim];
  if (workspaceClaim !== undefined && typeof workspace !== 'string')
    throw createInvalidTokenError('names no workspace');
  return {
    issuer,
    subject: payload.sub ?? '',
    ...(typeof email === 'string' && {email}),
    ...(typeof workspace === 'string' && {workspace}),
  };
}

/** Returns the known scopes from `scope` (RFC 9068) or `scp`, as some issuers use: a text or a list. */
function readTokenScopes({scope, scp}: JWTPayload): ReadonlySet<Scope> {
  const granted = [scope, scp].flatMap((claim): unknown[] => {
    if (typeof claim === 'string') return claim.split(' ');
    return Array.isArray(claim) ? claim : [];
  });
  return new Set(scopes.filter((one) => granted.includes(one)));
}

function createInvalidTokenError(what: string): AppError {
  return new AppError('invalid_token', `The access token ${what}.`);
}

function convertToRefusal(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof errors.JWTExpired) return createInvalidTokenError('has expired');
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    return createInvalidTokenError('is for another audience');
  }
  return error instanceof errors.JOSEError ? createInvalidTokenError('is not valid here') : error;
}

/** Waits for keys until the request's deadline. Keys that arrive later are kept for the next request. */
async function waitUntilDeadline<T>(work: Promise<T>, deadline: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new AppError('service_unavailable', "The keys of the access token's issuer did not come in time."),
        ),
      Math.max(0, deadline - performance.now()),
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
