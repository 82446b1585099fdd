// An identity provider (OpenID Connect): where to send a person, and what it says about them on their return.
import {isIP} from 'node:net';
import type {Configuration, ExportedJWKSCache, ServerMetadata} from 'openid-client';
import {signInScopes, type VouchedAddress, type VouchedMember} from '../domain/tokens/sign-in.js';
import type {Workspace} from '../domain/workspaces/workspace.js';
import {fetchProvider, ProviderAway} from './fetch-provider.js';
import {callWithSignInProblems} from './provider-refusals.js';

/** The values that are generated for a single sign-in. Each can be used only once. */
export interface Trip {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** True if the person must prove their identity again. */
  readonly confirm: boolean;
}

export type Claims = Readonly<Record<string, unknown>>;

/** The identity provider's verified claims about a person. */
export interface VerifiedIdentity {
  readonly claims: Claims;
  /** Asks the provider for more claims about the person. */
  readonly askMore: () => Promise<Claims>;
}

export interface ProviderSettings {
  /** The id in the path of the sign-in. */
  readonly id: string;
  readonly name: string;
  /** True if the provider can ask a person to prove their identity again, and reports when they did. */
  readonly confirms: boolean;
  readonly usesPkce: boolean;
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a client that uses only PKCE. */
  readonly clientSecret: string | undefined;
  /** The URL of the provider's keys. The URL of keys in the provider's metadata is ignored. */
  readonly jwksUrl: string;
  /** The provider's URLs, if they are known without a request. */
  readonly metadata?: ServerMetadata;
  /** True if a person can use the provider to join a workspace by an invite that gives a role. */
  readonly admits: (workspace: Pick<Workspace, 'id' | 'slug'>, role: string) => boolean;
  /** Finds the member that a provider's claims describe, or returns their address. Errors: `SignInRefused`. */
  readonly findMember: (
    identity: VerifiedIdentity,
    deadline: number,
  ) => Promise<VouchedMember | VouchedAddress>;
}

export interface IdentityProvider
  extends Pick<ProviderSettings, 'id' | 'name' | 'confirms' | 'admits' | 'findMember'> {
  /** Returns the URL to which the person is sent. Errors: `SignInRefused`. */
  begin: (trip: Trip) => Promise<string>;
  /** Finishes a sign-in. `search`: the query of the redirect back. Errors: `SignInRefused`. */
  finish: (search: string, trip: Trip) => Promise<VerifiedIdentity>;
}

/** The time after which the provider's keys are fetched again, as for access tokens (`remote-keys.ts`). */
const freshMs = 10 * 60_000;
const keptMs = 24 * 3_600_000;
const retryMs = 1_000;
const timeoutSeconds = 5;

/** The tolerated difference between the provider's clock and ours, in seconds. */
export const clockTolerance = 30;

