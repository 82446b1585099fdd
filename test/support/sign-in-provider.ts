import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import {exportJWK, generateKeyPair, importJWK, SignJWT} from 'jose';
import {Provider} from 'oidc-provider';

/** A real OpenID provider on loopback, with which people sign in. Close it in `afterAll`. */
export interface SignInProvider {
  readonly issuer: string;
  readonly jwksUrl: string;
  /**
   * Sets the next person to sign in: subject, claims, and how long ago (s) the person signed in with the
   * provider.
   */
  become(subject: string, claims: Record<string, unknown>, options?: {ago?: number}): void;
  /** Lets the next person refuse consent. */
  refuse(): void;
  /** Shows a page with a button before the sign-in goes on, as real providers do. */
  showPage(shown: boolean): void;
  /** Sets the answer for one path. A call without a listener restores the normal answer. */
  pretend(path: string, listener?: RequestListener): void;
  /** Creates an ID token signed with the provider's own key, with any claims and header. */
  forge(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** The paths that clients have requested so far, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

export const clientSecret = 'a client secret of the tests';

/** Starts the provider. `inIdToken`: the ID token contains the claims. */
export async function startSignInProvider(
  redirectUri: string,
  {inIdToken = true}: {inIdToken?: boolean} = {},
): Promise<SignInProvider> {
  const asked: string[] = [];
  const pretended = new Map<string, RequestListener>();
  let person = {subject: 'nobody', claims: {} as Record<string, unknown>, ago: 0};
  let refuses = false;
  let showsPage = false;
  let answer: RequestListener = (_, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    asked.push(path);
    (pretended.get(path) ?? answer)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const {privateKey} = await generateKeyPair('RS256', {extractable: true});
  const key = {...(await exportJWK(privateKey)), kid: 'own', alg: 'RS256', use: 'sig'};
  const common = {
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code'],
    response_types: ['code'],
  };
  const provider = new Provider(issuer, {
    jwks: {keys: [key]},
    clients: [
      {...common, client_id: 'standup', client_secret: clientSecret},
      {...common, client_id: 'standup-without-secret', token_endpoint_auth_method: 'none'},
    ],
    claims: {openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'workspace']},
    conformIdTokenClaims: !inIdToken,
    pkce: {required: () => true},
    features: {devInteractions: {enabled: false}},
    cookies: {keys: ['a key of the tests']},
    interactions: {url: () => '/interaction'},
    findAccount: (_: unknown, accountId: string) => {
      const {claims} = person;
      return {accountId, claims: async () => ({...claims, sub: accountId})};
    },
    ttl: {Interaction: 600, Session: 3_600, Grant: 600, AccessToken: 600, IdToken: 600},
  });
  const real = provider.callback();
  answer = (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path !== '/interaction') return real(request, response);
    continueInteraction(request, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    );
  };

  async function continueInteraction(...[request, response]: Parameters<RequestListener>): Promise<void> {
    const {prompt, params, session} = await provider.interactionDetails(request, response);
    if (showsPage && prompt.name === 'login' && !request.url?.includes('?go')) {
      response
        .writeHead(200, {'content-type': 'text/html'})
        .end('<!doctype html><title>Provider</title><a href="/interaction?go">Sign in at the provider</a>');
      return;
    }
    const {subject, ago} = person;
    const result = refuses
      ? {error: 'access_denied', error_description: 'the person said no'}
      : prompt.name === 'login'
        ? {login: {accountId: subject, ts: Math.floor(Date.now() / 1_000) - ago}}
        : await giveConsent(session?.accountId, params.client_id);
    const location = await provider.interactionResult(request, response, result);
    response.writeHead(303, {location}).end();
  }

  async function giveConsent(accountId: string | undefined, clientId: string) {
    const grant = new provider.Grant({accountId, clientId});
    grant.addOIDCScope('openid profile email');
    return {consent: {grantId: await grant.save()}};
  }

  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    asked,
    become(subject, claims, {ago = 0} = {}) {
      person = {subject, claims, ago};
      refuses = false;
    },
    refuse() {
      refuses = true;
    },
    showPage(shown) {
      showsPage = shown;
    },
    pretend(path, listener) {
      if (listener === undefined) pretended.delete(path);
      else pretended.set(path, listener);
    },
    async forge(changes, header = {}) {
      const now = Math.floor(Date.now() / 1_000);
      const claims = {iss: issuer, aud: 'standup', sub: 'forged', iat: now, exp: now + 300, ...changes};
      return new SignJWT(claims)
        .setProtectedHeader({alg: 'RS256', kid: 'own', ...header})
        .sign(await importJWK(key, 'RS256'));
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
