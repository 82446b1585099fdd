import {createServer, type RequestListener, type Server} from 'node:http';
import {exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT} from 'jose';
import {Provider} from 'oidc-provider';
import {findFreePort} from './free-port.js';

/** A real OpenID provider on loopback. Close it in `afterAll`. */
export interface TestIdentityProvider {
  readonly issuer: string;
  readonly jwksUrl: string;
  /**
   * Fetches an access token for a client by the client_credentials grant. It contains the claims that the
   * test has passed to `startIdentityProvider` for this client.
   */
  fetchToken(client: string, options?: {resource?: string; scope?: string}): Promise<string>;
  /** Creates a token signed with the provider's own key, with any claims and header. */
  forge(changes?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  readonly publicKey: () => JWK;
  /** From now on signs tokens with another key, and publishes only that key. */
  rotate(): Promise<void>;
  /** The paths that clients have requested so far, in order. */
  readonly asked: string[];
  /** Accepts no more connections until `resume` is called. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /**
   * Lets a listener answer the requests for the key set. A call without a listener restores the normal
   * answer.
   */
  pretend(listener?: RequestListener): void;
  close(): Promise<void>;
}

/** Claims of each client's access tokens, in addition to registered claims such as `iss`. */
export type Clients = Readonly<Record<string, Record<string, unknown>>>;

export const audience = 'https://standup.example.test';

export async function startIdentityProvider(clients: Clients): Promise<TestIdentityProvider> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const asked: string[] = [];
  let privateJwk = await (firstKey ??= createSigningKey());
  let serve = createProvider(issuer, clients, privateJwk);
  let pretended: RequestListener | undefined;
  let server = await listen(port);

  function listen(at: number): Promise<Server> {
    const opened = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (pretended !== undefined && request.url === '/jwks') return pretended(request, response);
      serve(request, response);
    });
    return new Promise((resolve, reject) => {
      opened.once('error', reject);
      opened.listen(at, '127.0.0.1', () => resolve(opened));
    });
  }

  async function stopListening(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    asked,
    async fetchToken(client, {resource = audience, scope = 'standups:read standups:write'} = {}) {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: {authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}`},
        body: new URLSearchParams({grant_type: 'client_credentials', resource, scope}),
      });
      const body = (await response.json()) as {access_token?: string};
      if (body.access_token === undefined) throw new Error(`no token for ${client}: ${JSON.stringify(body)}`);
      return body.access_token;
    },
    async forge(changes = {}, header = {}) {
      const now = Math.floor(Date.now() / 1_000);
      const claims = {
        iss: issuer,
        aud: audience,
        sub: 'robot',
        scope: 'standups:read',
        iat: now,
        exp: now + 600,
      };
      const payload: JWTPayload = Object.fromEntries(
        Object.entries({...claims, ...changes}).filter(([, value]) => value !== undefined),
      );
      return new SignJWT(payload)
        .setProtectedHeader({alg: 'RS256', typ: 'at+jwt', kid: String(privateJwk.kid), ...header})
        .sign(await importJWK(privateJwk, 'RS256'), {crit: {'urn:x': true}});
    },
    publicKey() {
      const {kty, n, e, kid, alg} = privateJwk;
      return {kty, n, e, kid, alg} as JWK;
    },
    async rotate() {
      privateJwk = await createSigningKey();
      serve = createProvider(issuer, clients, privateJwk);
    },
    pause: stopListening,
    async resume() {
      server = await listen(port);
    },
    pretend(listener) {
      pretended = listener;
    },
    close: stopListening,
  };
}

const secret = 'a client secret';

/** All providers of one test file begin with the same key, since creating a key takes 0.2 s. */
let firstKey: Promise<JWK> | undefined;

async function createSigningKey(): Promise<JWK> {
  const {privateKey} = await generateKeyPair('RS256', {extractable: true});
  return {
    ...(await exportJWK(privateKey)),
    kid: Math.random().toString(36).slice(2),
    alg: 'RS256',
    use: 'sig',
  };
}

function createProvider(issuer: string, clients: Clients, key: JWK): RequestListener {
  const provider = new Provider(issuer, {
    jwks: {keys: [key]},
    clients: Object.keys(clients).map((id) => ({
      client_id: id,
      client_secret: secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
    features: {
      clientCredentials: {enabled: true},
      devInteractions: {enabled: false},
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          audience: resource,
          scope: 'standups:read standups:write standups:write_any teams:read tokens:manage other:scope',
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: {sign: {alg: 'RS256'}},
        }),
      },
    },
    extraTokenClaims: (_: unknown, token: {clientId: string}) => clients[token.clientId],
  });
  return provider.callback();
}