/** Creates a provider. `now` is the time of Redis; the library uses `wallNow`, the machine's. */
export function createIdentityProvider(
  settings: ProviderSettings,
  {
    redirectUri,
    now,
    wallNow,
  }: {readonly redirectUri: string; readonly now: () => number; readonly wallNow: () => number},
): IdentityProvider {
  const {id, name, confirms, usesPkce, admits, findMember, clientId, clientSecret} = settings;
  const findMetadata = createMetadataFinder(settings);
  let keys: ExportedJWKSCache | undefined;

  async function loadConfiguration(): Promise<Configuration> {
    const client = await loadClient();
    const metadata = await findMetadata();
    const skew = Math.round((now() - wallNow()) / 1_000);
    const times = {[client.clockSkew]: skew, [client.clockTolerance]: clockTolerance};
    const {token_endpoint_auth_methods_supported: ways = ['client_secret_basic']} = metadata;
    const prove = ways.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost;
    const auth = clientSecret === undefined ? client.None() : prove(clientSecret);
    const made = new client.Configuration(metadata, clientId, times, auth);
    made[client.customFetch] = fetchProvider;
    made.timeout = timeoutSeconds;
    if (settings.issuer.startsWith('http:')) client.allowInsecureRequests(made);
    // The signature is verified, although the token comes directly from the provider.
    client.enableNonRepudiationChecks(made);
    if (keys !== undefined) client.setJwksCache(made, keys);
    return made;
  }

  return {
    id,
    name,
    confirms,
    admits,
    findMember,
    begin: ({state, nonce, verifier, confirm}) =>
      callWithSignInProblems(async () => {
        const client = await loadClient();
        const configuration = await loadConfiguration();
        const challenge = usesPkce && {
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        };
        return client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: signInScopes.join(' '),
          state,
          nonce,
          ...challenge,
          ...(confirm && {prompt: 'login', max_age: '0'}),
        }).href;
      }),
    finish: (search, {state, nonce, verifier}) =>
      callWithSignInProblems(async () => {
        const client = await loadClient();
        const configuration = await loadConfiguration();
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
          ...(usesPkce && {pkceCodeVerifier: verifier}),
        };
        const tokens = await client.authorizationCodeGrant(
          configuration,
          new URL(`${redirectUri}${search}`),
          checks,
        );
        keys = client.getJwksCache(configuration) ?? keys;
        const claims: Claims = {...tokens.claims()};
        const {access_token: token} = tokens;
        const askMore = async (): Promise<Claims> =>
          client.fetchUserInfo(configuration, token, String(claims['sub']));
        return {claims, askMore: () => callWithSignInProblems(askMore)};
      }),
  };
}

/** Loads the library when somebody signs in, because most installations never need it. */
const loadClient = () => import('openid-client');

/** Finds the URLs of a provider. They are fetched at the first sign-in, and again from time to time. */
function createMetadataFinder({issuer, clientId, jwksUrl, metadata}: ProviderSettings) {
  let known = metadata;
  let readAt = metadata === undefined ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<ServerMetadata> | undefined;

  async function readMetadata(): Promise<ServerMetadata> {
    if (performance.now() - failedAt < retryMs) throw new ProviderAway('asked a moment ago, in vain');
    try {
      const client = await loadClient();
      const found = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
        timeout: timeoutSeconds,
        [client.customFetch]: fetchProvider,
        execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
      });
      const {supportsPKCE: _, ...serverMetadata} = found.serverMetadata();
      requireUsableMetadata(serverMetadata, issuer);
      known = {...serverMetadata, jwks_uri: jwksUrl};
      readAt = performance.now();
      return known;
    } catch (error) {
      failedAt = performance.now();
      throw error;
    }
  }

  return async function findMetadata(): Promise<ServerMetadata> {
    const age = performance.now() - readAt;
    if (known !== undefined && age < freshMs) return known;
    reading ??= readMetadata().finally(() => {
      reading = undefined;
    });
    try {
      return await reading;
    } catch (error) {
      if (known !== undefined && age < keptMs) return known;
      throw error;
    }
  };
}

/** Requires metadata that names the expected issuer, with URLs that are safe to call. */
function requireUsableMetadata(metadata: ServerMetadata, issuer: string): void {
  if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new ProviderAway('names another issuer');
  const {authorization_endpoint: way, token_endpoint: tokens, userinfo_endpoint: people} = metadata;
  if (way === undefined || tokens === undefined) throw new ProviderAway('names no addresses');
  for (const address of [way, tokens, people]) {
    if (address !== undefined && !isUsableEndpoint(address, issuer))
      throw new ProviderAway('names a strange address');
  }
}

function isUsableEndpoint(address: string, issuer: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  const {origin, protocol, hostname} = url;
  if (origin === new URL(issuer).origin) return true;
  const isPublicName = hostname.includes('.') && !hostname.startsWith('[') && isIP(hostname) === 0;
  return protocol === 'https:' && isPublicName;
}
