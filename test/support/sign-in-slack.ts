import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import {exportJWK, generateKeyPair, SignJWT} from 'jose';

/** A person in Slack: the person's ids, and further data that Slack returns. */
export interface SlackPersonThere {
  readonly team: string;
  readonly user: string;
  readonly email?: string;
  /** Slack's id of the organisation, and whether the ID token contains the id too. */
  readonly enterprise?: string;
  readonly enterpriseInToken?: boolean;
  /** The fields of Slack's `users.info` besides the ids and the name. */
  readonly profile?: Record<string, unknown>;
}

/**
 * The parts of Slack that signing in needs, with answers as in Slack's reference:
 * https://docs.slack.dev/reference/methods/openid.connect.token
 */
export interface SignInSlack {
  readonly url: string;
  /** The requests of sign-ins, latest first. */
  readonly asked: {path: string; query: Record<string, string>; body: Record<string, string>}[];
  /** Sets the next person to sign in. */
  become(person: SlackPersonThere): void;
  /** Sets claims that replace the normal ones in the next ID tokens. */
  claim(changes: Record<string, unknown>): void;
  /** Sets the answer to a Slack method. A call without a reply restores the normal answer. */
  answer(method: string, reply?: Record<string, unknown>): void;
  close(): Promise<void>;
}

export const client = {id: '123.456', secret: 'a-client-secret-of-the-tests'};

export async function startSignInSlack(): Promise<SignInSlack> {
  const {privateKey, publicKey} = await generateKeyPair('RS256', {extractable: true});
  const jwk = {...(await exportJWK(publicKey)), kid: 'slack', alg: 'RS256', use: 'sig'};
  const people = new Map<string, SlackPersonThere>();
  const codes = new Map<string, {person: SlackPersonThere; nonce: string; redirect: string}>();
  const replies = new Map<string, Record<string, unknown>>();
  const asked: SignInSlack['asked'] = [];
  let person: SlackPersonThere = {team: 'T0NONE', user: 'U0NONE'};
  let changes: Record<string, unknown> = {};
  let url = '';

  async function createIdToken(
    {team, user, email, enterprise, enterpriseInToken}: SlackPersonThere,
    nonce: string,
  ) {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: url,
      sub: user,
      aud: client.id,
      exp: now + 300,
      iat: now,
      auth_time: now,
      nonce,
      'https://slack.com/team_id': team,
      'https://slack.com/user_id': user,
      ...(email !== undefined && {email, email_verified: true}),
      ...(enterpriseInToken && {'https://slack.com/enterprise_id': enterprise}),
      locale: 'en-US',
      name: user,
      ...changes,
    };
    return new SignJWT(claims).setProtectedHeader({alg: 'RS256', kid: 'slack', typ: 'JWT'}).sign(privateKey);
  }

  async function exchangeCode(body: Record<string, string>): Promise<Record<string, unknown>> {
    const found = codes.get(body['code'] ?? '');
    codes.delete(body['code'] ?? '');
    if (found === undefined) return {ok: false, error: 'invalid_code'};
    if (body['client_id'] !== client.id || body['client_secret'] !== client.secret)
      return {ok: false, error: 'bad_client_secret'};
    if (body['redirect_uri'] !== found.redirect) return {ok: false, error: 'bad_redirect_uri'};
    const token = `xoxp-${found.person.user}`;
    return {
      ok: true,
      access_token: token,
      token_type: 'Bearer',
      id_token: await createIdToken(found.person, found.nonce),
    };
  }

  function createUserInfo(user: string): Record<string, unknown> {
    const found = people.get(user);
    if (found === undefined) return {ok: false, error: 'user_not_found'};
    const {team, email, enterprise, profile} = found;
    const base = {id: user, team_id: team, name: user.toLowerCase(), real_name: `Real ${user}`};
    return {
      ok: true,
      user: {
        ...base,
        ...(enterprise !== undefined && {enterprise_user: {enterprise_id: enterprise, teams: [team]}}),
        is_email_confirmed: true,
        profile: {email},
        ...profile,
      },
    };
  }

  async function answerCall(path: string, request: IncomingMessage, body: Record<string, string>) {
    const given = replies.get(path);
    if (given !== undefined) return given;
    if (path === '/openid/connect/keys') return {keys: [jwk]};
    if (path === '/api/openid.connect.token') return exchangeCode(body);
    if (path === '/api/openid.connect.userInfo') {
      const {user, team, enterprise} = people.get(
        request.headers.authorization?.slice('Bearer xoxp-'.length) ?? '',
      ) ?? {user: '', team: ''};
      const ids = {'https://slack.com/team_id': team, 'https://slack.com/user_id': user};
      return {ok: true, sub: user, ...ids, 'https://slack.com/enterprise_id': enterprise};
    }
    if (path === '/api/users.info') return createUserInfo(body['user'] ?? '');
    return {ok: false, error: 'unknown_method'};
  }

  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '', url);
    const {pathname: path, searchParams} = address;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
      const query = Object.fromEntries(searchParams);
      asked.unshift({path, query, body});
      if (path === '/openid/connect/authorize') {
        const code = `${asked.length}.${person.user}`;
        const {nonce = '', state = '', redirect_uri: redirect = ''} = query;
        codes.set(code, {person, nonce, redirect});
        const location = `${redirect}?${new URLSearchParams({code, state})}`;
        return void response.writeHead(302, {location}).end();
      }
      answerCall(path, request, body)
        .then((said) =>
          response
            .writeHead(200, {'content-type': 'application/json; charset=utf-8'})
            .end(JSON.stringify(said)),
        )
        .catch(() => request.socket.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    asked,
    become(next) {
      person = next;
      people.set(next.user, next);
    },
    claim(next) {
      changes = next;
    },
    answer(method, said) {
      if (said === undefined) replies.delete(`/api/${method}`);
      else replies.set(`/api/${method}`, said);
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
